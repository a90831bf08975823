package import BitpalCharts
package import BitpalJSON
package import BitpalModel
import BitpalProviders
package import BitpalQueries
import FoundationEssentials

/// The shape `bitpal.chart/1`: a chart's statistics and its points, with the same data as a picture.
package struct ChartOutput: FieldShape {
  /// The id of the coin.
  package let coin: String

  /// The coin as titles name it.
  package let title: String

  /// The type, range and currency of the chart.
  package let question: ChartQuestion
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

  /// Whether each point or candle is that of a day or of several days, so that a date names it.
  package let isOfDays: Bool

  /// The same data as a picture.
  package let chart: Chart

  /// A sentence on why the points begin later than the range; nil where they do not.
  package let incomplete: String?

  /// Creates the shape; candles are aggregated until there are at most `count`.
  ///
  /// - Parameter count: The most points, drawn or listed; nil for all.
  package init(_ series: ChartSeries, _ question: ChartQuestion, atMost count: Int? = nil) {
    coin = series.coin
    title = question.title(of: series.origin)
    self.question = question
    provenance = Provenance(series.origin)
    type = series.type
    incomplete = question.incomplete(series)
    isOfDays = series.isOfDays
    let content: Chart.Content
    var kind: String
    switch series {
    case .line(let answer):
      width = nil
      line = count.map { Resampling.reduce(answer.value.points, to: $0) } ?? answer.value.points
      candles = []
      statistics = ChartStatistics(line: answer.value.points)
      isLastOpen = false
      (content, kind) = (.line(line), "line")
    case .candles(let answer):
      let candles = count.map { answer.value.reduced(to: $0) } ?? answer.value
      width = candles.width
      line = []
      self.candles = candles.candles
      statistics = ChartStatistics(candles: answer.value.candles)
      isLastOpen = candles.isLastOpen(at: answer.fetchedAt)
      (content, kind) = (.candles(candles, isLastOpen: isLastOpen), "candle \(candles.width.unitText)")
      // A caller that limits the points expects wide candles; otherwise the title says that the source lacks the wanted
      // width.
      if count == nil, candles.width != question.range.candle {
        kind += " (\(question.range.candle.unitText) wanted)"
      }
    }
    chart = Chart(
      content, titled: [title, question.range.spelledOut, kind, question.currency.uppercased()], [provenance],
      providers: question.descriptors, unit: question.currency, window: question.window(of: series),
      zone: question.zone, isOfDays: isOfDays)
  }

  package static let shape = Shape<Self>(
    "bitpal.chart/1", "A chart of the price of a coin.",
    [
      .coin("coin", "The id.") { $0.coin },
      Field("type", .word(ChartType.allCases.map(\.rawValue), "The type of the points.")) { $0.type.rawValue },
      Field("range", .text("The name of the range, or its days.")) { $0.question.range.name },
      Field("currency", .currency) { $0.question.currency },
      Field("provider", .provider) { $0.provenance.source },
      Field("candle", .text("The width of the candles; null for a line.")) { $0.width?.unitText },
      Field("daily", .flag("Whether each point or candle is of a day or of several days, which a date names.")) {
        $0.isOfDays
      },
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

  private typealias CandleRow = (candle: CandleDataPoint, isOpen: Bool)

  private static let candleFields: Fields<CandleRow> = [
    Field("time", .instant("The opening time of the candle.")) { $0.candle.timestamp },
    Field("open", .decimal("The first price.")) { $0.candle.open },
    Field("high", .decimal("The highest price.")) { $0.candle.high },
    Field("low", .decimal("The lowest price.")) { $0.candle.low },
    Field("close", .decimal("The last price.")) { $0.candle.close },
    Field("change", .decimal("From the first to the last price.")) { $0.candle.priceChange },
    Field("change_percent", .decimal("The same in percent of the first.")) { $0.candle.percentageChange },
    Field("direction", .word(["up", "down", "level"], "The direction of the change.")) { row in
      row.candle.close == row.candle.open ? "level" : row.candle.close > row.candle.open ? "up" : "down"
    },
    Field("is_open", .flag("Whether its time was not over when it was fetched, so that it may still change.")) {
      $0.isOpen
    },
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
    case .candle:
      Self.candleFields.objects(candles.enumerated().map { ($1, isLastOpen && $0 == candles.count - 1) })
    }
  }
}

extension Chart {
  /// Creates a picture with titles above it and the sources of its data.
  init(
    _ content: Content, titled words: [String], _ parts: [Provenance], providers: [ProviderDescriptor],
    unit: String, remarks: [String] = [], window: TimeWindow?, zone: ClockZone, isOfDays: Bool = false
  ) {
    let warnings = [Provenance.staleText(parts)].compactMap(\.self) + remarks
    self.init(
      content, title: words.map { $0.printable(limit: 120) }.joined(separator: " · "),
      subtitle: Provenance.sources(parts, providers: providers, zone: zone), unit: unit.uppercased(),
      warning: warnings.isEmpty ? nil : warnings.joined(separator: " · "),
      window: window, zone: isOfDays ? .utc : zone)
    self.isOfDays = isOfDays
  }
}

extension CandleSeries {
  /// Returns the candles aggregated to a wider width, so that there are at most `count`.
  ///
  /// The width is a common one where a multiple of the native width is. The first candle begins with the first of them, so
  /// that each is made of as many.
  fileprivate func reduced(to count: Int) -> CandleSeries {
    let count = max(1, count)
    guard let first = candles.first?.timestamp, let last = candles.last?.timestamp, candles.count > count else {
      return self
    }
    let native = max(1, width.milliseconds)
    // Pauses of trading have no candles.
    let least = (candles.count + count - 1) / count
    let usual = Self.usualWidths.filter { $0 % native == 0 && $0 / native >= Int64(least) }
    let most = last.since(first).milliseconds / native + 1
    let multiples = (0...most).lazy.map { native * (Int64(least) + $0) }
    for wide in usual + Array(multiples) {
      let whole = Resampling.aggregate(candles, to: .milliseconds(wide), from: first)
      if whole.count <= count { return CandleSeries(width: .milliseconds(wide), candles: whole) }
    }
    return self
  }

  /// The common widths of candles, in milliseconds.
  private static let usualWidths: [Int64] =
    [1, 2, 3, 5, 10, 15, 30, 60, 120, 180, 240, 360, 480, 720].map { $0 * 60_000 }
    + [1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 21, 28, 56].map { $0 * 86_400_000 }
}
