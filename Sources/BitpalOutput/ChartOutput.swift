package import BitpalCharts
package import BitpalJSON
package import BitpalModel
package import BitpalProviders
import FoundationEssentials

/// The shape `bitpal.chart/1`: a chart's statistics and its points, with the same data as a picture.
package struct ChartOutput: FieldShape {
  /// The coin, range and currency of a chart.
  package struct Subject: Sendable {
    /// The id of the coin.
    package let coin: String
    package let range: ChartTimeRange

    /// The currency, lower case.
    package let currency: String

    /// The configured providers, in order.
    package let providers: [ProviderDescriptor]
    let window: TimeWindow?
    let zone: ClockZone

    /// Creates a subject.
    ///
    /// - Parameters:
    ///   - window: The window of the picture; nil for the range of the points.
    ///   - zone: The time zone of the picture's labels.
    package init(
      coin: String, range: ChartTimeRange, currency: String, providers: [ProviderDescriptor],
      window: TimeWindow? = nil, zone: ClockZone = .utc
    ) {
      self.coin = coin
      self.range = range
      self.currency = currency
      self.providers = providers
      self.window = window
      self.zone = zone
    }

    /// Returns the reason why a series begins later than its range; nil where it does not.
    func incomplete<Value>(_ instants: [Date], of answer: Sourced<Value>, _ type: ChartType) -> String? {
      LateBeginning(instants, of: answer, over: range, type, providers: providers)
        .flatMap { $0.isShort ? $0.message(in: zone) : nil }
    }

    /// Returns the parts of the title, including the kind of series.
    func title(_ kind: String) -> [String] { [coin, range.name, kind, currency.uppercased()] }
  }

  package let subject: Subject
  package let provenance: Provenance
  package let type: ChartType

  /// The width of the candles; nil for a line.
  package let width: Duration?

  /// The statistics of all points, even where fewer are given; nil without points.
  package let statistics: ChartStatistics?

  /// The points that are given; none for candles.
  package let line: [ChartDataPoint]

  /// The candles that are given; none for a line.
  package let candles: [CandleDataPoint]

  /// Whether the last candle's interval had not ended at the time of the fetch, so that its prices may have changed
  /// since.
  package let isLastOpen: Bool

  /// The same data as a picture.
  package let chart: Chart

  /// A sentence on why the points begin later than the range; nil where they do not.
  package let incomplete: String?

  /// Creates the shape of a line.
  ///
  /// - Parameter count: The most points, drawn or listed; nil for all.
  package init(line: Sourced<LineSeries>, _ subject: Subject, atMost count: Int? = nil) {
    self.subject = subject
    provenance = Provenance(line)
    type = .line
    width = nil
    let points = count.map { Resampling.reduce(line.value.points, to: $0) } ?? line.value.points
    self.line = points
    candles = []
    statistics = ChartStatistics(line: line.value.points)
    isLastOpen = false
    incomplete = subject.incomplete(line.value.points.map(\.timestamp), of: line, .line)
    chart = Chart(
      .line(points), titled: subject.title("line"), [provenance], providers: subject.providers, window: subject.window,
      zone: subject.zone)
  }

  /// Creates the shape of candles, which are aggregated until there are at most `count`.
  package init(candles: Sourced<CandleSeries>, _ subject: Subject, atMost count: Int? = nil) {
    self.subject = subject
    provenance = Provenance(candles)
    type = .candle
    let series = count.map { candles.value.reduced(to: $0) } ?? candles.value
    width = series.width
    line = []
    self.candles = series.candles
    statistics = ChartStatistics(candles: candles.value.candles)
    isLastOpen = series.isLastOpen(at: candles.fetchedAt)
    incomplete = subject.incomplete(candles.value.candles.map(\.timestamp), of: candles, .candle)
    var kind = "candle \(series.width.unitText)"
    // A caller that limits the points expects wide candles; otherwise the title says that the source lacks the wanted
    // width.
    if count == nil, series.width != subject.range.candle { kind += " (\(subject.range.candle.unitText) wanted)" }
    chart = Chart(
      .candles(series, isLastOpen: isLastOpen), titled: subject.title(kind), [provenance],
      providers: subject.providers, window: subject.window, zone: subject.zone)
  }

  package static let shape = Shape<Self>(
    "bitpal.chart/1", "A chart of the price of a coin.",
    [
      .coin("coin", "The id.") { $0.subject.coin },
      Field("type", .word(ChartType.allCases.map(\.rawValue), "The type of the points.")) { $0.type.rawValue },
      Field("range", .text("The name of the range, or its days.")) { $0.subject.range.name },
      Field("currency", .currency) { $0.subject.currency },
      Field("provider", .provider) { $0.provenance.source },
      Field("candle", .text("The width of the candles; null for a line.")) { $0.width?.unitText },
      Field(
        "incomplete",
        .text("The reason why the points begin later than was asked for; null where they do not.")
      ) { $0.incomplete },
      Field(
        "points",
        .list(
          .either(
            .object(lineFields.schema, "A point of a line."), .object(candleFields.schema, "A candle."),
            about: "A point or a candle."), "In the order of time.")
      ) { $0.rows },
      .object(
        "statistics", "Figures of all points, also where fewer are given; null without any.", statisticsFields,
        orNull: \.statistics),
    ] + Provenance.fields.of(\.provenance))

  private static let lineFields: Fields<ChartDataPoint> = [
    Field("time", .instant("The time of the price.")) { $0.timestamp },
    Field("price", .decimal("The price.")) { $0.price },
  ]

  private static let candleFields: Fields<CandleDataPoint> = [
    Field("time", .instant("The opening time of the candle.")) { $0.timestamp },
    Field("open", .decimal("The first price.")) { $0.open },
    Field("high", .decimal("The highest price.")) { $0.high },
    Field("low", .decimal("The lowest price.")) { $0.low },
    Field("close", .decimal("The last price.")) { $0.close },
  ]

  private static let statisticsFields: Fields<ChartStatistics> = [
    Field("high", .decimal("The highest price.")) { $0.periodHigh },
    Field("low", .decimal("The lowest price.")) { $0.periodLow },
    Field("start", .decimal("The first price.")) { $0.startPrice },
    Field("end", .decimal("The last price.")) { $0.endPrice },
    Field("change", .decimal("From the first to the last.")) { $0.priceChange },
    Field("change_percent", .decimal("The same in percent of the first.")) { $0.percentageChange },
  ]

  package var columns: [String] {
    switch type {
    case .line: Self.lineFields.keys
    case .candle: Self.candleFields.keys
    }
  }

  package var rows: [JSONObject] {
    switch type {
    case .line: Self.lineFields.objects(line)
    case .candle: Self.candleFields.objects(candles)
    }
  }
}

extension Chart {
  /// Creates a picture with titles above it and the sources of its data.
  init(
    _ content: Content, titled words: [String], _ parts: [Provenance], providers: [ProviderDescriptor],
    remarks: [String] = [], window: TimeWindow?, zone: ClockZone
  ) {
    let warnings = [Provenance.staleText(parts)].compactMap(\.self) + remarks
    self.init(
      content, title: words.map { $0.printable(limit: 120) }.joined(separator: " · "),
      subtitle: Provenance.sources(parts, providers: providers, zone: zone),
      warning: warnings.isEmpty ? nil : warnings.joined(separator: " · "),
      window: window, zone: zone)
  }
}

extension CandleSeries {
  /// Returns the candles aggregated to a wider width, so that there are at most `count`.
  ///
  /// The width is a common one where a multiple of the native width is, and the first candle is whole.
  fileprivate func reduced(to count: Int) -> CandleSeries {
    let count = max(1, count)
    guard candles.count > count else { return self }
    let native = max(1, width.milliseconds)
    let least = (candles.count + count - 1) / count
    let usual = Self.usualWidths.filter { $0 % native == 0 && $0 / native >= Int64(least) }
    let multiples = (0...candles.count).lazy.map { native * Int64(least + $0) }
    for wide in usual + Array(multiples.prefix(candles.count + 1)) {
      let whole = Resampling.wholeCandles(candles, to: .milliseconds(wide))
      if whole.count <= count { return CandleSeries(width: .milliseconds(wide), candles: whole) }
    }
    return self
  }

  /// The common widths of candles, in milliseconds.
  private static let usualWidths: [Int64] =
    [1, 2, 3, 5, 10, 15, 30, 60, 120, 180, 240, 360, 480, 720].map { $0 * 60_000 }
    + [1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 21, 28, 56].map { $0 * 86_400_000 }
}
