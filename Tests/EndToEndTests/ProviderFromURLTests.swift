import Foundation
import LoopbackServer
import Testing

@Suite(.ownThreads) struct `A provider from a URL` {
  private static let answer = """
    {"market":{"bitcoin":{"seen":"2025-01-15T10:30:00Z","usd":{"last":"96841.3286753542581234","day_ago":"96000"}}}}
    """

  @Test func `One answer is fetched, and the file that comes of it gives prices`() throws {
    let server = try LoopbackServer { request in
      request.target.hasPrefix("/now?coin=") ? .ok(json: Self.answer) : .status(404, "{}")
    }
    defer { server.stop() }
    let world = try World()
    let written = try world.run("bitpal providers new lunar --from-url '\(server.url)/now?coin=bitcoin&in=usd'")
    #expect(written.status == 0 && server.requests.count == 1, "\(written.errors)")
    #expect(written.output.hasPrefix("wrote providers/lunar.yaml\n"))
    #expect(try world.run("bitpal providers check lunar").status == 0)
    let price = try world.run("bitpal price bitcoin -p lunar --format csv | tail -1 | cut -d, -f1,4,9")
    #expect(price.output == "bitcoin,96841.3286753542581234,lunar\n", "\(price.errors)")
    #expect(server.requests.count == 2)
    // A source that answers with another coin than the one asked for has no price of that one.
    let other = try world.run("bitpal price ethereum -p lunar")
    #expect(other.output.isEmpty && other.errors.contains("$.market has bitcoin"), "\(other)")
  }

  @Test func `The key of a source is in no file and in no output`() throws {
    let server = try LoopbackServer { request in
      request.header("x-api-key") == "canary-4711-key" ? .ok(json: Self.answer) : .status(401, "{}")
    }
    defer { server.stop() }
    let world = try World()
    let new = try world.run(
      "bitpal -v providers new lunar --header 'X-Api-Key: canary-4711-key' --from-url '\(server.url)/now?coin=bitcoin&in=usd'"
    )
    #expect(new.status == 0 && !new.output.contains("canary") && !new.errors.contains("canary"), "\(new.errors)")
    let files = try world.run("cat providers/lunar.yaml; ls providers")
    #expect(!files.output.contains("canary") && files.output.contains("key_env: LUNAR_API_KEY"))
    #expect(try world.run("bitpal providers check lunar").status == 0)
    let price = try world.run("LUNAR_API_KEY=canary-4711-key bitpal price bitcoin -p lunar --format csv | cut -d, -f4")
    #expect(price.output == "price\n96841.3286753542581234\n", "\(price.errors)")
  }

  @Test(
    arguments: [
      (status: 404, body: "{}", code: 4), (status: 200, body: "<html></html>", code: 2),
      (status: 200, body: #"{"hello":"world"}"#, code: 2),
    ] as [(Int, String, Int32)])
  func `An answer that holds no price writes nothing and says why`(status: Int, body: String, code: Int32) throws {
    let server = try LoopbackServer { _ in .status(status, body, headers: [("Content-Type", "application/json")]) }
    defer { server.stop() }
    let world = try World()
    let refused = try world.run("bitpal providers new lunar --from-url '\(server.url)/now?coin=bitcoin'")
    #expect(refused.status == code && refused.errors.hasPrefix("bitpal: "), "\(refused)")
    #expect(!FileManager.default.fileExists(atPath: world.work + "/providers/lunar.yaml"))
  }
}
