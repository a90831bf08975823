import BitpalJSON
import BitpalModel
import FoundationEssentials

/// An operation of a provider file whose SELECT has been compiled without a fault.
struct CompiledOperation: Sendable {
  private(set) var declared: DeclaredOperation

  /// The SELECT, made of whichever form the file uses.
  let sql: String

  /// The table of the rows; nil unless the operation is of the short form.
  let from: String?

  /// The place in the provider file that failures name.
  let place: DeclaredText

  /// The SELECT's columns, in their order.
  let columns: [String]

  /// The SELECT's parameters.
  let parameters: [String]

  /// The URL after the base URL; with several paths, the one that goes back to the beginning.
  let url: [DeclaredPlaceholder.Part]

  /// The paths that go less far back, the shortest reach first.
  var reaches: [(length: Duration, url: [DeclaredPlaceholder.Part])] = []

  /// The body of a POST; nil for a GET.
  var body: BodyTemplate?

  /// The SELECT of the arrays from which rows are made; nil unless the answer has an array per column.
  var columnsSQL: String?

  /// The SELECT of the zone whose days the rows are; nil unless the answer says it.
  var daysSQL: String?

  /// The placeholders of all URLs and of the body.
  var placeholders: Set<DeclaredPlaceholder> {
    Set((url + reaches.flatMap(\.url)).compactMap(\.name) + (body?.placeholders ?? []))
  }

  /// The beginning of the calendar year or month that a request names by a part of the end of a window (`{to:yyyy}`)
  /// alone; nil where nothing does, or something else says where the answer begins or ends.
  var startOfPeriod: ((Date) -> Date)? {
    let whole: Set<DeclaredPlaceholder> = [
      .from, .fromMilliseconds, .fromISO, .days, .toMilliseconds, .toISO,
    ]
    let patterns = dates
    guard !patterns.isEmpty, reaches.isEmpty, placeholders.isDisjoint(with: whole), !url.contains(.placeholder(.to)),
      !patterns.contains(where: \.parts.day)
    else { return nil }
    return patterns.contains(where: \.parts.month) ? ClockZone.utc.startOfMonth : ClockZone.utc.startOfYear
  }

  /// Whether a request names a calendar year, a month or a day and no coin, so that nothing there means that the source has no
  /// file of that time.
  var namesPeriodAlone: Bool {
    (startOfPeriod != nil || namesDay) && placeholders.isDisjoint(with: [.id, .upperID, .symbol, .upperSymbol])
  }

  /// Whether each request is for one day, that of `{to}`.
  var namesDay: Bool {
    declared.limit == 1 && (dates.contains(where: \.parts.day) || placeholders.contains(.date))
  }

  /// The notations of the dates in the URL.
  private var dates: [TimePattern] {
    url.compactMap { if case .date(_, let pattern) = $0 { pattern } else { nil } }
  }

  /// Returns the URL after the base URL for an answer that goes back that far.
  ///
  /// - Parameter length: The time that the answer goes back; nil for all there is.
  func url(reaching length: Duration?) -> [DeclaredPlaceholder.Part] {
    length.flatMap { length in reaches.first { $0.length >= length }?.url } ?? url
  }

  /// Returns the same operation with prices that are multiplied by a factor, for an answer in a part of the currency;
  /// nil when the factor of the file times that one has more digits than fit.
  func multiplied(by factor: Decimal) -> CompiledOperation? {
    var operation = self
    if let declared = declared.numbers.factor {
      guard let product = declared.exactProduct(factor) else { return nil }
      operation.declared.numbers.factor = product
    } else {
      operation.declared.numbers.factor = factor
    }
    return operation
  }

  /// Returns the index of a column; nil when the SELECT does not have it.
  func column(_ name: String) -> Int? {
    columns.firstIndex(of: name)
  }

  /// Whether a coin can only be asked for, or found, by its ticker.
  var needsSymbol: Bool {
    declared.hasAllCoins && column("id") == nil
      || !placeholders.isDisjoint(with: [.symbol, .upperSymbol, .upperSymbols])
      || parameters.contains { $0 == ":symbol" || $0 == ":SYMBOL" }
  }
}

extension DeclaredOperation {
  /// Returns the source's candle width from which candles of `wanted` are made; nil when the source has no widths.
  func interval(for wanted: Duration) -> Interval? {
    let width = Resampling.nativeWidth(for: wanted, among: intervals.map(\.width))
    return intervals.first { $0.width == width }
  }

  /// Returns the narrowest spacing at which one answer of the source covers the window, otherwise the widest.
  ///
  /// It is nil when the source has no widths.
  func interval(covering window: Duration) -> Interval? {
    let most = Int64(isCounted ? Self.defaultPoints : limit ?? Self.defaultPoints)
    return intervals.filter { window.milliseconds / max(1, $0.width.milliseconds) < most }.min { $0.width < $1.width }
      ?? intervals.max { $0.width < $1.width }
  }

  /// The most points of an answer where the file has no `limit`, about as many as a terminal can show.
  private static let defaultPoints = 500
}
