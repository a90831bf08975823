import BitpalJSON
import BitpalModel
import BitpalNetwork
import BitpalProviders

/// A reader of the rows in a plugin's answers: it checks the rules of plugins, then reads them as a declared source's.
///
/// The dialects that read rows are made at the first answer, because an answer from the cache needs none.
final class PluginRows: Sendable {
  /// The coins' tickers, and the currencies among the ids.
  let names: SourceNames

  private let specification: ProviderSpecification
  private let hello: PluginManifest
  private let symbol: @Sendable (String) -> String?
  private let dialects = Locked<[DeclaredOperation.TimeFormat: DeclarativeDialect]>([:])

  /// Creates a reader of rows.
  ///
  /// - Parameters:
  ///   - specification: The provider's file.
  ///   - hello: The plugin's manifest.
  ///   - symbol: Returns a coin's ticker that the file's `symbols` do not have; nil when it is unknown.
  init(_ specification: ProviderSpecification, _ hello: PluginManifest, symbol: @escaping @Sendable (String) -> String?)
  {
    self.specification = specification
    self.hello = hello
    self.symbol = symbol
    names = SourceNames(specification, ticker: symbol)
  }

  /// Returns the dialect that reads rows with this notation of times, made at its first use.
  private func reader(_ time: DeclaredOperation.TimeFormat) throws(BitpalError) -> DeclarativeDialect {
    try dialects.withLock { (dialects) throws(BitpalError) in
      if let dialect = dialects[time] { return dialect }
      let dialect = try Self.dialect(specification, hello, time: time, symbol)
      dialects[time] = dialect
      return dialect
    }
  }

  private static func dialect(
    _ specification: ProviderSpecification, _ hello: PluginManifest, time: DeclaredOperation.TimeFormat,
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
    declared.kind = DeclaredKind(api)
    declared.baseURL = "https://plugin.invalid"
    return try DeclarativeDialect(declared, symbol: symbol)
  }

  /// Returns the source's candle width from which the query's is made; nil when there is none, or for other queries.
  func interval(for query: ProviderQuery) -> DeclaredOperation.Interval? {
    guard case .candles(_, _, _, let width) = query else { return nil }
    let native = Resampling.nativeWidth(for: width, among: hello.intervals.map(\.width))
    return hello.intervals.first { $0.width == native }
  }

  /// Returns the answer of a response whose status the plugin does not read.
  ///
  /// - Throws: The `BitpalError` that the status stands for.
  func refusal(_ response: HTTPResponse, asked query: ProviderQuery) throws -> ProviderAnswer {
    try reader(.iso8601).answer(to: query, from: response)
  }

  /// Returns the answer that the rows of a message give; no rows for quotes mean that every coin is unknown.
  ///
  /// - Throws: ``PluginFault/broken(_:)`` for rows that break a rule, `BitpalError` for those that cannot be used.
  func answer(to query: ProviderQuery, from message: PluginMessage) throws -> ProviderAnswer {
    guard let rows = try message.json("$.rows"), rows.first == UInt8(ascii: "[") else {
      throw PluginFault.broken("answered with rows that are not an array")
    }
    let time = try firstTime(checking: message, query)
    if case .quotes(let coins, _) = query, rows == Self.nothing {
      // Sources omit unknown coins from a batch.
      let failures = coins.map { ($0, BitpalError.notFound(coin: $0, provider: specification.id)) }
      return ProviderAnswer([:], failures: Dictionary(failures) { first, _ in first })
    }
    let isCount = time.map { $0.utf8.allSatisfy(Self.digits.contains) } ?? false
    return try reader(isCount ? .seconds : .iso8601).answer(to: query, from: HTTPResponse(status: 200, body: rows))
  }

  private static let nothing = Array("[]".utf8)
  private static let digits = UInt8(ascii: "0")...UInt8(ascii: "9")

  /// A SELECT of the cells of all rows; a row that is not an object has one cell without a name.
  private static let cells = """
    SELECT cell.key, cell.type, cell.atom, row.key, row.type
    FROM json_each(:body, '$.rows') AS row, json_each(iif(row.type = 'object', row.value, '[null]')) AS cell
    """

  /// Checks all cells in one pass, and returns the first `time` among them; nil when there is none.
  ///
  /// - Throws: ``PluginFault/broken(_:)`` unless every row is an object of texts and nulls, with known columns, of a
  ///   coin that was asked for.
  private func firstTime(checking message: PluginMessage, _ query: ProviderQuery) throws(PluginFault) -> String? {
    let columns = DeclaredOperation.columns(of: query.capability)
    let known = columns.required + columns.optional
    let asked = Set(query.coins)
    var faults = CellFaults()
    var time: String?
    _ = try message.rows(Self.cells) { cell in
      func text(_ column: Int) -> String { cell.text(column) ?? "" }
      guard text(4) == "object" else {
        faults.noObject = faults.noObject ?? text(3)
        return
      }
      let (name, type) = (text(0), text(1))
      if !known.contains(name) { faults.strangeColumn = faults.strangeColumn ?? name }
      guard type == "text" else {
        if type != "null", faults.noText == nil {
          faults.noText = ("rows[\(text(3))].\(name.printable(limit: 40))", type, text(2))
        }
        return
      }
      if name == "id", !asked.isEmpty, !asked.contains(text(2)) {
        faults.strangeCoin = faults.strangeCoin ?? text(2)
      }
      if name == "time", time == nil { time = text(2) }
    }
    try faults.check(known)
    return time
  }
}

/// The first fault of each kind among the cells of an answer.
private struct CellFaults {
  /// The number of a row that is not an object.
  var noObject: String?

  /// A cell that is neither text nor null.
  var noText: (place: String, type: String, atom: String)?

  /// A column without a meaning.
  var strangeColumn: String?

  /// A coin that was not asked for.
  var strangeCoin: String?

  /// Throws the worst fault.
  ///
  /// - Parameter known: The columns that rows may have.
  func check(_ known: [String]) throws(PluginFault) {
    if let noObject { throw .broken("answered with a row that is not an object (rows[\(noObject)])") }
    if let noText {
      guard ["integer", "real"].contains(noText.type) else {
        throw .broken("answered with \(noText.place) that is not text")
      }
      let number = noText.atom.printable(limit: 40)
      throw .broken(
        "answered with the number \(number) at \(noText.place); write it as a text, \"\(number)\", so that no digit is lost"
      )
    }
    if let strangeColumn {
      let advice =
        NearestName.match(strangeColumn, among: known).map { "did you mean \($0)?" } ?? known.joined(separator: ", ")
      throw .broken("answered with the column \(strangeColumn.printable(limit: 40)) (\(advice))")
    }
    if let strangeCoin {
      throw .broken("answered about \(strangeCoin.printable(limit: 60)), a coin that was not asked for")
    }
  }
}
