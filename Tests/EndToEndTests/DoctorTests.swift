import Foundation
import LoopbackServer
import Testing

@Suite(.ownThreads) struct `The doctor and a source on the web` {
  private static let command = "bitpal doctor -p local --format jsonl"

  private static func declare(_ server: LoopbackServer, in world: World) throws {
    let text = """
      id: local
      name: Local
      kind: http
      base_url: \(server.url)
      quotes:
        get: /price?coin={SYMBOL}
        each: $
        fields: { price: $.price }
      """
    try world.write(text, to: "providers/local.yaml")
  }

  @Test func `A source that answers in any way is reached`() throws {
    let server = try LoopbackServer { _ in .status(404) }
    let world = try World()
    try Self.declare(server, in: world)
    let outcome = try world.run(Self.command)
    #expect(outcome.status == 0)
    #expect(outcome.output.contains(#"{"topic":"providers","subject":"local","verdict":"good","message":"reached""#))
    #expect(server.requests.count == 1)
  }

  @Test func `Nothing is asked with --offline`() throws {
    let server = try LoopbackServer { _ in .status(200) }
    let world = try World()
    try Self.declare(server, in: world)
    let outcome = try world.run(Self.command + " --offline")
    #expect(outcome.output.contains("not asked: --offline"))
    #expect(server.requests.isEmpty)
  }

  @Test func `A source that cannot be reached is a warning with a command to try`() throws {
    let server = try LoopbackServer { _ in .status(200) }
    let world = try World()
    try Self.declare(server, in: world)
    server.stop()
    let outcome = try world.run(Self.command)
    #expect(outcome.status == 0)
    #expect(outcome.output.contains("cannot reach 127.0.0.1"))
    #expect(outcome.output.contains("curl -sS -o /dev/null"))
  }

  @Test func `A key that is not sent to the source's host is a warning`() throws {
    let world = try World()
    let text = """
      id: local
      name: Local
      kind: http
      base_url: https://elsewhere.example
      key_env: LOCAL_KEY
      headers: { x-key: "{key}" }
      quotes: { get: "/price?coin={SYMBOL}", each: $, fields: { price: $.price } }
      """
    try world.write(text, to: "providers/local.yaml")
    let outcome = try world.run("LOCAL_KEY=CANARY bitpal doctor -p local --offline --format jsonl")
    #expect(
      outcome.output.contains(
        #""subject":"LOCAL_KEY","verdict":"warning","message":"set, for local, and not sent to https://elsewhere.example""#
      ),
      "\(outcome.output)\(outcome.errors)")
  }

  @Test func `No key and no password of a proxy is ever shown`() throws {
    let world = try World()
    let line = "COINGECKO_API_KEY=CANARY https_proxy=http://me:CANARY@127.0.0.1:9 bitpal doctor -v -p coingecko"
    let outcome = try world.run(line)
    #expect(outcome.output.contains("set, for coingecko"))
    #expect(!(outcome.output + outcome.errors).contains("CANARY"))
  }
}
