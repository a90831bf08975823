import BitpalConfig
import BitpalModel
import BitpalProviders
import Testing

@testable import Bitpal

@Suite struct `Keys` {
  private func specification(_ base: String?, keyHosts: [String] = []) -> ProviderSpecification {
    var specification = ProviderSpecification(id: "coingecko", name: "C", kind: CoinGeckoKind())
    specification.baseURL = base
    specification.keyHosts = keyHosts
    specification.keyEnvironment = "K"
    return specification
  }

  @Test(
    arguments: [
      (nil, [], true), ("https://api.coingecko.com/api/v3", [], true), ("https://PRO-api.coingecko.com", [], true),
      ("http://127.0.0.1:8080/x", [], true), ("http://localhost:1", [], true), ("http://[::1]:1", [], true),
      ("https://evil.example", [], false), ("https://api.coingecko.com.evil.example", [], false),
      ("https://127.0.0.1.evil.example", [], false), ("https://api.coingecko.com@evil.example/", [], false),
      ("https://mine.example", ["Mine.example"], true), ("nonsense", [], false),
    ] as [(String?, [String], Bool)])
  func `A key goes to its service, to this machine, and to hosts the user names`(
    base: String?, keyHosts: [String], isAllowed: Bool
  ) {
    #expect(KeyHosts.mayHaveKey(specification(base, keyHosts: keyHosts)) == isAllowed)
  }

  @Test func `CoinGecko's hosts get CoinGecko's key, and no other's`() {
    var other = ProviderSpecification(id: "aws", name: "A", kind: DeclaredKind())
    other.baseURL = "https://api.coingecko.com/api/v3"
    other.keyEnvironment = "AWS_SECRET_ACCESS_KEY"
    #expect(!KeyHosts.mayHaveKey(other))
    other.keyHosts = ["api.coingecko.com"]
    #expect(KeyHosts.mayHaveKey(other))
    var api = DeclaredAPI()
    var line = DeclaredOperation(get: DeclaredText("/l"), rows: .select(DeclaredText("")))
    line.baseURL = "https://charts.example/v2"
    api.operations[.line] = line
    other.kind = DeclaredKind(api)
    #expect(KeyHosts.refused(of: other) == "https://charts.example/v2")
    other.keyHosts.append("charts.example")
    #expect(KeyHosts.mayHaveKey(other))
  }
}
