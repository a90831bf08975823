import BitpalModel
import BitpalNetwork
import BitpalReplay
import FoundationEssentials
import Glibc
import TestSupport
import Testing

@Suite struct `Reading recordings` {
  private func har(
    _ entries: String, log: String = #""_bitpal":{"recorded_at":"2025-01-15T10:30:00Z","note":"made up"},"#
  ) -> String {
    #"{"log":{"version":"1.2","creator":{"name":"t","version":"1"},\#(log)"entries":[\#(entries)]}}"#
  }

  private func entry(content: String, query: String? = #"{"operation":"coin_list"}"#) -> String {
    let own = query.map { #","_bitpal":{"query":\#($0)}"# } ?? ""
    return """
      {"startedDateTime":"2025-01-15T10:29:00.500Z","time":0,"request":{"method":"GET","url":"https://api.example.com/list"},\
      "response":{"status":200,"headers":[{"name":"Content-Type","value":"application/json"}],"content":\(content)}\(own)}
      """
  }

  private func open(_ har: String, in folder: TemporaryFolder) throws -> Recording {
    try folder.write(har, to: "r/recording.har")
    return try HARReader.open(folder.path + "/r")
  }

  private func damage(_ body: () throws -> Void) -> String {
    do {
      try body()
      return "no error"
    } catch let error as BitpalError {
      guard case .recordingDamaged(_, let entry, let reason) = error else { return "\(error)" }
      return "\(entry.map(String.init) ?? "-"): \(reason)"
    } catch {
      return "\(error)"
    }
  }

  @Test func `An entry gives request, response and question`() throws {
    let folder = try TemporaryFolder()
    let window =
      #"{"operation":"candles","coin":"bitcoin","currency":"usd","from":"2025-01-08T10:30:00Z","to":"2025-01-15T10:30:00Z","width":"4h"}"#
    let recording = try open(
      har(
        entry(
          content: #"{"text":"[1]"}"#,
          query: #"{"operation":"quotes","coins":["bitcoin","1move token"],"currency":"usd"}"#)
          + "," + entry(content: #"{"text":"WzJd","encoding":"base64"}"#, query: window)
          + "," + entry(content: #"{"text":"[3]"}"#, query: nil)), in: folder)
    #expect(recording.head.recordedAt.iso8601 == "2025-01-15T10:30:00Z")
    #expect(recording.head.note == "made up" && recording.head.name == "r")
    #expect(recording.exchanges.map(\.number) == [1, 2, 3])
    #expect(recording.exchanges[0].startedAt?.iso8601 == "2025-01-15T10:29:00.500Z")
    #expect(recording.exchanges[0].query == .quotes(coins: ["bitcoin", "1move token"], currency: "usd"))
    let end = try #require(Date(utcText: "2025-01-15T10:30:00Z"))
    #expect(
      recording.exchanges[1].query
        == .candles(
          coin: "bitcoin", currency: "usd", window: TimeWindow(ending: end, length: .seconds(7 * 86_400)),
          width: .seconds(14_400)))
    #expect(recording.exchanges[2].query == nil)
    let responses = try recording.exchanges.map { try recording.response(of: $0) }
    #expect(responses.map { String(decoding: $0.body, as: UTF8.self) } == ["[1]", "[2]", "[3]"])
    #expect(responses[0].headers == [HTTPHeader("Content-Type", "application/json")])
  }

  @Test func `A body beside the recording comes back byte for byte`() throws {
    let folder = try TemporaryFolder()
    let json = #"{"price":42992.0}"#
    let page = "<html> two  spaces </html>\n"
    try folder.write(json, to: "r/bodies/a.json")
    try folder.write(page, to: "r/bodies/b.html")
    let recording = try open(
      har(
        [("a.json", json), ("b.html", page)].map { name, text in
          entry(content: #"{"_file":"bodies/\#(name)","_sha256":"\#(SHA256.hexDigest(of: Array(text.utf8)))"}"#)
        }.joined(separator: ",")), in: folder)
    #expect(
      try recording.exchanges.map { try recording.response(of: $0).body } == [Array(json.utf8), Array(page.utf8)])
  }

  @Test(arguments: [
    "../../etc/passwd", "/etc/passwd", "bodies/../../x", "bodies//x", "./x", "bodies\\x", "",
  ])
  func `A body's name cannot leave the folder`(name: String) throws {
    let folder = try TemporaryFolder()
    let escaped = name.replacing("\\", with: "\\\\")
    let recording = try open(har(entry(content: #"{"_file":"\#(escaped)"}"#)), in: folder)
    #expect(
      damage { _ = try recording.response(of: recording.exchanges[0]) }
        == "1: the body's name \"\(name)\" is not a plain name inside the recording")
  }

  @Test func `A link may not lead out of the folder`() throws {
    let folder = try TemporaryFolder()
    try folder.write("secret", to: "outside.txt")
    try folder.write("", to: "r/bodies/inside.txt")
    symlink(folder.path + "/outside.txt", folder.path + "/r/bodies/link")
    let recording = try open(har(entry(content: #"{"_file":"bodies/link"}"#)), in: folder)
    #expect(
      damage { _ = try recording.response(of: recording.exchanges[0]) }
        == "1: the body bodies/link is a link that leads out of the recording")
  }

  @Test func `A changed or missing body is noticed`() throws {
    let folder = try TemporaryFolder()
    try folder.write("[2]", to: "r/bodies/a.json")
    let recording = try open(
      har(
        entry(content: #"{"_file":"bodies/a.json","_sha256":"\#(SHA256.hexDigest(of: Array("[1]".utf8)))"}"#) + ","
          + entry(content: #"{"_file":"bodies/none.json"}"#)), in: folder)
    #expect(
      damage { _ = try recording.response(of: recording.exchanges[0]) }
        == "1: the body bodies/a.json is not the one that was recorded (its SHA-256 differs); if you changed it: bitpal record \(folder.path)/r --accept"
    )
    #expect(
      damage { _ = try recording.response(of: recording.exchanges[1]) } == "2: the body bodies/none.json is missing")
  }

  @Test func `A file that is not a recording is refused with the reason`() throws {
    let folder = try TemporaryFolder()
    #expect(damage { _ = try HARReader.open(folder.path + "/none") } == "-: cannot be read: No such file or directory")
    #expect(damage { _ = try open("<html>", in: folder) } == "-: is not JSON (it starts with <html>)")
    #expect(damage { _ = try open(#"{"log":{"#, in: folder) } == "-: is not JSON (it starts with {\"log\":{)")
    #expect(damage { _ = try open("{}", in: folder) } == "-: has no log.entries: it is not a HAR file")
    #expect(
      damage { _ = try open(#"{"log":{"version":"2.0","entries":[]}}"#, in: folder) }
        == "-: is HAR version 2.0; versions 1.x can be read")
    #expect(damage { _ = try open(har("", log: ""), in: folder) } == "-: says nowhere when it was recorded")
    #expect(damage { _ = try open(har("{}"), in: folder) } == "1: has no request")
    #expect(
      damage { _ = try open(har(entry(content: "{}", query: #"{"operation":"dance"}"#)), in: folder) }
        == "1: has a query that this version does not know: {\"operation\":\"dance\"}")
    let deep = String(repeating: "[", count: 100_000)
    #expect(damage { _ = try open(har(deep), in: folder) } == "1: is not JSON")
  }

  @Test(
    arguments: [
      ("[1]", "has no request"), ("{} {}", "is not JSON"), ("{},", "is not JSON"), (",{}", "is not JSON"),
      ("{\"a\":}", "is not JSON"), ("{\"a\":\"}", "is not JSON"), ("[}", "is not JSON"), ("nothing", "is not JSON"),
    ])
  func `Each entry must be JSON, and what stands between two`(entries: String, reason: String) throws {
    let folder = try TemporaryFolder()
    let said = damage { _ = try open(har(entries), in: folder) }
    #expect(said.hasSuffix(": \(reason)") || said.contains(": \(reason) (it starts with"), "\(said)")
  }

  @Test func `Members are separated in any order, with space and braces in texts`() throws {
    let folder = try TemporaryFolder()
    let first = entry(content: #"{"text":"]}\\\" ,{[","comment":"log"}"#)
    let recording = try open(
      """
      { "comment" : "\\"log\\": {", "log" : { "pages": [{"entries": [1]}], "version":"1.2",
        "entries" : [ \(first) ,
         \(entry(content: #"{"text":"[2]"}"#)) ] , "creator": {} } }
      """, in: folder)
    #expect(
      try recording.exchanges.map { String(decoding: try recording.response(of: $0).body, as: UTF8.self) }
        == ["]}\\\" ,{[", "[2]"])
  }

  @Test func `More than a browser writes is refused before it is parsed`() throws {
    let folder = try TemporaryFolder()
    let values = String(repeating: "0,", count: 600_000)
    #expect(
      damage { _ = try open(har("{\"a\":[\(values)0]}"), in: folder) }
        == "1: has more than 16 MiB or 500000 values, the most read")
    #expect(
      damage {
        _ = try open(har(entry(content: "{\"text\":\"\(String(repeating: "x", count: 17 << 20))\"}")), in: folder)
      }
        == "1: has more than 16 MiB or 500000 values, the most read")
    #expect(
      damage { _ = try open(har(String(repeating: "{},", count: 100_001) + "{}"), in: folder) }
        == "-: has more than 100000 entries, the most that are read")
    #expect(
      damage { _ = try open(har("", log: "\"x\":[\(values)0],"), in: folder) }
        == "-: has more than 1 MiB around log.entries")
  }

  @Test func `Without a stamp of its own a recording stands at its last exchange`() throws {
    let folder = try TemporaryFolder()
    let recording = try open(har(entry(content: #"{"text":"[1]"}"#), log: ""), in: folder)
    #expect(try HARReader.head(folder.path + "/r") == recording.head)
    #expect(recording.head.recordedAt.iso8601 == "2025-01-15T10:29:00.500Z")
  }
}
