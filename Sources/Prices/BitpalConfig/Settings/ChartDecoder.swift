import BitpalJSON
import BitpalModel

/// A decoder of `chart:` in a settings file.
struct ChartDecoder {
  /// Reads the mapping into chart settings with the standard values.
  func decode(_ value: DeclaredValue, into chart: inout ChartSettings) {
    let decoder = value.mapping(keys: ["default_type", "last_type", "default_range", "ranges"])
    if let type = decoder["default_type"]?.choice(of: ChartType.self) { chart.defaultType = type }
    if let type = decoder["last_type"]?.choice(of: ChartType.self) { chart.lastType = type }
    var names = chart.ranges.map(\.name)
    if let ranges = decoder["ranges"] { names = decodeRanges(ranges, into: &chart) }
    guard let value = decoder["default_range"], let name = value.text() else { return }
    if let known = names.first(where: { $0.lowercased() == name.lowercased() }) {
      chart.defaultRange = known
    } else {
      value.report("unknown range \"\(name.printable(limit: 60))\"; valid here: \(names.joined(separator: ", "))")
    }
  }

  /// Reads the ranges, and returns all names, including those with a bad definition, so that a mistake is reported
  /// once.
  private func decodeRanges(_ value: DeclaredValue, into chart: inout ChartSettings) -> [String] {
    var names = chart.ranges.map(\.name)
    var defined: Set<String> = []
    for range in value.mapping(keys: nil).values {
      let name = range.entry.key
      guard !name.isEmpty, !name.contains(where: \.isWhitespace) else {
        range.reportKey("a range needs a name without spaces")
        continue
      }
      guard defined.insert(name.lowercased()).inserted else {
        range.reportKey("the range \"\(name.printable(limit: 60))\" is there already, in other letters")
        continue
      }
      let standard = chart.ranges.named(name)
      if standard == nil { names.append(name) }
      guard let decoded = self.range(range, standard: standard) else { continue }
      if let index = chart.ranges.firstIndex(where: { $0.name == decoded.name }) {
        chart.ranges[index] = decoded
      } else {
        chart.ranges.append(decoded)
      }
    }
    return names
  }

  private func range(_ value: DeclaredValue, standard: ChartTimeRange?) -> ChartTimeRange? {
    let decoder = value.mapping(keys: ["window", "points", "candle", "ttl", "types"])
    guard standard != nil || checkNothingMissing(value, decoder) else { return nil }
    guard
      let (window, beginning) = read(decoder["window"], else: standard.map { ($0.window, $0.beginning) }, as: window),
      let points = read(decoder["points"], else: standard?.points, as: { $0.integer(in: 1...10_000) }),
      let candle = read(decoder["candle"], else: standard?.candle, as: { $0.duration() }),
      let ttl = read(decoder["ttl"], else: standard?.timeToLive, as: { $0.duration() }),
      // A standard range with another window counts as a new range, which has both types by default.
      let types = read(
        decoder["types"], else: decoder["window"] == nil ? standard?.types : Set(ChartType.allCases), as: types)
    else { return nil }
    guard candle <= window else {
      (decoder["candle"] ?? value).report("a candle of \(candle.unitText) is wider than its window, \(window.unitText)")
      return nil
    }
    return ChartTimeRange(
      name: standard?.name ?? value.entry.key, window: window, points: points, candle: candle, timeToLive: ttl,
      types: types, beginning: beginning)
  }

  /// Reads a duration, or the word for a range that begins with the year or with the first price.
  private func window(_ value: DeclaredValue) -> (Duration, ChartTimeRange.Beginning)? {
    if case .scalar(let text, _) = value.entry.value.content {
      for standard in ChartTimeRange.standard where text.lowercased() == standard.windowWord {
        return (standard.window, standard.beginning)
      }
    }
    return value.duration().map { ($0, .windowAgo) }
  }

  private func checkNothingMissing(_ value: DeclaredValue, _ decoder: MappingDecoder) -> Bool {
    let node = value.entry.value
    guard node.entries != nil || node.isEmpty else { return false }
    let missing = ["window", "points", "candle", "ttl"].filter { decoder[$0] == nil }
    guard missing.isEmpty else {
      value.reportKey("\(value.name) lacks \(missing.joined(separator: ", "))")
      return false
    }
    return true
  }

  /// Returns the decoded value, or the fallback when the key is missing; nil for a bad value.
  private func read<Value>(
    _ value: DeclaredValue?, else fallback: Value?, as read: (DeclaredValue) -> Value?
  ) -> Value? {
    guard let value else { return fallback }
    return read(value)
  }

  private func types(_ value: DeclaredValue) -> Set<ChartType>? {
    let items = value.items()
    guard !items.isEmpty else { return value.reject("\(value.name) must have at least one of line, candle") }
    var types: Set<ChartType> = []
    for item in items {
      guard let type = item.choice(of: ChartType.self) else { return nil }
      types.insert(type)
    }
    return types
  }
}
