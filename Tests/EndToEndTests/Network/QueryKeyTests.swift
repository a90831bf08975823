import Foundation
import LoopbackServer
import TestSupport
import Testing

/// A source that wants its key in the query, and says it again in whatever it answers.
@Suite(.ownThreads) struct `A key in a query` {
  private static let key = "CG-planted/4711+canary"

  private func world(_ server: LoopbackServer) throws -> World {
    let world = try World()
    try world.write(
      """
      id: moon
      name: Moon
      kind: http
      base_url: \(server.url)
      key_env: MOON_KEY
      rate_limit: 100000/1s
      error: $.error
      quotes: { get: "/p/{id}?apikey={key}&in={currency}", fields: { price: $.p, name: $.n } }

      """, to: world.ownProvider("moon"))
    return world
  }

  @Test func `goes over the wire, and stands nowhere else`() throws {
    let server = try LoopbackServer { request in
      switch request.path {
      case "/p/bitcoin": .ok(json: #"{"p":"61713","n":"\#(request.target)"}"#)
      case "/p/moved": .redirect(to: "/p/bitcoin?\(request.target.split(separator: "?").last ?? "")")
      default: .response(status: 401, headers: [], body: Array(#"{"error":"bad key \#(Self.key)"}"#.utf8))
      }
    }
    defer { server.stop() }
    let world = try world(server)
    var said = ""
    for line in [
      "price bitcoin -v", "price moved --format json -v", "price refused -v --format json", "providers show moon",
      "providers list", "cache clear --budgets", "record ./tape -- price bitcoin", "doctor",
      "price bitcoin --errors json --refresh -v",
    ] {
      let outcome = try world.run("export MOON_KEY='\(Self.key)'; export BITPAL_PROVIDER=moon; bitpal \(line)")
      said += outcome.output + outcome.errors
    }
    #expect(said.contains("61713") && said.contains("apikey={key}") && said.contains("refuses the key"))
    let encoded = "CG-planted%2F4711%2Bcanary"
    // The doctor's knock asks for nothing and needs no key.
    let asked = server.requests.filter { $0.path.hasPrefix("/p/") }
    #expect(!asked.isEmpty && asked.allSatisfy { $0.target.contains("apikey=\(encoded)&in=usd") })
    for form in [Self.key, encoded, "planted"] { #expect(!said.contains(form)) }
    let files = FileManager.default.enumerator(atPath: world.folder)?.compactMap { $0 as? String } ?? []
    for file in files
    where (try? FileManager.default.destinationOfSymbolicLink(atPath: world.folder + "/" + file)) == nil {
      let content = FileManager.default.contents(atPath: world.folder + "/" + file) ?? Data()
      #expect(content.range(of: Data("planted".utf8)) == nil, "\(file)")
    }
    let replayed = try world.run("bitpal -p recording:./tape price bitcoin --format csv")
    #expect(replayed.status == 0 && replayed.output.contains("61713"))
  }
}
