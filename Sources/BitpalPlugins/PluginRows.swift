import BitpalJSON
import BitpalModel
import BitpalNetwork
import BitpalProviders

/// Reads the rows that a plugin answers with: as a declared source's, once they keep the rules of plugins.
///
/// What reads them is made when the first come: an answer from the cache needs none.
final class PluginRows: Sendable {
  /// Coins and tickers as people know them.
  let names: CoinNames

  private let specification: ProviderSpecification
  private let hello: PluginHello
  private let symbol: @Sendable (String) -> String?
  private let dialects = Locked<[DeclaredOperation.TimeFormat: DeclarativeDialect]>([:])

  /// - Parameters:
  ///   - specification: What the provider's file says.
  ///   - hello: What the plugin says of itself.
  ///   - symbol: A coin's ticker, where the file's `symbols` do not say.
  init(_ specification: ProviderSpecification, _ hello: PluginHello, symbol: @escaping @Sendable (String) -> String?) {
    self.specification = specification
    self.hello = hello
    self.symbol = symbol
    names = CoinNames(specification, ticker: symbol)
  }

  /// What reads rows whose times are written so.
  private func reader(_ time: DeclaredOperation.TimeFormat) throws(BitpalError) -> DeclarativeDialect {
    try dialects.withLock { (dialects) throws(BitpalError) in
      if let dialect = dialects[time] { return dialect }
      let dialect = try Self.dialect(specification, hello, time: time, symbol)
      dialects[time] = dialect
      return dialect
    }
  }

  private static func dialect(
    _ specification: ProviderSpecification, _ hello: PluginHello, time: DeclaredOperation.TimeFormat,
    _ symbol: @escaping @Sendable (String) -> String?
  ) throws(BitpalError) -> DeclarativeDialect {
    var api = DeclaredAPI()
    for capability in hello.capabilities {
      let columns = DeclaredOperation.columns(of: capability)
      let fields = (columns.required + columns.optional).map { name in
        DeclaredOperation.Field(name: name, source: DeclaredText("$.\(name)"))
      }
      api.operations[capability] = DeclaredOperation(
        get: DeclaredText("/"), rows: .each(DeclaredText("$"), fields: fields), time: time,
        batch: capability == .quotes && hello.batch > 1 ? hello.batch : nil, intervals: hello.intervals)
    }
    var declared = specification
    declared.kind = .declared(api)
    declared.baseURL = "https://plugin.invalid"
    return try DeclarativeDialect(declared, symbol: symbol)
  }

  /// The candle width that the source has for the one that is wanted.
  func interval(for query: ProviderQuery) -> DeclaredOperation.Interval? {
    guard case .candles(_, _, _, let width) = query else { return nil }
    let native = Resampling.nativeWidth(for: width, among: hello.intervals.map(\.width))
    return hello.intervals.first { $0.width == native }
  }

  /// What a response means that the plugin does not read.
  func refusal(_ response: HTTPResponse, asked query: ProviderQuery) throws -> ProviderAnswer<ProviderReply> {
    try reader(.iso8601).answer(to: query, from: response)
  }

  /// The answer that the rows of a message give.
  ///
  /// - Throws: ``PluginFault/broken(_:)`` for rows that break a rule, `BitpalError` for those that cannot be used.
  func answer(to query: ProviderQuery, from message: PluginMessage) throws -> ProviderAnswer<ProviderReply> {
    try check(message, query)
    guard let rows = message.json("$.rows") else { throw PluginFault.broken("answered without rows") }
    if case .quotes(let coins, _) = query, rows == Self.nothing {
      // A source that is asked for several leaves out those it does not know.
      let failures = coins.map { ($0, BitpalError.notFound(coin: $0, provider: specification.id)) }
      return ProviderAnswer(.quotes(QuoteBatch(coins: [:], failures: Dictionary(failures) { first, _ in first })))
    }
    let time = message.rowsOrNone(Self.times) { $0.text(0) ?? "" }.first
    let isCount = time.map { $0.utf8.allSatisfy(Self.digits.contains) } ?? false
    return try reader(isCount ? .seconds : .iso8601).answer(to: query, from: HTTPResponse(status: 200, body: rows))
  }

  private static let nothing = Array("[]".utf8)

  private static let times = """
    SELECT value ->> '$.time' FROM json_each(:body, '$.rows') WHERE value ->> '$.time' IS NOT NULL LIMIT 1
    """

  private static let digits = UInt8(ascii: "0")...UInt8(ascii: "9")

  /// Whether every row is an object of texts, in columns that there are, of a coin that was asked for.
  private func check(_ message: PluginMessage, _ query: ProviderQuery) throws(PluginFault) {
    guard message.rowsOrNone("SELECT 1 WHERE json_type(:body, '$.rows') = 'array'", { _ in true }).count == 1 else {
      throw .broken("answered with rows that are no array")
    }
    if let row = message.rowsOrNone(Self.noObjects, { $0.text(0) ?? "" }).first {
      throw .broken("answered with a row that is no object (rows[\(row)])")
    }
    if let cell = message.rowsOrNone(Self.noTexts, { row in (0..<4).map { row.text($0) ?? "" } }).first {
      let place = "rows[\(cell[0])].\(cell[1].printable(limit: 40))"
      guard ["integer", "real"].contains(cell[2]) else { throw .broken("answered with \(place) that is no text") }
      throw .broken(
        "answered with the number \(cell[3].printable(limit: 40)) at \(place); write it as a text, "
          + "\"\(cell[3].printable(limit: 40))\", so that no digit is lost")
    }
    let columns = DeclaredOperation.columns(of: query.capability)
    let known = columns.required + columns.optional
    if let column = message.rowsOrNone(Self.columns, { $0.text(0) ?? "" }).first(where: { !known.contains($0) }) {
      let advice =
        NearestName.match(column, among: known).map { "did you mean \($0)?" } ?? known.joined(separator: ", ")
      throw .broken("answered with the column \(column.printable(limit: 40)) (\(advice))")
    }
    let asked = Set(query.coins)
    guard !asked.isEmpty else { return }
    if let stranger = message.rowsOrNone(Self.ids, { $0.text(0) ?? "" }).first(where: { !asked.contains($0) }) {
      throw .broken("answered about \(stranger.printable(limit: 60)), a coin that nobody had asked for")
    }
  }

  private static let noObjects = "SELECT key FROM json_each(:body, '$.rows') WHERE type <> 'object' LIMIT 1"

  private static let noTexts = """
    SELECT row.key, cell.key, cell.type, cell.atom
    FROM json_each(:body, '$.rows') AS row, json_each(row.value) AS cell
    WHERE cell.type NOT IN ('text', 'null') LIMIT 1
    """

  private static let columns = """
    SELECT DISTINCT cell.key FROM json_each(:body, '$.rows') AS row, json_each(row.value) AS cell
    """

  private static let ids = """
    SELECT DISTINCT value ->> '$.id' FROM json_each(:body, '$.rows') WHERE value ->> '$.id' IS NOT NULL
    """
}
