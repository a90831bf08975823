import BitpalConfig
import BitpalModel
import BitpalNetwork
import BitpalProviders
import BitpalTesting
import TestSupport
import Testing

@Suite struct `A provider that is given a key` {
  private struct Listener: Transport {
    let plan: String
    let heard: Notes<String>

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
      heard.add("\(plan) \(request.secret?.name ?? "no key")")
      return HTTPResponse(status: 200, body: Array("[]".utf8))
    }
  }

  @Test(arguments: [(nil, "public no key"), (Secret("CG-x"), "demo x-cg-demo-api-key")] as [(Secret?, String)])
  func `is asked on a plan with one, whatever made its specification`(key: Secret?, expected: String) async throws {
    let heard = Notes<String>()
    let environment = ProviderEnvironment(
      time: ManualTime(), trace: .silent, key: { _ in key },
      transport: { specification, _ in Listener(plan: specification.kind.plan ?? "none", heard: heard) },
      specification: { _ in .builtInCoinGecko })
    let provider = try environment.provider(.builtInCoinGecko)
    _ = try await provider.quotes(["bitcoin"], currency: "usd")
    #expect(provider.descriptor.budgets.first == .perMinute(key == nil ? 5 : 100))
    #expect(heard.all == [expected])
  }
}
