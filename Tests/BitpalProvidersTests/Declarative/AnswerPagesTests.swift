import BitpalModel
import BitpalNetwork
import BitpalProviders
import BitpalReplay
import BitpalTesting
import FoundationEssentials
import ProviderFiles
import TestSupport
import Testing

@Suite struct `Answers of several pages` {
  /// Answers by what follows the host, and a POST by what it sends.
  private struct Book: Transport {
    let pages: [String: String]
    let requests = Notes<HTTPRequest>()

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
      requests.add(request)
      let asked = request.url.dropFirst(23) + String(decoding: request.body ?? [], as: UTF8.self)
      guard let body = pages[String(asked)] else { return HTTPResponse(status: 404) }
      return HTTPResponse(status: 200, body: Array(body.utf8))
    }
  }

  private static let list = """
    coin_list:
      get: /all?page=1
      next: $.next
      each: $.rows
      fields: { id: $.i, symbol: $.i, name: $.i }
    """

  private static func page(_ coins: String..., next: String) -> String {
    let rows = coins.map { #"{"i":"\#($0)","p":1}"# }.joined(separator: ",")
    return #"{"rows":[\#(rows)],"next":\#(next)}"#
  }

  private func provider(_ text: String, _ book: Book) throws -> DialectProvider {
    DialectProvider(dialect: try Declared(text).dialect(), transport: book, time: ManualTime())
  }

  private func coins(_ book: Book, _ text: String = list) async throws -> [String] {
    try await provider(text, book).coinList().value.map(\.id)
  }

  private func failure(_ pages: [String: String], _ text: String = list) async -> String {
    do {
      _ = try await coins(Book(pages: pages), text)
      return "no complaint"
    } catch {
      let words = (error as? BitpalError)?.message ?? "\(error)"
      return String(words.prefix { $0 != "(" })
    }
  }

  @Test func `are followed in XML as in JSON`() async throws {
    let list = """
      coin_list:
        get: /all?page=1
        body: xml
        next: $.all.@next
        each: $.all.coin
        fields: { id: $.@i, symbol: $.@i, name: $.@i }
      """
    let book = Book(pages: [
      "/v1/all?page=1": "<all next='/v1/all?page=2'><coin i='a'/><coin i='b'/></all>",
      "/v1/all?page=2": "<all><coin i='c'/></all>",
    ])
    #expect(try await coins(book, list) == ["a", "b", "c"])
  }

  @Test(arguments: [
    #""https://api.example.com/v1/all?page=2""#, #""/v1/all?page=2""#, #""?page=2""#, #""all?page=2""#,
    #""//api.example.com:443/v1/all?page=2#top""#,
  ])
  func `are joined, whether the next address is complete or relative`(next: String) async throws {
    let second = "/v1/all?page=2"
    let book = Book(pages: [
      "/v1/all?page=1": Self.page("a", "b", next: next), second: Self.page("b", "c", next: "null"),
      ":443" + second: Self.page("c", next: "null"),
    ])
    #expect(try await coins(book) == ["a", "b", "c"])
    #expect(book.requests.all.map(\.page) == [1, 2])
    #expect(book.requests.all.allSatisfy { $0.query == .coinList })
  }

  @Test func `may be asked for by a cursor, in a query or in what is sent`() async throws {
    let get = Self.list.replacing("/all?page=1", with: "/all?after={cursor}")
    let book = Book(pages: [
      "/v1/all?after=": Self.page("a", next: #""x y""#), "/v1/all?after=x%20y": Self.page("b", next: "7"),
      "/v1/all?after=7": Self.page(next: #""""#),
    ])
    #expect(try await coins(book, get) == ["a", "b"])
    let post = Self.list.replacing(
      "get: /all?page=1", with: "post: /all\n  send: { after: {cursor}, text: \"{cursor}\" }")
    let sent = Book(pages: [
      #"/v1/all{"after":null,"text":""}"#: Self.page("a", next: #""x\"y""#),
      #"/v1/all{"after":"x\"y","text":"x\"y"}"#: Self.page("b", next: "2"),
      #"/v1/all{"after":2,"text":"2"}"#: Self.page("c", next: "false"),
    ])
    #expect(try await coins(sent, post) == ["a", "b", "c"])
  }

  @Test(arguments: [
    (#""https://evil.example/v1/all""#, "which is not of https://api.example.com "),
    (#""http://api.example.com/v1/all""#, "which is not of https://api.example.com "),
    (#""//evil.example/all""#, "which is not of https://api.example.com "),
    (#""https://api.example.com@evil.example/""#, "which is not of https://api.example.com "),
    (#""https://me@api.example.com/""#, "which is not of https://api.example.com "),
    (#""https://api.example.com:444/""#, "which is not of https://api.example.com "),
    (#""../../etc""#, "which contains . or .. "),
    (#""/a b""#, "which is not a URL; with {cursor} in get: or send: it need not be one "),
    (#""/\\evil.example""#, "which is not a URL; with {cursor} in get: or send: it need not be one "),
    ("[1]", "which is not a URL; with {cursor} in get: or send: it need not be one "),
  ])
  func `that point elsewhere are an error, and nothing is asked there`(next: String, why: String) async throws {
    let pages = ["/v1/all?page=1": Self.page("a", next: next)]
    #expect(await failure(pages).hasSuffix(", " + why))
    let book = Book(pages: pages)
    _ = try? await coins(book)
    #expect(book.requests.all.count == 1)
  }

  @Test func `that point to themselves or to one before are an error`() async {
    let itself = ["/v1/all?page=1": Self.page("a", next: #""?page=1""#)]
    #expect(
      await failure(itself)
        == "mine sent an answer that cannot be read: its page 1 says that the next is ?page=1, which it was before ")
    let circle = [
      "/v1/all?page=1": Self.page("a", next: #""?page=2""#), "/v1/all?page=2": Self.page("b", next: #""?page=1""#),
    ]
    #expect(await failure(circle).contains("its page 2 says that the next is ?page=1, which it was before"))
    let cursor = Self.list.replacing("/all?page=1", with: "/all?after={cursor}")
    let same = ["/v1/all?after=": Self.page("a", next: "1"), "/v1/all?after=1": Self.page("b", next: "1")]
    #expect(await failure(same, cursor).contains("its page 2 says that the next is 1, which it was before"))
  }

  @Test func `are at most twenty`() async throws {
    var pages: [String: String] = [:]
    for page in 1...20 { pages["/v1/all?page=\(page)"] = Self.page("c\(page)", next: #""?page=\#(page + 1)""#) }
    #expect(await failure(pages) == "mine sent an answer that cannot be read: it has more than 20 pages ")
    pages["/v1/all?page=20"] = Self.page("c20", next: "null")
    #expect(try await coins(Book(pages: pages)).count == 20)
  }

  @Test func `fail as a whole when one of them does`() async {
    let pages = ["/v1/all?page=1": Self.page("a", next: #""?page=2""#)]
    #expect(await failure(pages).hasPrefix("mine answered with HTTP 404"))
  }

  // MARK: Counted pages

  private static func counted(_ get: String = "/all?page={page}", rows: String = "each: $.rows") -> String {
    let fields = "{ id: $.i, symbol: $.i, name: $.i }"
    let select = "select: SELECT value->>'$.i' AS id, value->>'$.i' AS symbol, value->>'$.i' AS name FROM "
    return "coin_list:\n  get: \(get)\n  next: count\n  limit: 2\n  "
      + (rows.isEmpty
        ? select + "json_each(:body, '$.rows') WHERE value->>'$.i' <> 'x'" : "\(rows)\n  fields: \(fields)")
  }

  @Test func `may be counted, by number or by rows, up to one with fewer rows`() async throws {
    let book = Book(pages: [
      "/v1/all?page=1": Self.page("a", "b", next: "1"), "/v1/all?page=2": Self.page("c", "d", next: "1"),
      "/v1/all?page=3": Self.page("e", next: "1"),
    ])
    #expect(try await coins(book, Self.counted()) == ["a", "b", "c", "d", "e"])
    #expect(book.requests.all.map(\.page) == [1, 2, 3])
    let offset = Book(pages: [
      "/v1/all?start=0": Self.page("a", "b", next: "1"), "/v1/all?start=2": Self.page("c", next: "1"),
    ])
    #expect(try await coins(offset, Self.counted("/all?start={offset}")) == ["a", "b", "c"])
    let sent = Book(pages: [
      #"/v1/all{"page":1}"#: Self.page("a", "b", next: "1"), #"/v1/all{"page":2}"#: Self.page("c", next: "1"),
    ])
    let post = Self.counted().replacing("get: /all?page={page}", with: "post: /all\n  send: { page: {page} }")
    #expect(try await coins(sent, post) == ["a", "b", "c"])
  }

  @Test(arguments: [
    [], [Self.page(next: "1")], [""], [Self.page("c", "d", next: "1")],
  ])
  func `that are counted end behind the last full one, whatever the source says there`(behind: [String]) async throws {
    var pages = ["/v1/all?page=1": Self.page("a", "b", next: "1"), "/v1/all?page=2": Self.page("c", "d", next: "1")]
    pages["/v1/all?page=3"] = behind.first
    #expect(try await coins(Book(pages: pages), Self.counted()) == ["a", "b", "c", "d"])
  }

  @Test func `that a SELECT reads end with an empty page, because a SELECT may leave out rows of a full one`()
    async throws
  {
    let book = Book(pages: [
      "/v1/all?page=1": Self.page("a", "x", next: "1"), "/v1/all?page=2": Self.page("b", next: "1"),
      "/v1/all?page=3": Self.page(next: "1"),
    ])
    #expect(try await coins(book, Self.counted(rows: "")) == ["a", "b"])
  }

  @Test func `that are not counted by their source are an error`() async {
    let same = Self.page("a", "b", next: "1")
    #expect(
      await failure(["/v1/all?page=1": same, "/v1/all?page=2": same], Self.counted())
        == "mine sent an answer that cannot be read: its second page is the first again, so it does not count pages ")
    var pages: [String: String] = [:]
    for page in 1...21 { pages["/v1/all?page=\(page)"] = Self.page("a\(page)", "b\(page)", next: "1") }
    #expect(await failure(pages, Self.counted()).contains("it has more than 20 pages"))
    pages = ["/v1/all?page=1": same, "/v1/all?page=2": #"{"rows":7}"#]
    #expect(await failure(pages, Self.counted()).contains("cannot be read"))
  }

  @Test func `that are counted need a place for the count and the rows of a full page`() throws {
    #expect(
      try Declared(Self.counted("/all")).complaint.contains(
        "with next: count, coin_list.get must hold {page} (1, 2, …) or {offset} (0, and then by limit)"))
    #expect(
      try Declared(Self.counted().replacing("  limit: 2\n", with: "")).complaint.contains(
        "next: count needs limit, the number of rows of a full page"))
    #expect(
      try Declared(Self.counted("/all").replacing("  next: count\n", with: "")).complaint.contains(
        "limit is for pages that are counted here; write next: count beside it"))
    #expect(
      try Declared(Self.list.replacing("page=1", with: "page={page}")).complaint.contains("{page} has no meaning here"))
  }

  private static let quotes = """
    quotes:
      get: /q?page=1&ids={ids}
      batch: 9
      next: $.next
      each: $.rows
      fields: { id: $.i, price: $.p }
    """

  @Test func `of quotes end where every coin has its price`() async throws {
    let book = Book(pages: [
      "/v1/q?page=1&ids=a,b": Self.page("a", next: #""/v1/q2""#), "/v1/q2": Self.page("b", next: #""/v1/q3""#),
      "/v1/q3": Self.page("c", next: #""/v1/q4""#),
    ])
    let answer = try await provider(Self.quotes, book).quotes(["a", "b"], currency: "usd").value
    #expect(answer.coins.keys.sorted() == ["a", "b"] && answer.failures.isEmpty)
    #expect(book.requests.all.count == 2)
  }

  @Test func `of quotes keep what came when a later one fails`() async throws {
    let book = Book(pages: ["/v1/q?page=1&ids=a,b": Self.page("a", next: #""/v1/q2""#)])
    let answer = try await provider(Self.quotes, book).quotes(["a", "b"], currency: "usd").value
    #expect(answer.coins.keys.sorted() == ["a"])
    #expect(answer.failures == ["b": .notFound(coin: "b", provider: "mine")])
  }

  @Test(arguments: [
    // Backwards, as most do; forwards; and one page that has it all.
    (["[[1736936000,3]]", "[[1736850600,2],[1736850500,1]]", "[[1736850400,1]]"], 2),
    (["[[1736850600,1]]", "[[1736936000,2],[1736937000,3]]", "[[1736938000,4]]"], 2),
    (["[[1736850600,1],[1736937000,3]]", "[[1736850500,1]]"], 1),
  ])
  func `of a series end where the window is covered`(rows: [String], count: Int) async throws {
    let text = """
      line:
        get: /l?page={cursor}
        next: $.next
        time: seconds
        each: $.rows
        fields: { time: "$[0]", price: "$[1]" }
      """
    var pages: [String: String] = [:]
    for (index, row) in rows.enumerated() {
      pages["/v1/l?page=\(index == 0 ? "" : "\(index)")"] = #"{"rows":\#(row),"next":\#(index + 1)}"#
    }
    let book = Book(pages: pages)
    let query = ProviderQuery.line(coin: "a", currency: "usd", window: Declared.window(.seconds(86_400)))
    _ = try await provider(text, book).answer(to: query)
    #expect(book.requests.all.count == count)
  }

  @Test func `of a line are in order, whichever comes first`() async throws {
    let text = """
      line:
        get: /l
        next: $.next
        time: seconds
        each: $.rows
        fields: { time: "$[0]", price: "$[1]" }
      """
    let book = Book(pages: [
      "/v1/l": #"{"rows":[[1736936000,3],[1736935000,2]],"next":"/v1/m"}"#,
      "/v1/m": #"{"rows":[[1736934000,1],[1736935000,9]],"next":"/v1/n"}"#, "/v1/n": #"{"rows":[]}"#,
    ])
    let query = ProviderQuery.line(coin: "a", currency: "usd", window: Declared.window(.seconds(86_400)))
    let series: LineSeries = try await provider(text, book).value(query)
    #expect(series.points.count == 3)
    #expect(series.points.map(\.timestamp) == series.points.map(\.timestamp).sorted())
  }

  @Test func `keep the key out of what is shown, and on the wire`() throws {
    let text = "key_env: MINE\n" + Self.list.replacing("/all?page=1", with: "/all?page=1&apikey={key}")
    let dialect = try DeclarativeDialect(try Declared(text).specification, key: Secret("hush-hush"))
    let first = try dialect.request(for: .coinList)
    // The transport has taken the key out of what the source said.
    let body = Self.page("a", next: #""https://api.example.com/v1/all?page=2&apikey=REDACTED""#)
    let next = try dialect.next(
      after: [first], asking: .coinList, response: HTTPResponse(status: 200, body: Array(body.utf8)))
    #expect(next?.url == "https://api.example.com/v1/all?page=2&apikey=\(HTTPRequest.keyMark)")
    #expect(next?.queryKey == first.queryKey && first.queryKey != nil)
  }

  @Test func `are recorded page by page, and replayed as one answer`() async throws {
    let folder = try TemporaryFolder()
    let text = Self.list.replacing("get: /all?page=1", with: "post: /all\n  send: { after: {cursor} }")
    let book = Book(pages: [
      #"/v1/all{"after":null}"#: Self.page("a", next: "2"), #"/v1/all{"after":2}"#: Self.page("b", next: "3"),
      #"/v1/all{"after":3}"#: Self.page("c", next: "null"),
    ])
    let dialect = try Declared(text).dialect()
    let recorder = ExchangeRecorder()
    let live = DialectProvider(
      dialect: dialect, transport: recorder.transport(book, provider: "mine"), time: ManualTime())
    _ = try await live.answer(to: .coinList)
    func replayed(_ exchanges: [CapturedExchange]) async throws -> [String] {
      try HARWriter.write(
        exchanges, to: folder.path + "/r", recordedAt: Declared.now, provider: "mine", redaction: Redaction([]))
      let recorded = DialectProvider(
        id: "r", name: "R", recording: try HARReader.head(folder.path + "/r"), dialect: dialect)
      return try await recorded.coinList().value.map(\.id)
    }
    let exchanges = recorder.exchanges
    #expect(try await replayed(exchanges) == ["a", "b", "c"])
    // A page that failed and was asked for again counts as it came at last, and an answer recorded later before this one.
    let failed = CapturedExchange(
      request: exchanges[1].request, response: HTTPResponse(status: 502), provider: "mine")
    #expect(try await replayed([exchanges[0], failed] + exchanges[1...]) == ["a", "b", "c"])
    #expect(try await replayed(exchanges + exchanges) == ["a", "b", "c"])
    // What is not whole is not taken for the whole.
    await #expect(throws: BitpalError.self) { try await replayed(Array(exchanges.prefix(2))) }
  }

  @Test func `are found in another program's recording by what they ask`() async throws {
    func entry(_ sent: String, _ body: String) -> String {
      let (sent, body) = (sent.replacing("\"", with: "\\\""), body.replacing("\"", with: "\\\""))
      return
        #"{"startedDateTime":"2025-01-15T10:30:00Z","request":{"method":"POST","url":"https://api.example.com/v1/all","#
        + #""postData":{"mimeType":"application/json","text":"\#(sent)"}},"response":{"status":200,"headers":[],"#
        + #""content":{"text":"\#(body)"}}}"#
    }
    let text = Self.list.replacing("get: /all?page=1", with: "post: /all\n  send: { after: {cursor} }")
    let entries = [
      entry(#"{ "after": 2 }"#, Self.page("b", next: "null")), entry(#"{"after":null}"#, Self.page("a", next: "2")),
      entry(#"{ "after" : 2 }"#, Self.page("c", next: "null")),
    ]
    let folder = try TemporaryFolder()
    try folder.write(
      #"{"log":{"version":"1.2","_bitpal":{"provider":"mine"},"entries":[\#(entries.joined(separator: ","))]}}"#,
      to: "x.har")
    let recorded = DialectProvider(
      id: "r", name: "R", recording: try HARReader.head(folder.path + "/x.har"), dialect: try Declared(text).dialect())
    #expect(try await recorded.coinList().value.map(\.id) == ["a", "c"])
  }
}
