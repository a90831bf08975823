import BitpalModel
import BitpalProviders
import FoundationEssentials

/// A search for candles or a line in parallel lists: one of times, others of as many numbers.
///
/// Chart services answer in this form (`timestamp: […]`, `close: […]`). The first number of such a list is the oldest
/// price of a series, and not the latest price.
struct ParallelGuess {
  /// A list of numbers, texts and nulls.
  private struct Column {
    let path: SamplePath
    let items: [SampleNode]

    /// The numbers, with nil for each null; nil unless more than half of the elements are numbers and none is another
    /// text.
    var numbers: [Decimal?]? {
      let numbers = items.map(\.decimal)
      let areNumbersOrNull = items.allSatisfy { $0.word == nil }
      return areNumbersOrNull && numbers.compactMap { $0 }.count * 2 > items.count ? numbers : nil
    }
  }

  private let time: Column
  private let stamps: SampleRows.Stamps

  /// The lists of numbers parallel to the times, in the order of the sample.
  private let others: [(column: Column, numbers: [Decimal?])]

  /// The paths of the times and of every list of as many numbers, which the example shortens.
  private let lists: [SamplePath]

  /// Returns the candles or the line of a sample; nil when it has neither.
  static func find(
    in sample: SampleNode, asking wanted: Capability?, _ names: inout SampleNames
  ) -> GuessedOperation? {
    guard let guess = ParallelGuess(sample) else { return nil }
    if wanted != .line, let candles = guess.candles(&names) { return candles }
    return wanted == .candles ? nil : guess.line(&names)
  }

  /// The names of a line's price, the best first; `v` is the volume in this form.
  private static let priceNames = [
    "close", "c", "closeprice", "price", "prices", "p", "priceusd", "value", "rate", "last",
  ]

  /// Returns the lengths of the lists of times in a sample.
  static func lengthsOfTimes(in sample: SampleNode) -> Set<Int> {
    Set(columns(in: sample).filter { SampleRows.Stamps($0.items.map(\.instant)) != nil }.map(\.items.count))
  }

  private init?(_ sample: SampleNode) {
    let columns = Self.columns(in: sample)
    let times = columns.compactMap { column in
      SampleRows.Stamps(column.items.map(\.instant)).map { (column: column, stamps: $0) }
    }
    let named = times.first { SeriesGuess.timeNames.contains($0.column.path.plainName) }
    guard let found = named ?? times.first else { return nil }
    let alike = columns.filter { $0.items.count == found.column.items.count }
    let all = alike.filter { $0.path != found.column.path }
      .compactMap { column in column.numbers.map { (column: column, numbers: $0) } }
    // If an answer has several results, the times belong to the numbers of the same object.
    let near = all.filter { $0.column.path.steps.starts(with: found.column.path.parent.steps) }
    guard !all.isEmpty else { return nil }
    (time, stamps, others) = (found.column, found.stamps, near.isEmpty ? all : near)
    lists = [found.column.path] + all.map(\.column.path)
  }

  /// Returns every list in a sample that is the value of a key and contains no lists or objects.
  private static func columns(in node: SampleNode, at path: SamplePath = SamplePath()) -> [Column] {
    if case .array(let items) = node, !items.isEmpty, !items.contains(where: \.isContainer) {
      if case .key? = path.steps.last { return [Column(path: path, items: items)] }
      return []
    }
    return node.children.flatMap { columns(in: $0.node, at: path + $0.step) }
  }

  private func candles(_ names: inout SampleNames) -> GuessedOperation? {
    let found = SeriesGuess.names.compactMap { item in
      others.first { item.names.contains($0.column.path.plainName) }.map { (item.column, $0) }
    }
    guard found.count == 4 else { return nil }
    let holds = time.items.indices.allSatisfy { row in
      let values = found.compactMap { $0.1.numbers[row] }
      // A candle with a missing price is omitted, so it cannot break the rule.
      guard values.count == 4 else { return true }
      return values[2] <= min(values[0], values[3]) && values[1] >= max(values[0], values[3])
    }
    return operation(
      .candles,
      found.map { field, other in
        (field, other, holds ? .certain : .guess, holds ? "name and order agree" : "by name, but the order is wrong")
      }, &names)
  }

  private func line(_ names: inout SampleNames) -> GuessedOperation? {
    guard time.items.count > 1 else { return nil }
    let named =
      Self.priceNames.lazy.compactMap { name in others.first { $0.column.path.plainName == name } }.first
    let called = others.first { $0.column.path.plainName.contains("price") }
    guard let price = named ?? called ?? others.first else { return nil }
    let isNamed = named != nil || called != nil
    let why =
      isNamed
      ? "the list is called \(price.column.path.name ?? "")"
      : others.count == 1
        ? "it is the only list of as many numbers as there are times" : "it is the first of several lists"
    let confidence: Confidence = isNamed ? .certain : others.count == 1 ? .likely : .guess
    var operation = operation(.line, [("price", price, confidence, why)], &names)
    if confidence != .certain {
      operation.candidates = others.filter { $0.column.path != price.column.path }.prefix(
        GuessedOperation.candidatesShown
      )
      .map { other in
        GuessedColumn(
          field: "price", source: other.column.path.text(&names), confidence: .guess,
          why: "a list of as many numbers as there are times")
      }
    }
    return operation
  }

  private func operation(
    _ capability: Capability,
    _ found: [(field: String, other: (column: Column, numbers: [Decimal?]), confidence: Confidence, why: String)],
    _ names: inout SampleNames
  ) -> GuessedOperation {
    let source = time.path.text(&names)
    var columns = [
      GuessedColumn(
        field: "time", source: source, confidence: .certain,
        why: "a list of times beside the others, written as \(stamps.format.words)")
    ]
    for item in found {
      columns.append(
        GuessedColumn(
          field: item.field, source: item.other.column.path.text(&names), confidence: item.confidence, why: item.why))
    }
    let kept = time.items.indices.prefix(ProviderGuess.exampleRows).sorted { stamps.dates[$0] < stamps.dates[$1] }
    let expected = kept.compactMap { row -> [String: String]? in
      var cells = ["time": stamps.dates[row].iso8601]
      for item in found {
        guard let number = item.other.numbers[row] else { return nil }
        cells[item.field] = number.plainText
      }
      return cells
    }
    return GuessedOperation(
      capability: capability, rows: .parallel(source), columns: columns, time: stamps.format, width: stamps.spacing,
      lists: lists, expected: expected)
  }
}
