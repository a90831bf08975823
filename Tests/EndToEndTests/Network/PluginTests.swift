import Foundation
import LoopbackServer
import TestSupport
import Testing

/// Prices that a shell script plans and reads, over a source on this machine.
@Suite(.ownThreads) struct `A plugin at the command line` {
  private static let key = "planted-4711-canary"

  /// A world whose provider is a script.
  private func world(_ server: LoopbackServer, plan: String? = nil, list: String = "[moon, spare]") throws -> World {
    let world = try World()
    let url = "\(server.url)/p?k={key}"
    let planned =
      plan
      ?? #"printf '%s\n' '{"requests":[{"url":"\#(url)","headers":{"X-Sign":"{signature}"},"sign":{"text":"t"}}]}'"#
    let script = """
      echo loading >&2
      while read -r line; do
        case $line in
          '{"hello"'*) echo '{"bitpal":1,"answers":["quotes"],"batch":9,"currencies":["usd"]}' ;;
          '{"plan"'*) \(planned) ;;
          *) body=${line##*'"body":"'}; body=${body%%'"'*}
             printf '{"rows":[{"id":"bitcoin","price":"%s"}]}\\n' "$body" ;;
        esac
      done

      """
    let folder = URL(filePath: world.ownProvider("moon")).deletingLastPathComponent().path
    try world.write(script, to: folder + "/moon.sh")
    try world.write(
      """
      id: moon
      name: Moon
      kind: plugin
      command: [/bin/sh, moon.sh]
      hosts: [127.0.0.1]
      key_env: MOON_KEY
      rate_limit: 100000/1s

      """, to: world.ownProvider("moon"))
    try world.write(
      """
      id: spare
      name: Spare
      kind: http
      base_url: \(server.url)
      rate_limit: 100000/1s
      quotes: { get: "/spare/{id}", fields: { price: $.p } }

      """, to: world.ownProvider("spare"))
    try world.write("bitpal: 1\nprovider: \(list)\n", to: "config.yaml")
    return world
  }

  private func server() throws -> LoopbackServer {
    try LoopbackServer { request in
      request.path == "/p"
        ? .response(status: 200, headers: [], body: Array("61713.000000000000000001".utf8)) : .ok(json: #"{"p":"7"}"#)
    }
  }

  @Test func `answers to the digit, and starts no process for what is cached`() throws {
    let server = try server()
    defer { server.stop() }
    let world = try world(server)
    let first = try world.run("bitpal price bitcoin --format json -v")
    #expect(first.status == 0 && first.output.contains(#""price": "61713.000000000000000001""#), "\(first)")
    #expect(first.output.contains(#""source": "moon""#))
    #expect(first.errors.contains("warning: moon: loading"))
    #expect(first.errors.contains(#"* plugin: moon < {"hello":{"bitpal":1}}"#))
    let again = try world.run("bitpal price bitcoin --format json -v")
    #expect(again.output == first.output && !again.errors.contains("plugin:"))
  }

  @Test func `never sees the key, and nor does anybody else`() throws {
    let server = try server()
    defer { server.stop() }
    let world = try world(server)
    let file = world.ownProvider("moon")
    try world.write(try String(contentsOfFile: file, encoding: .utf8) + "key_hosts: [127.0.0.1]\n", to: file)
    let outcome = try world.run("MOON_KEY=\(Self.key) bitpal record ./tape -- price bitcoin -v")
    #expect(outcome.status == 0, "\(outcome)")
    #expect(server.requests.map(\.target) == ["/p?k=\(Self.key)"])
    #expect(!(outcome.output + outcome.errors).contains("planted"))
    let files = FileManager.default.enumerator(atPath: world.folder)?.compactMap { $0 as? String } ?? []
    for file in files {
      let content = FileManager.default.contents(atPath: world.folder + "/" + file) ?? Data()
      #expect(content.range(of: Data("planted".utf8)) == nil, "\(file)")
    }
    server.stop()
    let replayed = try world.run("bitpal -p recording:./tape price bitcoin --format csv")
    #expect(replayed.status == 0 && replayed.output.contains("61713.000000000000000001"), "\(replayed)")
  }

  @Test func `that cannot even be started leaves the others alone`() throws {
    let server = try server()
    defer { server.stop() }
    let world = try world(server)
    let file = world.ownProvider("moon")
    let text = try String(contentsOfFile: file, encoding: .utf8)
    try world.write(text.replacing("[/bin/sh, moon.sh]", with: "[./nowhere]"), to: file)
    let outcome = try world.run("bitpal price bitcoin --format json -v")
    #expect(outcome.status == 0 && outcome.output.contains(#""source": "spare""#), "\(outcome)")
    #expect(outcome.errors.contains("the plugin moon cannot be started: ./nowhere is not a program in "))
  }

  @Test(arguments: [
    ("exit 3", "ended instead of answering (exit status 3)"), ("sleep 3000", "did not answer plan within 2s"),
    ("yes", "answered plan with a line that is not a JSON object: y"),
    (
      #"echo '{"requests":[{"url":"https://evil.example/"}]}'"#,
      "a host that its provider file does not name under hosts"
    ),
  ])
  func `that misbehaves is reported by name, and the next source answers`(plan: String, words: String) throws {
    let server = try server()
    defer { server.stop() }
    let world = try world(server, plan: plan)
    let outcome = try world.run("bitpal price bitcoin --format json -v")
    #expect(outcome.status == 0 && outcome.output.contains(#""source": "spare""#), "\(outcome)")
    #expect(outcome.errors.contains("the plugin moon ") && outcome.errors.contains(words), "\(outcome.errors)")
    let alone = try world.run("bitpal price bitcoin -p moon --refresh")
    #expect(alone.status == 6 || alone.status == 4, "\(alone)")
  }
}
