import BitpalModel
import BitpalPortfolio
import BitpalServe
import Foundation
import TestSupport
import Testing

@Suite struct `Pages` {
  private let folder: TemporaryFolder
  private let store: WatchlistStore

  init() throws {
    folder = try TemporaryFolder()
    store = WatchlistStore(file: UserDataFile(path: folder.path + "/bitpal.db"))
  }

  private var own: OwnPages { OwnPages(watchlist: .success(store)) }
  private let form = [("Host", "localhost"), ("Origin", "http://localhost"), ("Sec-Fetch-Site", "same-origin")]

  /// The address in a page that ends with the button of a name.
  private func action(_ text: String, _ label: String) throws -> String {
    let match = try #require(try Regex("formaction=\"([^\"]*)\" aria-label=\"\(label)\"").firstMatch(in: text))
    return String(match.output[1].substring ?? "").replacingOccurrences(of: "&amp;", with: "&")
  }

  @Test func `The watchlist has a row for each coin, in its order or as asked`() async throws {
    try store.add(["solana", "bitcoin", "dogecoin"], now: Date())
    let exchange = try Exchange.recorded(own: own)
    func order(_ query: String) async throws -> [String] {
      let text = await exchange.page("/" + query).text
      return text.matches(of: /<tr id="coin-(\w+)"/).map { String($0.output.1) }
    }
    #expect(try await order("") == ["solana", "bitcoin", "dogecoin"])
    #expect(try await order("?sort=name") == ["bitcoin", "dogecoin", "solana"])
    #expect(try await order("?sort=-name") == ["solana", "dogecoin", "bitcoin"])
    #expect(try await order("?sort=-price") == ["bitcoin", "solana", "dogecoin"])
    #expect(try await order("?sort=change") == ["dogecoin", "bitcoin", "solana"])
    #expect(await exchange.page("/?sort=nothing").status == 422)
    let text = await exchange.page("/?sort=-price").text
    #expect(text.contains("<th scope=\"col\" aria-sort=\"descending\"><a href=\"/?sort=price\">"))
    for part in ["<bdi>Bitcoin</bdi>", "<td>96,841.33</td>", "<td class=\"rise\">+0.55%</td>", "simulated market"] {
      #expect(text.contains(part))
    }
  }

  @Test func `Everything that a page links to in its head, and its manifest's icons, is served and may be kept`()
    async throws
  {
    let exchange = try Exchange.recorded(own: own)
    func linked(_ pattern: Regex<(Substring, Substring)>, in text: String) -> [String] {
      text.matches(of: pattern).map { String($0.output.1).replacingOccurrences(of: "&amp;", with: "&") }
    }
    let head = linked(/<link rel="[\w-]+" href="([^"]+)">/, in: await exchange.page("/").text)
    let manifest = try #require(head.first { $0.hasPrefix("/manifest.json") })
    let icons = linked(/"src":"([^"]+)"/, in: await exchange.page(manifest).text)
    #expect(head.count == 4 && icons.count == 2)
    for path in head + icons {
      let response = await exchange.page(path)
      #expect(response.status == 200 && response["Cache-Control"]?.contains("immutable") == true, "\(path)")
    }
    let icon = await exchange.page(icons[0])
    #expect(icon["Content-Type"] == "image/png" && icon.body.starts(with: [0x89, 0x50, 0x4E, 0x47]))
  }

  @Test func `A coin without a price has a row that says so, and stands last`() async throws {
    try store.add(["gone", "one"], now: Date())
    let exchange = Exchange(WebSource(["one": "1"]), own: own)
    let text = await exchange.page("/?sort=-price").text
    #expect(text.contains("<strong class=\"badge\" title=\"no coin &quot;gone&quot; at web\">no price</strong>"))
    #expect(text.matches(of: /<tr id="coin-(\w+)"/).map { $0.output.1 } == ["one", "gone"])
    // The page hears of both, whichever way it is sorted.
    #expect(text.contains("data-events=\"/events?coins=gone,one&amp;currency=usd\""))
  }

  @Test func `A price that stands in for one that could not be had says so in words`() async throws {
    try store.add(["one"], now: Date())
    let (source, time) = (WebSource(["one": "1"]), SteppedTime())
    let exchange = Exchange(source, time: time, own: own)
    #expect(await !exchange.page("/").text.contains("badge"))
    source.fail(.network(host: "web.example", reason: "gone"))
    time.advance(.seconds(3600))
    for path in ["/", "/coin/one"] {
      #expect(await exchange.page(path).text.contains(">stale, 1h old</strong>"))
    }
  }

  @Test func `A hundred coins are one request of the source, and at most 60 KB`() async throws {
    let names = (0..<100).map { "some-usual-coin-\($0)" }
    try store.add(names, now: Date())
    let source = WebSource(Dictionary(uniqueKeysWithValues: names.map { ($0, "12345.678901") }))
    let page = await Exchange(source, own: own).page("/")
    #expect(source.asked.all.count == 1)
    #expect(page.body.count < 60_000)
    #expect(page.text.matches(of: /data-spark="/).count == 100)
  }

  @Test func `Without a watchlist, or with an empty one, there is what nearly everybody knows`() async throws {
    for (own, words) in [
      (OwnPages(), "has no watchlist"), (self.own, "The watchlist is empty"),
      (
        OwnPages(watchlist: .failure(.untrusted(file: "config.yaml", hasChanged: false, withheld: ["watchlist"]))),
        "config.yaml is not trusted"
      ),
    ] {
      let text = try await Exchange.recorded(own: own).page("/").text
      #expect(text.contains(words) && text.contains("<tr id=\"coin-bitcoin\""))
      // Only to one's own list anything can be added.
      #expect(text.contains("formaction=\"/watch/bitcoin?t=") == (words == "The watchlist is empty"))
    }
  }

  // MARK: Changes

  @Test func `A coin is removed and added by what the page's forms send`() async throws {
    try store.add(["bitcoin", "solana"], now: Date())
    let exchange = try Exchange.recorded(own: own)
    let remove = try action(await exchange.page("/?sort=-price").text, "Remove Solana")
    let removed = await exchange.post(remove, form)
    #expect(removed.status == 303 && removed["Location"] == "/?sort=-price")
    #expect(try store.items().map(\.coinId) == ["bitcoin"])
    // A second click does no harm.
    #expect(await exchange.post(remove, form).status == 303)
    let added = await exchange.post(remove.replacing("unwatch", with: "watch") + "&then=coin", form)
    #expect(added.status == 303 && added["Location"] == "/coin/solana")
    #expect(await exchange.post(remove.replacing("unwatch", with: "watch"), form).status == 303)
    #expect(try Set(store.items().map(\.coinId)) == ["bitcoin", "solana"])
    let unknown = await exchange.post(
      remove.replacing("unwatch/solana", with: "watch/nope"), form + [("Accept", "text/html")])
    #expect(unknown.status == 404 && unknown.text.contains("no coin \"nope\""))
  }

  @Test func `Nothing changes without the proof of this start, by another page, or by asking`() async throws {
    try store.add(["bitcoin"], now: Date())
    let exchange = try Exchange.recorded(own: own)
    let remove = try action(await exchange.page("/").text, "Remove Bitcoin")
    let other = try action(await Exchange.recorded(own: own).page("/").text, "Remove Bitcoin")
    #expect(remove != other)
    for path in ["/unwatch/bitcoin", "/unwatch/bitcoin?t=", "/unwatch/bitcoin?t=0123456789abcdef", other] {
      #expect(await exchange.post(path, form).status == 403)
    }
    #expect(await exchange.post(remove, [("Host", "localhost"), ("Origin", "http://evil.example")]).status == 403)
    #expect(await exchange.post(remove, [("Host", "localhost")]).status == 403)
    #expect(await exchange.page(remove).status == 404)
    #expect(try store.items().count == 1)
  }

  @Test func `Without the proof pages show no watchlist, no portfolio and nothing to change`() async throws {
    try store.add(["bitcoin", "dogecoin"], now: Date())
    let portfolio = TransactionStore(file: UserDataFile(path: folder.path + "/portfolio.db"))
    let own = OwnPages(watchlist: .success(store), portfolio: portfolio)
    let exchange = try Exchange.recorded(own: own)
    #expect(await exchange.page("/").text.contains("coin-dogecoin"))
    #expect(await exchange.page("/portfolio").status == 200)
    #expect(await exchange.page("/coin/bitcoin").text.contains("method=\"post\""))
    let html = [("Accept", "text/html")]
    let (name, value) = await exchange.cookie()
    for headers in [
      [("Host", "localhost")], [("Host", "prices.test"), (name, value)],
      [("Host", "localhost"), (name, "bitpal_80=x")],
      [("Host", "localhost"), (name, value), ("X-Real-IP", "10.0.0.1")], [("Host", "localhost:1"), (name, value)],
    ] {
      let home = await exchange.get("/", headers + html).text
      #expect(home.contains("shown to their owner only"), "\(headers)")
      #expect(home.contains("bitpal serve link") != home.contains("--token-file"), "\(headers)")
      #expect(!home.contains("formaction") && !home.contains("method=\"post\"") && !home.contains("Portfolio"))
      let refused = await exchange.get("/portfolio", headers + html)
      #expect(refused.status == 403 && refused.text.contains("shown to their owner only"))
      for path in ["/coin/bitcoin", "/search?query=bit", "/coin/nonesuch", "/none"] {
        let text = await exchange.get(path, headers + html).text
        #expect(
          !text.contains("formaction") && !text.contains("/coin/dogecoin\"") && !text.contains("with=dogecoin"),
          "\(path)")
      }
    }
  }

  // MARK: Coins

  @Test func `A coin's page has its price, every range, the chart of --svg, statistics and figures`() async throws {
    let exchange = try Exchange.recorded(own: own)
    let text = await exchange.page("/coin/btc?range=1W").text
    for range in ["1H", "1D", "1W", "1M", "3M", "6M", "YTD", "1Y", "5Y", "MAX"] {
      #expect(text.contains("<a href=\"/coin/bitcoin?range=\(range)&amp;type=line\""), "\(range)")
    }
    #expect(text.contains("range=1D&amp;type=line\" aria-label=\"1D, one day\" aria-keyshortcuts=\"ArrowLeft\">"))
    #expect(text.contains("range=1M&amp;type=line\" aria-label=\"1M, one month\" aria-keyshortcuts=\"ArrowRight\">"))
    #expect(text.contains("type=candle\" aria-keyshortcuts=\"c\">Candles"))
    for part in [
      "96,841.33", "Market cap</th><td>1.92 T USD", "<th scope=\"row\">Open</th>", "role=\"img\"", "#1<",
      "<title id=\"wide-title\">Bitcoin · one week · line · USD</title>",
      "aria-label=\"Chart, one week: Shift",
      "<th scope=\"row\">Change over one week</th>",
    ] {
      #expect(text.contains(part), "\(part)")
    }
    // The whole picture and the plot of the page are drawn by the same code: the same lines, in another place.
    let picture = await exchange.get("/v1/chart/bitcoin.svg?range=1W").text
    #expect(picture.components(separatedBy: "class=\"stroke rise\"").count == 2)
    #expect(text.components(separatedBy: "class=\"stroke rise\"").count == 4)
    let candles = await exchange.page("/coin/btc?type=candle&range=4H").text
    #expect(candles.contains("aria-current=\"true\">4H") && candles.contains("class=\"up\""))
  }

  @Test func `Another coin is compared with it, and a missing chart does not hide the price`()
    async throws
  {
    let exchange = try Exchange.recorded(own: own)
    let compared = await exchange.page("/coin/btc?with=eth&range=1W").text
    #expect(compared.contains("Ethereum") && compared.contains("class=\"stroke s1\""))
    #expect(compared.contains("<a href=\"/coin/bitcoin?range=1M&amp;with=eth\""))
    for (query, status) in [("with=nope", 200), ("range=2X", 422), ("type=pie", 422)] {
      let response = await exchange.page("/coin/btc?" + query)
      #expect(
        response.status == status && response.text.contains("96,841.33") && response.text.contains("note warning"))
    }
    let bare = await Exchange(WebSource(["one": "1.5"]), own: own).page("/coin/one")
    #expect(bare.status == 200 && bare.text.contains("<span>1.5</span>") && bare.text.contains("There are none: "))
  }

  @Test(arguments: [
    ("as=svg&range=1W", "image/svg+xml", "bitcoin-1W-line.svg", "<svg xmlns"),
    (
      "as=csv&range=1W&type=candle", "text/csv; charset=utf-8", "bitcoin-1W-candle.csv",
      "time,open,high,low,close,change,change_percent,direction,is_open\n"
    ),
    ("as=json", "application/json; charset=utf-8", "bitcoin-1D-line.json", "{\n  \"schema\": \"bitpal.chart/1\""),
    (
      "as=csv&with=eth&range=1Y", "text/csv; charset=utf-8", "bitcoin-ethereum-1Y.csv",
      "coin,time,price,change_percent\n"
    ),
    ("as=svg&with=eth", "image/svg+xml", "bitcoin-ethereum-1D.svg", "<svg xmlns"),
  ])
  func `A chart is a file`(query: String, kind: String, name: String, beginning: String) async throws {
    let response = try await Exchange.recorded(own: own).page("/download/btc?" + query)
    #expect(response.status == 200 && response["Content-Type"] == kind)
    #expect(response["Content-Disposition"] == "attachment; filename=\"\(name)\"")
    #expect(response.text.hasPrefix(beginning))
  }

  // MARK: Search and failures

  @Test func `Search finds by a part of a name, and says what there is to do where it finds nothing`() async throws {
    try store.add(["dogecoin"], now: Date())
    let exchange = try Exchange.recorded(own: own)
    let found = await exchange.page("/search?query=doge").text
    #expect(found.contains("<a href=\"/coin/dogecoin\">") && found.contains("followed"))
    #expect(found.contains("action=\"/watch/") && found.contains("value=\"doge\""))
    #expect(await exchange.page("/search?query=%3Cb%3E").text.contains("No coin is called “&lt;b&gt;”."))
    #expect(await exchange.page("/search?query=bitcon").text.contains("Did you mean <a href=\"/coin/bitcoin\">"))
    #expect(await exchange.page("/search").text.contains("Type a part"))
    let listless = await Exchange(WebSource(["one": "1"]), own: own).page("/search?query=one")
    #expect(listless.text.contains("<a href=\"/coin/one\">"))
  }

  @Test func `A missing page or a failure is a page for browsers and text for other clients`() async throws {
    let exchange = try Exchange.recorded(own: own)
    let missing = await exchange.page("/coin/nope")
    #expect(missing.status == 404 && missing.text.contains("<h1>Not found</h1>"))
    #expect(await exchange.get("/coin/nope")["Content-Type"] == "application/json; charset=utf-8")
    #expect(await exchange.page("/nothing/here").text.contains("This page does not exist"))
    #expect(await exchange.get("/nothing/here")["Content-Type"] == "text/plain; charset=utf-8")
    let source = WebSource(["one": "1"])
    source.fail(.rateLimited(provider: "web", wait: .seconds(7), reason: "slow down"))
    let full = await Exchange(source, own: own).page("/coin/one")
    #expect(full.status == 503 && full["Retry-After"] == "7" && full.text.contains("The source wants a pause"))
  }

  @Test(arguments: ["/", "/coin/bitcoin", "/search?query=a", "/nothing", "/bitpal.css", "/bitpal.js", "/icon.svg"])
  func `No page runs, shows or asks anything that is not of this server`(path: String) async throws {
    let response = try await Exchange.recorded(own: own).page(path)
    #expect(response["Content-Security-Policy"]?.hasPrefix("default-src 'self'; ") == true)
    #expect(response["Access-Control-Allow-Origin"] == nil)
    #expect(response["Cross-Origin-Resource-Policy"] == "same-origin")
    let text = response.text
    #expect(!text.contains("<style") && !text.contains("style=") || path.hasPrefix("/bitpal."))
    #expect(!text.contains("//") || path.hasPrefix("/bitpal.") || path == "/icon.svg")
    if path.hasPrefix("/bitpal.") || path == "/icon.svg" {
      #expect(response["Cache-Control"] == "public, max-age=31536000, immutable")
    } else {
      #expect(response["Cache-Control"] == "no-store, private")
    }
  }

  @Test func `Stylesheet and script are at most 40 KB together`() async throws {
    let exchange = try Exchange.recorded(own: own)
    var bytes = 0
    for path in ["/bitpal.css", "/bitpal.js"] { bytes += await exchange.get(path).body.count }
    #expect(bytes > 10_000 && bytes <= 40_000)
  }
}
