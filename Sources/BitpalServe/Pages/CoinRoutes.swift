import BitpalCharts
import BitpalModel
import BitpalOutput
import BitpalPortfolio
import BitpalService
import FoundationEssentials

/// A coin: its page, and its chart as a file.
struct CoinRoutes: Sendable {
  private let site: Site
  private let charts: NativeChartRoutes

  init(_ site: Site) {
    self.site = site
    charts = NativeChartRoutes(site.market)
  }

  private var market: Market { site.market }

  func page(_ name: String, _ request: WebRequest) async throws -> WebResponse {
    // All at once: a coin without a chart or market figures has its price all the same.
    async let drawn = chart(name, request)
    async let known = detail(name)
    let prices = try await market.quotes.quotes([name], currency: site.currency)
    guard let quote = try prices[name]?.get() else { throw BitpalError.notFound(coin: name, provider: "") }
    let followed = try site.followed()
    let (detail, chart) = (await known, await drawn)
    let page = CoinPage(
      site: site, quote: quote, detail: detail, chart: chart,
      isFollowed: site.canChange ? followed.contains(quote.value.id) : nil,
      // The other coins of the watchlist, with which it may be compared.
      suggestions: followed.filter { $0 != quote.value.id }.map { market.service.name(ofID: $0) })
    // A part that met a used-up budget comes when that is free again.
    let refreshes = [detail.error?.refreshHeaders, chart.content.error?.refreshHeaders].compactMap(\.self)
    return WebResponse(page.page, site, headers: refreshes.first { !$0.isEmpty } ?? [])
  }

  /// The market figures, or why there are none.
  private func detail(_ name: String) async -> Result<Sourced<CoinDetail>, BitpalError> {
    do {
      return .success(try await market.service.detail(name, currency: site.currency))
    } catch {
      return .failure(BitpalError(of: error))
    }
  }

  /// The chart that is asked for, or why there is none.
  private func chart(_ name: String, _ request: WebRequest) async -> CoinChart {
    let asked = try? charts.asked(request)
    let fallback = CoinChart.Shape(
      type: asked?.type ?? market.defaults.type, range: asked?.range.name ?? market.defaults.range, other: nil)
    do {
      if let other = request["with"] {
        let output = try await comparison(name, other, request)
        return CoinChart(
          shape: CoinChart.Shape(type: .line, range: output.range.name, other: other),
          content: .success(.comparison(output)))
      }
      return CoinChart(shape: fallback, content: .success(.single(try await charts.output(name, request))))
    } catch {
      return CoinChart(shape: fallback.with(request["with"]), content: .failure(BitpalError(of: error)))
    }
  }

  private func comparison(_ name: String, _ other: String, _ request: WebRequest) async throws -> ComparisonOutput {
    let range = try charts.asked(request, only: .line).range
    var series: [ComparisonOutput.Series] = []
    for coin in [name, other] {
      let line = try await market.service.line(coin, range: range, currency: site.currency)
      if !series.contains(where: { $0.coin == line.about.coin }) {
        series.append(ComparisonOutput.Series(coin: line.about.coin, line: line))
      }
    }
    return ComparisonOutput(
      series, failures: [], range: range, currency: site.currency, providers: market.service.descriptors,
      atMost: nil, zone: market.defaults.zone)
  }

  /// The chart as a file: the picture of `--svg`, or the numbers of `--format csv` and `--format json`.
  func download(_ name: String, _ request: WebRequest) async throws -> WebResponse {
    guard let form = request["as"].flatMap(DownloadForm.init) else {
      throw BitpalError.usage(
        "as: \"\(request["as"] ?? "")\" is no kind of file",
        hint: "there are: "
          + DownloadForm.allCases.map(\.rawValue).joined(separator: ", "))
    }
    let output: any OutputShape
    let chart: Chart
    let words: [String]
    if let other = request["with"] {
      let comparison = try await comparison(name, other, request)
      (output, chart) = (comparison, comparison.chart)
      words = comparison.series.map(\.coin) + [comparison.range.name]
    } else {
      let single = try await charts.output(name, request)
      (output, chart) = (single, single.chart)
      words = [single.subject.coin, single.subject.range.name, single.type.rawValue]
    }
    let file = words.joined(separator: "-").map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" }
    let header = WebHeader(
      "Content-Disposition", "attachment; filename=\"\(String(file.prefix(100))).\(form.rawValue)\"")
    return switch form {
    case .svg: WebResponse(SVGChart(chart).document(), as: .svg, headers: [header])
    case .csv: WebResponse(output.csv, as: .csv, headers: [header])
    case .json: WebResponse(output.jsonText, as: .json, headers: [header])
    }
  }
}

/// The files that a chart can be had as.
enum DownloadForm: String, CaseIterable, Sendable {
  case svg
  case csv
  case json
}

/// A chart of a coin's page.
struct CoinChart: Sendable {
  /// The parts of a chart that an address states.
  struct Shape: Equatable, Sendable {
    let type: ChartType

    /// The range's name.
    let range: String

    /// The coin that it is compared with; nil for none.
    let other: String?

    func with(_ other: String?) -> Shape { Shape(type: type, range: range, other: other) }
    func of(_ type: ChartType) -> Shape { Shape(type: type, range: range, other: nil) }
    func over(_ range: String) -> Shape { Shape(type: type, range: range, other: other) }

    /// Its page.
    func page(of name: String) -> PagePath {
      PagePath(["coin", name], query: ["range": range, "type": typeText, "with": other])
    }

    /// It as a file.
    func file(of name: String, _ form: DownloadForm) -> PagePath {
      PagePath(["download", name], query: ["as": form.rawValue, "range": range, "type": typeText, "with": other])
    }

    /// A comparison is of lines.
    private var typeText: String? { other == nil ? type.rawValue : nil }
  }

  /// The content of a chart.
  enum Content: Sendable {
    case single(ChartOutput)
    case comparison(ComparisonOutput)

    var chart: Chart {
      switch self {
      case .single(let output): output.chart
      case .comparison(let output): output.chart
      }
    }

    /// Returns the reasons why its series begin later than was asked for, a sentence each.
    func incomplete(_ market: Market) -> [String] {
      switch self {
      case .single(let output): [output.incomplete].compactMap(\.self)
      case .comparison(let output):
        output.series.compactMap { series in
          market.incomplete(series.line.value.points.map(\.timestamp), of: series.line, over: output.range, .line)
        }
      }
    }

    /// The provenance of its parts.
    var parts: [Provenance] {
      switch self {
      case .single(let output): [output.provenance]
      case .comparison(let output): output.series.map { Provenance($0.line) }
      }
    }
  }

  let shape: Shape
  let content: Result<Content, BitpalError>
}
