import BitpalConfig
import BitpalModel

/// Finds the range of a chart: the one asked for, or the closest one that the type has.
struct ChartRangeChoice {
  private let chart: ChartSettings
  private let type: ChartType

  init(_ chart: ChartSettings, _ type: ChartType) {
    self.chart = chart
    self.type = type
  }

  /// - Parameters:
  ///   - name: What was asked for; nil for the default of the settings.
  ///   - console: Told when another range is shown.
  /// - Throws: ``BitpalError/usage(_:hint:)``.
  func range(_ name: String?, _ console: Console) throws(BitpalError) -> ChartTimeRange {
    let name = name ?? chart.defaultRange
    let names = chart.ranges.map(\.name)
    guard let wanted = chart.ranges.named(name) else {
      let nearest = NearestName.match(name, among: names).map { "did you mean \($0)? " } ?? ""
      throw .usage("--range: there is no \"\(name)\"", hint: nearest + "there are: \(names.joined(separator: ", "))")
    }
    guard let closest = chart.ranges.closest(to: wanted, for: type) else {
      throw .usage("no range is offered for \(type.plural)", hint: "see \"bitpal config show\"")
    }
    if closest != wanted {
      console.notice("\(wanted.name) is not offered for \(type.plural); showing \(closest.name)")
    }
    return closest
  }
}

extension ChartType {
  /// What several of them are called in a sentence.
  fileprivate var plural: String {
    switch self {
    case .line: "lines"
    case .candle: "candles"
    }
  }
}
