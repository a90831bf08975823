import BitpalModel

/// An operation whose SELECT has been compiled once without a fault.
struct CompiledOperation: Sendable {
  let declared: DeclaredOperation

  /// The SELECT, whichever form it was written in.
  let sql: String

  /// The table of the rows; nil unless the operation is of the short form.
  let from: String?

  /// The place that failures name.
  let place: DeclaredText

  /// The SELECT's columns, in their order.
  let columns: [String]

  /// The SELECT's parameters.
  let parameters: [String]

  /// The URL after the base URL; of several paths the one that goes back to the beginning.
  let url: [DeclaredPlaceholder.Part]

  /// The paths that go less far back, the shortest reach first.
  var reaches: [(length: Duration, url: [DeclaredPlaceholder.Part])] = []

  /// The body of a POST; nil for a GET.
  var body: BodyTemplate?

  /// The SELECT of the arrays out of which rows are made; nil unless there is an array for each column.
  var columnsSQL: String?

  /// Whatever is filled into the request.
  var placeholders: Set<DeclaredPlaceholder> {
    Set((url + reaches.flatMap(\.url)).compactMap(\.name) + (body?.placeholders ?? []))
  }

  /// Returns the URL after the base URL for an answer that goes back so far; nil for all that there is.
  func url(reaching length: Duration?) -> [DeclaredPlaceholder.Part] {
    length.flatMap { length in reaches.first { $0.length >= length }?.url } ?? url
  }

  /// The position of a column.
  func column(_ name: String) -> Int? {
    columns.firstIndex(of: name)
  }

  /// Whether a coin can only be asked for by its ticker.
  var needsSymbol: Bool {
    !placeholders.isDisjoint(with: [.symbol, .upperSymbol, .upperSymbols])
      || parameters.contains { $0 == ":symbol" || $0 == ":SYMBOL" }
  }
}

extension DeclaredOperation {
  /// Returns the source's candle width to ask for when candles of `wanted` are; nil when it has none.
  func interval(for wanted: Duration) -> Interval? {
    let width = Resampling.nativeWidth(for: wanted, among: intervals.map(\.width))
    return intervals.first { $0.width == width }
  }

  /// The narrowest spacing of a line of which no more points cover the window than the source gives, else the widest.
  func interval(covering window: Duration) -> Interval? {
    let most = Int64(limit ?? Self.defaultPoints)
    return intervals.filter { window.milliseconds / max(1, $0.width.milliseconds) < most }.min { $0.width < $1.width }
      ?? intervals.max { $0.width < $1.width }
  }

  /// About as many points as a terminal can show, where a file does not say how many a source gives.
  private static let defaultPoints = 500
}
