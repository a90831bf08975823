import BitpalModel
import BitpalNetwork
import BitpalReplay
import Foundation
import TestSupport
import Testing

@Suite struct `Writing recordings` {
  private let folder: TemporaryFolder
  private let instant = Date(timeIntervalSince1970: 1_736_937_000)

  init() throws {
    folder = try TemporaryFolder()
  }

  private var path: String { folder.path + "/demo" }

  private func exchange(
    _ query: ProviderQuery?, status: Int = 200, type: String = "application/json", _ body: String
  ) -> CapturedExchange {
    CapturedExchange(
      request: HTTPRequest(
        url: "https://api.example.com/v3/x?ids=a,b&empty=&flag&name=%20c",
        headers: [HTTPHeader("Accept", "application/json")], query: query),
      response: HTTPResponse(
        status: status,
        headers: [
          HTTPHeader("Content-Type", type), HTTPHeader("Date", "now"), HTTPHeader("Retry-After", "60"),
          HTTPHeader("X-RateLimit-Reset", "9"), HTTPHeader("Set-Cookie", "id=1"),
        ], body: Array(body.utf8)))
  }

  private func write(_ exchanges: [CapturedExchange]) throws {
    try HARWriter.write(
      exchanges, to: path, recordedAt: instant, note: "made up", provider: "coingecko",
      command: ["price", "bitcoin"], redaction: Redaction([]))
  }

  private func text(_ name: String) throws -> String {
    try String(contentsOfFile: path + "/" + name, encoding: .utf8)
  }

  @Test func `A recording is HAR 1.2 in a fixed order, without anything that changes by itself`() throws {
    try write([exchange(.quotes(coins: ["a", "b"], currency: "usd"), #"[{"id":"a","price":1.50}]"#)])
    #expect(
      try text("recording.har")
        == """
        {
          "log": {
            "version": "1.2",
            "creator": {
              "name": "bitpal",
              "version": "\(BitpalVersion.current)"
            },
            "_bitpal": {
              "recorded_at": "2025-01-15T10:30:00Z",
              "note": "made up",
              "provider": "coingecko",
              "command": [
                "price",
                "bitcoin"
              ]
            },
            "entries": [
              {
                "startedDateTime": "2025-01-15T10:30:00Z",
                "time": 0,
                "request": {
                  "method": "GET",
                  "url": "https://api.example.com/v3/x?ids=a,b&empty=&flag&name=%20c",
                  "httpVersion": "HTTP/1.1",
                  "cookies": [],
                  "headers": [
                    { "name": "accept", "value": "application/json" }
                  ],
                  "queryString": [
                    { "name": "ids", "value": "a,b" },
                    { "name": "empty", "value": "" },
                    { "name": "flag", "value": "" },
                    { "name": "name", "value": " c" }
                  ],
                  "headersSize": -1,
                  "bodySize": 0
                },
                "response": {
                  "status": 200,
                  "statusText": "OK",
                  "httpVersion": "HTTP/1.1",
                  "cookies": [],
                  "headers": [
                    { "name": "content-type", "value": "application/json" },
                    { "name": "retry-after", "value": "60" },
                    { "name": "x-ratelimit-reset", "value": "9" }
                  ],
                  "content": { "size": 25, "mimeType": "application/json", "_file": "bodies/quotes-a-b-usd.json", \
        "_sha256": "d0ec6cb1c5e0bb8d0a45ddd4a1ab6f09c0a5b4d8a9b3a6a2f2cf2c0d7e2f7a5d" },
                  "redirectURL": "",
                  "headersSize": -1,
                  "bodySize": -1
                },
                "cache": {},
                "timings": { "send": 0, "wait": 0, "receive": 0 },
                "_bitpal": {
                  "query": {
                    "operation": "quotes",
                    "coins": [
                      "a",
                      "b"
                    ],
                    "currency": "usd"
                  }
                }
              }
            ]
          }
        }

        """.replacing(
          "d0ec6cb1c5e0bb8d0a45ddd4a1ab6f09c0a5b4d8a9b3a6a2f2cf2c0d7e2f7a5d",
          with: SHA256.hexDigest(of: Array(#"[{"id":"a","price":1.50}]"#.utf8)))
    )
    #expect(try text("bodies/quotes-a-b-usd.json") == #"[{"id":"a","price":1.50}]"#)
  }

  @Test func `A written recording is read back: questions, statuses, bodies byte for byte`() throws {
    let window = TimeWindow(ending: instant, length: .seconds(7 * 86_400))
    let exchanges = [
      exchange(.coinList, "[ 1,2 ]"), exchange(.detail(coin: "../x", currency: "usd"), #"{"a":1e-7}"#),
      exchange(.line(coin: "a", currency: "eur", window: window), "[]"),
      exchange(.candles(coin: "a", currency: "usd", window: window, width: .seconds(14_400)), "[[1,2]]"),
      exchange(.quotes(coins: ["a"], currency: "usd"), status: 429, "{}"),
      exchange(.quotes(coins: ["a"], currency: "usd"), type: "text/html", "<html>\n"),
      exchange(.quotes(coins: ["a"], currency: "usd"), "[1,"), exchange(nil, "\u{1}\0 noise"),
    ]
    try write(exchanges)
    let recording = try HARReader.open(path)
    #expect(recording.exchanges.map(\.query) == exchanges.map(\.query))
    #expect(recording.exchanges.map(\.status) == exchanges.map(\.response.status))
    #expect(try recording.exchanges.map { try recording.response(of: $0).body } == exchanges.map(\.response.body))
    #expect(recording.head.provider == "coingecko" && recording.head.command == ["price", "bitcoin"])
    #expect(recording.head.recordedAt == instant && recording.head.note == "made up")
    #expect(try HARReader.head(path) == recording.head)
  }

  @Test func `Equal bodies are one file, others of the same name are numbered`() throws {
    let query = ProviderQuery.quotes(coins: ["a"], currency: "usd")
    try write([exchange(query, "[1]"), exchange(query, "[2]"), exchange(query, "[1]")])
    let files = try FileManager.default.contentsOfDirectory(atPath: path + "/bodies").sorted()
    #expect(files == ["quotes-a-usd-2.json", "quotes-a-usd.json"])
  }

  @Test func `A folder is replaced whole, and what else is in it stays`() throws {
    try write([exchange(.coinList, "[1]")])
    try folder.write("about it", to: "demo/README.md")
    try write([exchange(.detail(coin: "a", currency: "usd"), "{}")])
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: path).sorted() == ["README.md", "bodies", "recording.har"])
    #expect(try FileManager.default.contentsOfDirectory(atPath: path + "/bodies") == ["detail-a.json"])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["demo"])
  }

  @Test func `A link to a recording stays a link, and what else is in the folder stays there`() throws {
    try folder.write("about it", to: "far/real/README.md")
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "far/real")
    try write([exchange(.coinList, "[1]")])
    try write([exchange(.detail(coin: "a", currency: "usd"), "{}")])
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == "far/real")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path + "/far/real").sorted()
        == ["README.md", "bodies", "recording.har"])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["demo", "far"])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/far") == ["real"])
  }

  @Test func `Leftovers of killed processes are removed, other files are kept`() throws {
    // No process has the first number; the second is always there.
    for name in [".demo.99999999.tmp", ".demo.1.tmp", ".demo.x.tmp", ".other.99999999.tmp"] {
      try folder.write("{}", to: name + "/recording.har")
      try folder.write("[]", to: name + "/bodies/b.json")
      try folder.write(name, to: name + "/notes.txt")
    }
    try folder.write("{}", to: ".bare.99999999.tmp/recording.har")
    HARWriter.removeDrafts(of: folder.path + "/bare")
    try write([exchange(nil, "1")])
    try write([exchange(nil, "2")])
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == [
        ".demo.1.tmp", ".demo.x.tmp", ".other.99999999.tmp", "demo",
      ])
    #expect(try text("notes.txt") == ".demo.99999999.tmp")
  }

  @Test func `A place that cannot be written to is named, and nothing is left behind`() throws {
    try folder.write("", to: "file")
    #expect(throws: BitpalError.dataFile(path: folder.path + "/file/demo", reason: "its folder cannot be made")) {
      try HARWriter.write(
        [exchange(.coinList, "[1]")], to: folder.path + "/file/demo", recordedAt: instant, redaction: Redaction([]))
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["file"])
  }

  @Test func `A place is free, a recording, or something else`() throws {
    try write([exchange(.coinList, "[1]")])
    try folder.write("", to: "other/file")
    try FileManager.default.createDirectory(atPath: folder.path + "/empty", withIntermediateDirectories: false)
    try FileManager.default.createSymbolicLink(atPath: folder.path + "/link", withDestinationPath: "demo")
    try FileManager.default.createSymbolicLink(atPath: folder.path + "/lost", withDestinationPath: "gone")
    let names = ["demo", "none", "empty", "other", "other/file", "link", "lost"]
    #expect(
      names.map { HARWriter.place(folder.path + "/" + $0) }
        == [.recording, .free, .free, .other, .other, .recording, .other])
  }

  @Test func `A request for a question that another version asked otherwise is answered with what was recorded for it`()
    throws
  {
    func request(_ url: String, _ query: ProviderQuery?) -> HTTPRequest { HTTPRequest(url: url, query: query) }
    let query = ProviderQuery.detail(coin: "a", currency: "usd")
    try HARWriter.write(
      [
        CapturedExchange(
          request: request("https://h/coins/a", query), response: HTTPResponse(status: 200, body: Array("1".utf8)))
      ], to: path, recordedAt: instant, redaction: Redaction([]))
    var playback = Playback(try HARReader.open(path))
    func number(_ request: HTTPRequest) throws -> Int { try playback.exchange(for: request).number }
    let others: [HTTPRequest] = [
      request("https://h/market?ids=a", nil), request("https://h/market?ids=a", .coinList),
      request("https://other/market?ids=a", query),
    ]
    for other in others { #expect(throws: ReplayMiss.self) { try number(other) } }
    #expect(try number(request("https://h/market?ids=a", query)) == 1)
    #expect(throws: ReplayMiss.self) { try number(request("https://h/market?ids=a", query)) }
  }

  @Test func `A sent body is written in HAR without a key, and identifies the request`() throws {
    func captured(_ sent: String, _ answer: String, page: Int = 1) -> CapturedExchange {
      var request = HTTPRequest(
        url: "https://api.example.com/q", headers: [HTTPHeader("content-type", "application/json")],
        body: Array(sent.utf8), query: .coinList)
      request.page = page
      return CapturedExchange(request: request, response: HTTPResponse(status: 200, body: Array(answer.utf8)))
    }
    let exchanges = [
      captured(#"{"ids":["a"],"note":"hush-hush"}"#, "1"), captured(#"{"ids":["b"]}"#, "2", page: 2),
      exchange(nil, "3"),
    ]
    try HARWriter.write(exchanges, to: path, recordedAt: instant, redaction: Redaction([Secret("hush-hush")]))
    let har = try text("recording.har")
    #expect(har.contains(#""method": "POST""#) && har.contains(#""page": 2"#) && !har.contains("hush-hush"))
    #expect(har.contains(#""mimeType": "application/json","#))
    #expect(har.contains(#""text": "{\"ids\":[\"a\"],\"note\":\"REDACTED\"}""#))
    #expect(har.contains("\"bodySize\": 13"))
    let recording = try HARReader.open(path)
    #expect(recording.exchanges.map(\.method) == ["POST", "POST", "GET"])
    #expect(recording.exchanges.map(\.page) == [1, 2, 1])
    var playback = Playback(recording)
    // Another layout and another order of members ask the same.
    #expect(try playback.exchange(for: captured(#"{ "ids": ["b"] }"#, "").request).number == 2)
    let miss = #expect(throws: ReplayMiss.self) {
      var playback = playback
      return try playback.exchange(for: captured(#"{"ids":["c"]}"#, "").request)
    }
    #expect(miss?.description.contains("has no answer to POST https://api.example.com/q") == true)
    #expect(miss?.differences == ["the body is another"])
    let get = #expect(throws: ReplayMiss.self) {
      var playback = playback
      return try playback.exchange(for: HTTPRequest(url: "https://api.example.com/q"))
    }
    #expect(get?.differences == ["the method is GET, not POST", "the body is another"])
  }
}
