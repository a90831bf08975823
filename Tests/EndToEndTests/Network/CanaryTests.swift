import BitpalModel
import Foundation
import LoopbackServer
import TestSupport
import Testing

/// Sources that repeat the key that they were sent, in every form of a body, whatever they answer.
@Suite(.ownThreads) struct `A key that a source repeats` {
  /// Has characters that JSON, XML, CSV and URLs escape, and a space.
  private static let key = "plAnt&<o>\"r' kEy4711"

  /// The parts of the key that no escape changes.
  private static let parts = ["plAnt", "kEy4711"]

  private static let scalars = Array(key.unicodeScalars)

  private static let xml = key.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
    .replacingOccurrences(of: ">", with: "&gt;").replacingOccurrences(of: "\"", with: "&quot;")

  /// The forms of the key in a body of each kind, as the text of a field.
  private static let echoes: [(body: String, texts: [String])] = [
    (
      "json",
      [
        key.replacingOccurrences(of: "\"", with: "\\\""),
        scalars.map { String(format: "\\u%04x", $0.value) }.joined(),
        key.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "",
        Data(key.utf8).base64EncodedString(),
      ]
    ),
    (
      "xml",
      [
        xml, scalars.map { "&#\($0.value);" }.joined(), scalars.map { "&#x\(String($0.value, radix: 16));" }.joined(),
        xml.replacingOccurrences(of: "lAn", with: "l<!-- not here -->An"), "<![CDATA[\(key)]]>",
        xml.replacingOccurrences(of: "4711", with: "<![CDATA[47]]>11"),
      ]
    ),
    ("csv", ["\"" + key.replacingOccurrences(of: "\"", with: "\"\"") + "\""]),
  ]

  /// What a source answers with a field that holds a text: prices, a refusal, a failure, and what cannot be read.
  private static func answers(_ body: String, _ text: String) -> [(status: Int, body: String)] {
    switch body {
    case "xml":
      let row = "<r><id>bitcoin</id><n>\(text)</n><half>\(text)</half><p>PRICE</p></r>"
      return [
        (200, "<a>\(row.replacingOccurrences(of: "PRICE", with: "61713"))</a>"),
        (200, "<a>\(row.replacingOccurrences(of: "PRICE", with: text))</a>"), (200, "<a>\(text)<b></a>"),
        (401, "<a><error>\(text)</error></a>"), (500, text),
      ]
    case "csv":
      return [
        (200, "id,n,p\nbitcoin,\(text),61713\n"), (200, "id,n,p\nbitcoin,x,\(text)\n"),
        (200, "id,n,\(text)\n1,2,3,4,5\n"),
        (403, text), (500, text),
      ]
    default:
      return [
        (200, #"{"r":[{"id":"bitcoin","n":"\#(text)","p":"61713"}]}"#),
        (200, #"{"r":[{"id":"bitcoin","n":"x","p":"\#(text)"}]}"#), (200, #"{"r":[{"id":"\#(text)","p":"61713"}]"#),
        (401, #"{"error":"\#(text)"}"#), (404, #"{"error":"\#(text)"}"#), (500, text),
      ]
    }
  }

  /// A world in which the provider `moon` sends the key in a header.
  private static func world(_ server: LoopbackServer, _ operations: String) throws -> World {
    let world = try World()
    try world.write(
      """
      id: moon
      name: Moon
      kind: http
      base_url: \(server.url)
      key_env: MOON_KEY
      headers: { X-Key: "{key}" }
      rate_limit: 100000/1s
      \(operations)

      """, to: world.ownProvider("moon"))
    return world
  }

  @Test(arguments: ["json", "xml", "csv"])
  func `is printed, served and kept by nothing`(body: String) throws {
    let answer = Locked((status: 200, body: ""))
    let server = try LoopbackServer { _ in
      let (status, body) = answer.withLock { $0 }
      return .response(status: status, headers: [], body: Array(body.utf8))
    }
    defer { server.stop() }
    let each = body == "csv" ? "" : body == "xml" ? "each: $.a.r, " : "each: $.r, "
    let world = try Self.world(
      server,
      """
      quotes: { get: "/p", body: \(body), \(each)fields: { id: $.id, price: $.p, name: $.n } }
      coin_list: { get: "/c", body: \(body), \(each)fields: { id: $.id, symbol: $.id, name: $.n } }
      """)
    let set = "export MOON_KEY='\(Self.key.replacingOccurrences(of: "'", with: "'\\''"))';"
    let serving = try Serving(world.folder, ["-v", "-p", "moon"]) {
      try world.start(Repository.tool, $0, variables: ["MOON_KEY": Self.key], output: $1, errors: $2)
    }
    var said: [String] = []
    for (count, text) in (Self.echoes.first { $0.body == body }?.texts ?? []).enumerated() {
      for (index, one) in Self.answers(body, text).enumerated() {
        // A source that fails is asked again after a pause.
        if one.status == 500, count > 0 { continue }
        answer.withLock { $0 = one }
        let line = [
          "bitpal price bitcoin -p moon -v --refresh", "bitpal price bitcoin -p moon --format json --errors json",
          "bitpal search moon -p moon --refresh --format csv", "bitpal -p moon record ./tape\(index) -- price bitcoin",
          index == 0 ? "bitpal doctor -p moon -v" : "true",
          "curl -si '\(serving.url)/v1/price?coins=bitcoin' '\(serving.url)/api/v3/coins/list' "
            + "'\(serving.url)/coin/bitcoin' '\(serving.url)/v1/search?query=b'",
        ].joined(separator: "; ")
        let outcome = try world.run("\(set) \(line)")
        said.append(outcome.output + outcome.errors)
      }
    }
    #expect(serving.stop() == .exited(0))
    said.append(serving.errors)
    // It was sent, or there would be nothing to repeat.
    #expect(server.requests.contains { $0.header("x-key") == Self.key })
    #expect(said.contains { $0.contains("REDACTED") })
    for text in said { #expect(Self.trace(in: text) == nil, "\(text)") }
    let files = FileManager.default.enumerator(atPath: world.folder)?.compactMap { $0 as? String } ?? []
    for file in files {
      let path = world.folder + "/" + file
      guard (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) == nil else { continue }
      let content = FileManager.default.contents(atPath: path) ?? Data()
      #expect(Self.trace(in: String(decoding: content, as: UTF8.self)) == nil, "\(file)")
    }
  }

  @Test func `in two fields that a file joins makes an answer unusable`() throws {
    let server = try LoopbackServer { _ in
      .ok(json: #"[{"id":"bitcoin","a":"plAnt&<o>\"","b":"r' kEy4711","p":"61713"}]"#)
    }
    defer { server.stop() }
    let world = try Self.world(
      server,
      """
      quotes:
        get: /p
        select: SELECT value ->> '$.id' AS id, value ->> '$.p' AS price, (value ->> '$.a') || (value ->> '$.b') AS name FROM json_each(:body)
      """)
    let set = "export MOON_KEY='\(Self.key.replacingOccurrences(of: "'", with: "'\\''"))';"
    let outcome = try world.run("\(set) bitpal price bitcoin -p moon --format json -v")
    #expect(outcome.status == 6 && outcome.errors.contains("it repeats the key"), "\(outcome.errors)")
    #expect(!outcome.errors.contains("kEy4711") && !outcome.output.contains("kEy4711"))
  }

  /// Returns the form of the key that a text holds.
  private static func trace(in text: String) -> String? {
    let encoded = [
      scalars.map { "&#\($0.value);" }.joined(), scalars.map { "&#x\(String($0.value, radix: 16));" }.joined(),
      scalars.map { String(format: "\\u%04x", $0.value) }.joined(), Data(key.utf8).base64EncodedString(),
    ]
    return (parts + encoded).first { text.contains($0) }
  }
}
