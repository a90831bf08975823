package import BitpalModel

extension RecordingHead {
  /// Returns the command that appends the answer to a question.
  ///
  /// It is nil for a recording that bitpal did not make: a HAR file of another program, or a generated one.
  package func command(adding query: ProviderQuery) -> String? {
    command.isEmpty ? nil : Self.command(adding: query.words, to: folder, provider: provider)
  }

  /// Returns the command that appends to the recording in a folder.
  static func command(adding words: [String], to folder: String, provider: String?) -> String {
    let source = provider.map { ["-p", $0] } ?? []
    let all = ["bitpal", "record", folder, "--append"] + source + ["--"] + words
    return all.map { ShellWord($0).description }.joined(separator: " ")
  }
}

extension ProviderQuery {
  /// The arguments of `bitpal` that ask the question, or a slightly larger one.
  var words: [String] {
    switch self {
    case .quotes(let coins, let currency): ["price"] + coins + ["--currency", currency]
    // Any command that resolves a coin's name needs the list.
    case .coinList: ["search", "bitcoin"]
    case .top(let currency): ["top", "--currency", currency]
    case .detail(let coin, let currency): ["coin", coin, "--currency", currency]
    case .line(let coin, let currency, let window): Self.chart(coin, currency, window, .line)
    case .candles(let coin, let currency, let window, _): Self.chart(coin, currency, window, .candle)
    }
  }

  /// Returns the arguments for the chart of the shortest range that covers the window; the present year is not used,
  /// because its length varies.
  private static func chart(_ coin: String, _ currency: String, _ window: TimeWindow, _ type: ChartType) -> [String] {
    let ranges = ChartTimeRange.standard.filter { $0.types.contains(type) && $0.beginning != .newYear }
    let range = ranges.first { $0.window >= window.length } ?? ranges.last
    return ["chart", coin] + (range.map { ["--range", $0.name] } ?? [])
      + (type == .line ? [] : ["--type", type.rawValue]) + ["--currency", currency]
  }
}
