package import BitpalModel

extension RecordingHead {
  /// The command that adds the answer to a question; nil for a recording that no command of ours made, which is a HAR file
  /// of another program or one that is generated.
  package func command(adding query: ProviderQuery) -> String? {
    command.isEmpty ? nil : Self.command(adding: query.words, to: folder, provider: provider)
  }

  /// The command that adds to the recording in a folder.
  static func command(adding words: [String], to folder: String, provider: String?) -> String {
    let source = provider.map { ["-p", $0] } ?? []
    let all = ["bitpal", "record", folder, "--append"] + source + ["--"] + words
    return all.map { ShellWord($0).description }.joined(separator: " ")
  }
}

extension ProviderQuery {
  /// The words after `bitpal` that ask it, or a little more.
  var words: [String] {
    switch self {
    case .quotes(let coins, let currency): ["price"] + coins + ["--currency", currency]
    // The list is asked for by whatever needs a coin's name.
    case .coinList: ["search", "bitcoin"]
    case .detail(let coin, let currency): ["coin", coin, "--currency", currency]
    case .line(let coin, let currency, let window): Self.chart(coin, currency, window, .line)
    case .candles(let coin, let currency, let window, _): Self.chart(coin, currency, window, .candle)
    }
  }

  /// The chart of the shortest range that covers the window; how long the year is that has begun, the calendar says.
  private static func chart(_ coin: String, _ currency: String, _ window: TimeWindow, _ type: ChartType) -> [String] {
    let ranges = ChartTimeRange.standard.filter { $0.types.contains(type) && $0.beginning != .newYear }
    let range = ranges.first { $0.window >= window.length } ?? ranges.last
    return ["chart", coin] + (range.map { ["--range", $0.name] } ?? [])
      + (type == .line ? [] : ["--type", type.rawValue]) + ["--currency", currency]
  }
}
