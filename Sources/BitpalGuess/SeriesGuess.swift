import BitpalModel
import BitpalProviders
import FoundationEssentials

/// A search for candles or a line in the tables of a sample.
struct SeriesGuess {
  private let table: SampleRows
  private let stamps: SampleRows.Stamps
  private let timeSource: SamplePath?
  private let order: [Int]

  /// The plain names of the four prices of a candle.
  static let names: [(column: String, names: Set<String>)] = [
    ("open", ["open", "o", "openprice", "priceopen", "opening"]),
    ("high", ["high", "h", "highprice", "pricehigh", "max"]),
    ("low", ["low", "l", "lowprice", "pricelow", "min"]),
    ("close", ["close", "c", "closeprice", "priceclose", "closing", "last"]),
  ]

  /// The plain names of a time.
  static let timeNames: Set<String> = [
    "opentime", "timeopen", "time", "timestamp", "timestamps", "t", "date", "dates", "ts",
  ]

  /// The plain names of a line's price.
  static let priceNames: Set<String> = ["price", "p", "value", "close", "rate", "last", "priceusd", "v"]

  /// Returns the candles or the line of a sample; nil when it has neither.
  ///
  /// - Parameter wanted: The operation that it must be; nil for either.
  static func find(
    in sample: SampleNode, asking wanted: Capability? = nil, _ names: inout SampleNames
  ) -> GuessedOperation? {
    let tables = SampleRows.all(in: sample).compactMap { SeriesGuess($0) }
    if wanted != .line {
      for table in tables {
        if let candles = table.candles(&names) { return candles }
      }
    }
    guard wanted != .candles else { return nil }
    // Of several lines the one whose name contains "price" is preferred.
    let lines = tables.filter { $0.table.rows.count > 1 }
    let named = lines.filter { $0.table.container.plainName.contains("price") }
    for table in named + lines {
      if let line = table.line(&names) { return line }
    }
    return nil
  }

  private init?(_ table: SampleRows) {
    self.table = table
    // The key counts as a time only where it reads as one.
    if let keys = table.keyInstants {
      (stamps, timeSource) = (keys, nil)
    } else {
      let candidates = table.columns.filter { table.instants($0) != nil }
      let best =
        candidates.first { Self.timeNames.contains($0.plainName) }
        ?? candidates.first
      guard table.keys == nil || table.rows.count > 1, let best, let found = table.instants(best) else { return nil }
      (stamps, timeSource) = (found, best)
    }
    let dates = stamps.dates
    order = dates.indices.sorted { dates[$0] < dates[$1] }
  }

  private var timeColumn: GuessedColumn {
    let why =
      (table.rows.count > 1 ? "every row has another one, written as " : "it reads as ") + stamps.format.description
    guard let timeSource else { return GuessedColumn(field: "time", source: ":key", confidence: .certain, why: why) }
    var none = SampleNames(SampleAnswer(body: []))
    let isNamed = timeSource.steps.last.map { if case .key = $0 { true } else { false } } ?? false
    return GuessedColumn(
      field: "time", source: timeSource.text(&none), confidence: isNamed || table.rows.count > 1 ? .certain : .likely,
      why: why)
  }

  private func candles(_ names: inout SampleNames) -> GuessedOperation? {
    let numeric = table.columns.filter { $0 != timeSource && table.numbers($0) != nil && table.instants($0) == nil }
    var found: [(column: String, path: SamplePath, confidence: Confidence, why: String)] = []
    let named = Self.names.compactMap { item in
      numeric.first { path in
        if case .key? = path.steps.last { item.names.contains(path.plainName) } else { false }
      }.map { (item.column, $0) }
    }
    if named.count == 4 {
      let holds = isOfCandles(named.map { table.numbers($0.1) ?? [] })
      found = named.map {
        ($0.0, $0.1, holds ? .certain : .guess, holds ? "name and order agree" : "by name, but the order is wrong")
      }
    } else {
      let unnamed = numeric.filter { if case .index? = $0.steps.last { true } else { false } }
      guard Set(unnamed.map(\.parent)).count == 1, let order = order(of: unnamed) else { return nil }
      found = Self.names.compactMap { name, _ in
        order[name].map { (name, $0, .guess, "in a usual order, and no row is below its low or above its high") }
      }
    }
    return operation(.candles, found, &names)
  }

  /// The usual orders of prices without names: most exchanges', then those of KuCoin and of Coinbase.
  private static let orders = [
    ["open", "high", "low", "close"], ["open", "close", "high", "low"], ["low", "high", "open", "close"],
  ]

  /// Returns the columns of open, high, low and close: the first four neighbours that all rows allow in one of the
  /// orders; nil when there are none.
  private func order(of columns: [SamplePath]) -> [String: SamplePath]? {
    let choices = columns.indices.lazy.flatMap { start in
      Self.orders.lazy.map { Dictionary(zip($0, columns[start...])) { first, _ in first } }
    }
    return choices.first { order in
      let values = ["open", "high", "low", "close"].compactMap { name in order[name].flatMap(table.numbers) }
      return values.count == 4 && isOfCandles(values)
    }
  }

  /// Whether lists of open, high, low and close have no price below its low or above its high.
  private func isOfCandles(_ values: [[Decimal]]) -> Bool {
    table.rows.indices.allSatisfy { row in
      values[2][row] <= min(values[0][row], values[3][row]) && values[1][row] >= max(values[0][row], values[3][row])
    }
  }

  private func line(_ names: inout SampleNames) -> GuessedOperation? {
    let others = table.columns.filter { $0 != timeSource && table.instants($0) == nil }
    // Rows with words in them describe coins, not times.
    guard !others.contains(where: { table.cells($0).contains { $0.word != nil } }) else { return nil }
    let numeric = others.filter { table.numbers($0) != nil }
    let named = numeric.first { Self.priceNames.contains($0.plainName) && $0.steps.last != .index(1) }
    guard let price = named ?? numeric.first else { return nil }
    let isCalled = table.container.plainName.contains("price")
    let confidence: Confidence = named != nil ? .certain : isCalled ? .certain : numeric.count == 1 ? .likely : .guess
    let why =
      named != nil
      ? "it is called \(price.name ?? "")"
      : isCalled
        ? "the list is called \(table.container.name ?? "")"
        : numeric.count == 1 ? "it is the only other number" : "it is the first of \(numeric.count) other numbers"
    return operation(.line, [("price", price, confidence, why)], &names)
  }

  private func operation(
    _ capability: Capability, _ found: [(column: String, path: SamplePath, confidence: Confidence, why: String)],
    _ names: inout SampleNames
  ) -> GuessedOperation {
    var columns = [timeColumn]
    for item in found {
      columns.append(
        GuessedColumn(field: item.column, source: item.path.text(&names), confidence: item.confidence, why: item.why))
    }
    // The example keeps the first rows of the sample; their order in time does not matter.
    let kept = Set(table.rows.indices.prefix(ProviderGuess.exampleRows))
    let expected = order.filter { kept.contains($0) }.map { row -> [String: String] in
      var cells = ["time": stamps.dates[row].iso8601]
      for item in found { cells[item.column] = table.numbers(item.path)?[row].plainText }
      return cells
    }
    return GuessedOperation(
      capability: capability, rows: Self.access(to: table.container, &names), columns: columns, time: stamps.format,
      width: stamps.spacing, container: table.container, expected: expected)
  }

  /// Returns the way to the rows; a pair name that placeholders cannot write is skipped by searching every element.
  private static func access(to container: SamplePath, _ names: inout SampleNames) -> GuessedOperation.Rows {
    for (index, step) in container.steps.enumerated() {
      guard case .key(let key) = step, names.isOfCoin(key) else { continue }
      var copy = names
      if copy.template(of: key) != nil, copy.ownSymbol == names.ownSymbol || names.ownSymbol == nil {
        continue
      }
      return .nested(
        outer: SamplePath(steps: Array(container.steps[..<index])).text(&names),
        inner: SamplePath(steps: Array(container.steps[(index + 1)...])).text(&names))
    }
    return .each(container.text(&names))
  }
}

extension DeclaredOperation.TimeFormat {
  /// The description of the format.
  var description: String {
    switch self {
    case .seconds: "seconds since 1970"
    case .milliseconds: "milliseconds since 1970"
    case .iso8601: "ISO 8601"
    case .pattern(let pattern): pattern.text
    }
  }
}
