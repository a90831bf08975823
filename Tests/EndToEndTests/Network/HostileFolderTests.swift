import BitpalFiles
import Foundation
import Glibc
import LoopbackServer
import Testing

/// What somebody else's folder could do to whoever merely stood in it.
@Suite(.ownThreads) struct `A hostile folder` {
  private static let secret = "planted4711canary"

  private let world: World
  private let server: LoopbackServer

  init() throws {
    world = try World(isTrusted: false)
    server = try LoopbackServer { request in
      request.path == "/evil" ? .ok(json: #"{"p":31337}"#) : .ok(json: #"{"p":100.5}"#)
    }
  }

  private func write(_ name: String, _ text: String) throws {
    try world.write(text, to: name)
  }

  private func settings(_ text: String) throws {
    try write("config.yaml", "bitpal: 1\nproviders_dir: providers\n" + text + "\n")
  }

  /// A provider that asks the server of this test, and sends it a key.
  private func provider(_ id: String, path: String = "/price", price: String = "$.p", rate: String = "100/1m") -> String
  {
    """
    id: \(id)
    name: Local
    kind: http
    base_url: \(server.url)
    key_env: \(id.uppercased())_TOKEN
    headers: { X-Key: "{key}" }
    rate_limit: \(rate)
    quotes: { get: \(path), fields: { price: \(price) } }

    """
  }

  /// The folder of the user's own provider files.
  private var own: String { world.home + "/.local/share/bitpal/providers" }

  private func run(_ line: String) throws -> World.Outcome {
    let names = ["AWS_TOKEN", "AWS_SECRET_ACCESS_KEY", "COINGECKO_API_KEY", "LOCAL_TOKEN"]
    return try world.run("export \(names.map { "\($0)=\(Self.secret)" }.joined(separator: " ")); \(line)")
  }

  // MARK: Keys

  @Test func `No key leaves, whatever variable is named and wherever it would go`() throws {
    try settings(
      """
      provider: coingecko
      providers:
        coingecko: { base_url: "\(server.url)", tier: demo, key_env: AWS_SECRET_ACCESS_KEY, key_hosts: [127.0.0.1] }
      """)
    try write("providers/aws.yaml", provider("aws"))
    try write(own + "/local.yaml", provider("local"))
    _ = try run("https_proxy=http://127.0.0.1:9 bitpal price bitcoin --timeout 2s")
    #expect(try run("bitpal price bitcoin -p aws").status == 3)
    // The user's own file may be asked, but not with a key while somebody else has a say.
    let outcome = try run("bitpal price bitcoin -p local --format csv")
    #expect(outcome.output.contains(",100.5,"))
    #expect(
      outcome.errors == "bitpal: warning: ./config.yaml is not trusted: no keys; \"bitpal trust\" if it is yours\n")
    #expect(server.requests.map(\.path) == ["/price"])
    #expect(server.requests.allSatisfy { request in !request.headers.contains { $0.value.contains(Self.secret) } })
    #expect(try run("bitpal trust && bitpal price bitcoin -p local --refresh -q").status == 0)
    #expect(server.requests.last?.header("X-Key") == Self.secret)
  }

  // MARK: The cache

  @Test func `Answers for untrusted settings are served nowhere else`() throws {
    try write(own + "/local.yaml", provider("local"))
    try settings("provider: local")
    for line in ["bitpal price bitcoin", "bitpal price bitcoin", "cd; bitpal -p local price bitcoin"] {
      #expect(try world.run(line).status == 0)
    }
    #expect(server.requests.count == 2)
  }

  @Test func `A recording does not speak in the name of a live source`() throws {
    try write(own + "/local.yaml", provider("local"))
    try settings("provider: local")
    for id in ["local", "coingecko", "other"] {
      try write(
        "providers/\(id).yaml", "id: \(id)\nname: L\nkind: recorded\nof: coingecko\nrecording: ../Fixtures/market\n")
    }
    let outcome = try world.run("bitpal price bitcoin --format csv")
    #expect(outcome.output.contains(",100.5,"))
    #expect(outcome.errors.contains("./config.yaml is not trusted: no providers/local.yaml; "))
    #expect(try world.run("bitpal price bitcoin -p coingecko --offline").status == 4)
    #expect(try world.run("bitpal price bitcoin -p other --format csv").output.contains(",96841.328675354258,"))
  }

  @Test func `A file of the same name and URL that asks or reads otherwise is another source`() throws {
    try write("one/config.yaml", "bitpal: 1\nproviders_dir: .\n")
    try write("one/local.yaml", provider("local"))
    try write("two/config.yaml", "bitpal: 1\nproviders_dir: .\n")
    try write("two/local.yaml", provider("local", price: "\"'31337'\""))
    func price(_ folder: String) throws -> String {
      let line =
        "cd \(folder); bitpal trust > /dev/null; bitpal price bitcoin -p local --format csv -q | tail -1 | cut -d, -f4"
      return try world.run(line).output
    }
    #expect(try price("two") == "31337\n")
    #expect(try price("one") == "100.5\n")
    #expect(try price("two") == "31337\n")
    #expect(server.requests.count == 2)
  }

  // MARK: Files of the user

  @Test(arguments: ["d/id_ed25519", "~/.ssh/id_ed25519", "../home/.ssh/id_ed25519"])
  func `A private key is neither renamed nor replaced, be the settings trusted or not`(path: String) throws {
    let key = world.home + "/.ssh/id_ed25519"
    try write(key, "-----BEGIN OPENSSH PRIVATE KEY-----\n")
    symlink("../home/.ssh", world.work + "/d")
    try settings("provider: fixture\ncache: { path: \(path) }")
    for options in ["", "-c config.yaml"] {
      let outcome = try run("bitpal price bitcoin \(options); bitpal cache clear \(options); ls -p ~/.ssh | grep -v /")
      #expect(outcome.output.hasSuffix("\nid_ed25519\n"))
      #expect(
        outcome.errors.contains(options.isEmpty ? "no cache.path" : "is not a cache of bitpal, and is left as it is"))
    }
    #expect(try String(contentsOfFile: key, encoding: .utf8) == "-----BEGIN OPENSSH PRIVATE KEY-----\n")
  }

  @Test func `The user's data never become a write-ahead log`() throws {
    let data = world.home + "/.local/share/bitpal/bitpal.db"
    #expect(try run("cd; bitpal -c ../work/config.yaml buy 1 bitcoin --price 1 -q > /dev/null").status == 0)
    let before = try Data(contentsOf: URL(fileURLWithPath: data))
    symlink("../home/.local/share/bitpal", world.work + "/d")
    try settings("provider: fixture\ncache: { path: d/bitpal.db }")
    for line in [
      "bitpal price bitcoin", "bitpal -c config.yaml price bitcoin", "BITPAL_CACHE=d/bitpal.db bitpal price bitcoin",
    ] {
      #expect(try run(line).status == 0)
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: data)) == before)
  }

  @Test func `A cache with a view without end does not hang a command`() throws {
    try settings("provider: fixture\ncache: { path: cache.db }")
    #expect(try run("bitpal -c config.yaml price bitcoin").status == 0)
    try SQLiteConnection(path: world.work + "/cache.db", busyTimeout: .seconds(1)).execute(
      """
      DROP TABLE entry;
      CREATE VIEW entry AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x FROM n)
        SELECT '' provider, '' operation, '' coin, '' currency, '' range, x fetched_at, '' source, 0 bytes, '' payload
        FROM n
      """)
    let outcome = try run("timeout 60 bitpal -c config.yaml price bitcoin --format csv")
    #expect(outcome.status == 0 && outcome.output.contains(",96841.328675354258,"))
    #expect(outcome.errors.contains("it is set aside as WORLD/work/cache.db.set-aside and a new one begun"))
  }

  // MARK: Money

  @Test func `Its aliases and prices book, value and write nothing, and its source does not learn the holdings`()
    throws
  {
    try settings("provider: fixture")
    #expect(try run("bitpal -c config.yaml buy 1 bitcoin --price 1 -q > /dev/null").status == 0)
    try settings("provider: local\naliases: { bitcoin: evil-coin }")
    try write("providers/local.yaml", provider("local", path: "/evil"))
    let folder = world.home + "/.local/share/bitpal"
    let before = try run("cd ~/.local/share/bitpal; cat bitpal.db WidgetData/portfolio.json | cksum").output
    for line in [
      "buy 1 bitcoin", "buy 1 bitcoin --price 5", "sell all bitcoin", "portfolio", "portfolio holdings", "widget write",
      "widget", "watchlist add bitcoin", "watch --count 1", "status", "portfolio restore copy.db",
    ] {
      let outcome = try run("bitpal \(line)")
      #expect(outcome.status == 3, "\(line): \(outcome)")
      #expect(outcome.errors.hasPrefix("bitpal: ./config.yaml is not trusted: no "), "\(line): \(outcome)")
    }
    #expect(server.requests.isEmpty)
    #expect(try run("cd ~/.local/share/bitpal; cat bitpal.db WidgetData/portfolio.json | cksum").output == before)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == ["WidgetData", "bitpal.db"])
  }

  @Test func `An alias of an untrusted folder is ignored, with a message when it is used`() throws {
    try settings("provider: fixture\naliases: { bitcoin: dogecoin, nonsense: dogecoin }")
    let outcome = try run("bitpal price bitcoin nonsense --format csv")
    #expect(outcome.output.contains("\nbitcoin,btc,Bitcoin,96841.328675354258,"))
    #expect(
      outcome.errors.hasPrefix(
        "bitpal: warning: bitcoin is an alias for dogecoin in settings that are not trusted; "
          + "\"bitpal trust\" if they are yours\n"))
    #expect(outcome.errors.contains("bitpal: nonsense: no coin \"nonsense\" at fixture"))
  }

  // MARK: Budgets

  @Test func `The budget of the user's own source is not loosened`() throws {
    try write(own + "/local.yaml", provider("local", rate: "2/1m"))
    try settings("provider: local\nproviders: { local: { rate_limit: 100000/1s } }\ncache: { path: below/cache.db }")
    for _ in 0..<4 { _ = try world.run("bitpal price bitcoin --refresh --timeout 300ms") }
    #expect(server.requests.count <= 2)
    #expect(try world.run("cd; bitpal price bitcoin -p local --refresh --timeout 300ms").status == 5)
    #expect(server.requests.count <= 2)
  }
}
