import BitpalModel
import BitpalNetwork
import BitpalReplay
import Foundation
import TestSupport
import Testing

@Suite struct `Adding to a recording, and changing it by hand` {
  private let folder: TemporaryFolder
  private let first = Date(timeIntervalSince1970: 1_736_937_000)
  private let later = Date(timeIntervalSince1970: 1_736_937_600)
  private let quotes = ProviderQuery.quotes(coins: ["a"], currency: "usd")

  init() throws {
    folder = try TemporaryFolder()
  }

  private var path: String { folder.path + "/demo" }

  private func exchange(_ query: ProviderQuery, _ body: String, provider: String = "coingecko") -> CapturedExchange {
    CapturedExchange(
      request: HTTPRequest(url: "https://api.example.com/x", query: query),
      response: HTTPResponse(
        status: 200, headers: [HTTPHeader("Content-Type", "application/json")], body: Array(body.utf8)),
      provider: provider)
  }

  private func append(
    _ exchanges: [CapturedExchange], at instant: Date, command: [String], redaction: Redaction = Redaction([])
  ) throws -> Int {
    try HARWriter.append(
      exchanges, to: path, recordedAt: instant, provider: exchanges.first?.provider, command: command,
      redaction: redaction)
  }

  private func text(_ name: String) throws -> String { try String(contentsOfFile: path + "/" + name, encoding: .utf8) }

  private func bodies(_ recording: Recording) throws -> [String] {
    try recording.exchanges.map { String(decoding: try recording.response(of: $0).body, as: UTF8.self) }
  }

  @Test func `The first addition makes the recording, later ones keep what is there to the byte`() throws {
    #expect(try append([exchange(quotes, "[1]")], at: first, command: ["price", "a"]) == 1)
    let before = try text("recording.har")
    try folder.write("about it", to: "demo/README.md")
    let second = [exchange(.coinList, "[2]"), exchange(quotes, "[3]", provider: "kraken"), exchange(quotes, "[1]")]
    #expect(try append(second, at: later, command: ["chart", "a b"]) == 4)
    #expect(try append([exchange(.coinList, "[4]")], at: first, command: ["search", "x"]) == 5)
    let recording = try HARReader.open(path)
    #expect(try bodies(recording) == ["[1]", "[2]", "[3]", "[1]", "[4]"])
    #expect(recording.exchanges.map(\.query) == [quotes, .coinList, quotes, quotes, .coinList])
    #expect(recording.exchanges.map(\.provider) == [nil, nil, "kraken", nil, nil])
    #expect(
      recording.head.command == ["price", "a"] && recording.head.appended == [["chart", "a b"], ["search", "x"]])
    // The clock stands at the latest of them.
    #expect(recording.head.recordedAt == later && recording.head.provider == "coingecko")
    let entry = try #require(before.firstRange(of: "      {\n        \"startedDateTime\""))
    let end = try #require(before.firstRange(of: "\n    ]\n  }\n}\n"))
    #expect(try text("recording.har").contains(before[entry.lowerBound..<end.lowerBound] + ",\n      {\n"))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: path + "/bodies").sorted() == [
        "coin-list-2.json", "coin-list.json", "quotes-a-usd-2.json", "quotes-a-usd.json",
      ])
    #expect(try text("README.md") == "about it")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["demo"])
  }

  @Test func `An added exchange contains no key`() throws {
    _ = try append([exchange(quotes, "[1]")], at: first, command: ["price", "a"])
    _ = try append(
      [exchange(quotes, #"["canary-1"]"#)], at: later, command: ["price", "canary-1"],
      redaction: Redaction([Secret("canary-1")]))
    #expect(try !text("recording.har").contains("canary") && !text("bodies/quotes-a-usd-2.json").contains("canary"))
  }

  @Test func `Twenty that add at once lose nothing`() async throws {
    _ = try append([exchange(quotes, "[0]")], at: first, command: ["price", "a"])
    try await withThrowingTaskGroup { group in
      for number in 1...20 {
        group.addTask {
          _ = try append([exchange(quotes, "[\(number)]")], at: later, command: ["price", "\(number)"])
        }
      }
      try await group.waitForAll()
    }
    #expect(try Set(bodies(HARReader.open(path))) == Set((0...20).map { "[\($0)]" }))
    #expect(try HARReader.head(path).appended.count == 20)
  }

  @Test func `A damaged recording is not added to`() throws {
    try folder.write(#"{"log":{"version":"1.2","entries":[{]}}"#, to: "demo/recording.har")
    #expect(throws: BitpalError.self) { try append([exchange(quotes, "[1]")], at: first, command: ["price"]) }
    #expect(try text("recording.har") == #"{"log":{"version":"1.2","entries":[{]}}"#)
  }

  @Test func `A body changed by hand is refused, and counts when it is accepted`() throws {
    _ = try append(
      [exchange(quotes, #"[{"price":1}]"#), exchange(.coinList, "[2]"), exchange(quotes, #"[{"price":1}]"#)], at: first,
      command: ["price", "a"])
    #expect(try BodyAcceptance.accept(path).isEmpty)
    let before = try text("recording.har")
    try folder.write(#"[{"price":100.50}]"#, to: "demo/bodies/quotes-a-usd.json")
    let damage = #expect(throws: BitpalError.self) { try bodies(try HARReader.open(path)) }
    #expect(damage?.description.hasSuffix("if you changed it: bitpal record \(path) --accept") == true)
    let changes = try BodyAcceptance.accept(path)
    #expect(changes.map(\.file) == ["bodies/quotes-a-usd.json"] && changes.map(\.entries) == [[1, 3]])
    #expect(changes.map(\.isReadable) == [true])
    #expect(try bodies(try HARReader.open(path)) == [#"[{"price":100.50}]"#, "[2]", #"[{"price":100.50}]"#])
    // Only size and checksum of the two entries are others.
    let lines = zip(before.split(separator: "\n"), try text("recording.har").split(separator: "\n"))
    let changed = lines.filter { $0 != $1 }
    #expect(changed.count == 2 && changed.allSatisfy { $0.0.contains(#""size": 13"#) && $0.1.contains(#""size": 18"#) })
    #expect(try BodyAcceptance.accept(path).isEmpty)
  }

  @Test func `A body that is not JSON any more is kept unchanged, and reported`() throws {
    _ = try append([exchange(quotes, "[1]")], at: first, command: ["price", "a"])
    try folder.write("[1, oops\n", to: "demo/bodies/quotes-a-usd.json")
    #expect(try BodyAcceptance.accept(path).map(\.isReadable) == [false])
    #expect(try bodies(try HARReader.open(path)) == ["[1, oops\n"])
  }

  @Test func `A body that is gone is an error, and nothing is taken over`() throws {
    _ = try append([exchange(quotes, "[1]"), exchange(.coinList, "[2]")], at: first, command: ["price", "a"])
    let before = try text("recording.har")
    try folder.write("[3]", to: "demo/bodies/quotes-a-usd.json")
    try FileManager.default.removeItem(atPath: path + "/bodies/coin-list.json")
    #expect(throws: BitpalError.self) { try BodyAcceptance.accept(path) }
    #expect(try text("recording.har") == before)
  }
}
