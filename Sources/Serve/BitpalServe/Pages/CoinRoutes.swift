import Bitpal
import BitpalCharts
import BitpalModel
import BitpalOutput
import BitpalPortfolio
import BitpalQueries
import FoundationEssentials

/// The routes of a coin: its page, and its chart as a file.
struct CoinRoutes: Sendable {
  private let site: Site
  private let charts: NativeChartRoutes

  init(_ site: Site) {
    self.site = site
    charts = NativeChartRoutes(site.market)
  }

  private var market: Market { site.market }

  /// Returns the page of a coin.
  ///
  /// - Throws: The error for the price; failures of the chart and the market figures are shown on the page.
  func page(_ name: String, _ request: WebRequest) async throws -> WebResponse {
    // The figures often come with the price, so they are asked for after it; but where there are none yet, before a price that
    // has a source is renewed, which would take the request that they wait for. A failure of the chart or of the figures
    // leaves the price.
    async let drawn = chart(name, request)
    let query = PricesQuery([name], currency: site.currency)
    let figures = await awaitsFigures(query, name) ? await detail(name) : nil
    let quote = try await market.quotes.answer(query).demand(name)
    let detail = if let figures { figures } else { await detail(name) }
    let followed = try site.followed()
    let chart = await drawn
    let page = CoinPage(
      site: site, quote: quote, detail: detail, chart: chart,
      isFollowed: site.canChange ? followed.contains(quote.value.id) : nil,
      renaming: WellKnownCoins.renaming(of: name, to: quote.value.id, at: quote.source),
      // The other coins of the watchlist are suggested for a comparison.
      suggestions: followed.filter { $0 != quote.value.id }.map { market.service.name(ofID: $0) })
    // The page loads again when the source that a part lacked may be asked again.
    let refreshes = page.page.pause == nil ? [detail.error, chart.content.error].compactMap { $0?.refreshHeaders } : []
    // A part that a source lacks leaves the page an answer; a bad parameter does not.
    let status = if let error = chart.content.error, error.code == .usage { error.status } else { 200 }
    let chosen = status == 200 ? try ChartQuery(request, last: request[ChartQuery.last.name]).chosenType : nil
    let kept = PageView.remembering(chosen, request, market.zones).map { [$0] } ?? []
    return WebResponse(page.page, site, status: status, headers: kept + (refreshes.first { !$0.isEmpty } ?? []))
  }

  /// Returns whether a coin has a price from a source of now, and no market figures, not even old ones.
  private func awaitsFigures(_ query: PricesQuery, _ name: String) async -> Bool {
    guard let known = try? await query.answer(by: market.service, policy: .offline).demand(name),
      market.service.isPriced(id: known.value.id, in: site.currency)
    else { return false }
    return (try? await market.service.detail(name, currency: site.currency, policy: .offline)) == nil
  }

  /// Returns the market figures, or the error.
  private func detail(_ name: String) async -> Result<Sourced<CoinDetail>, BitpalError> {
    do {
      return .success(try await market.service.detail(name, currency: site.currency))
    } catch {
      return .failure(BitpalError(of: error))
    }
  }

  /// Returns the requested chart, or the error as its content.
  private func chart(_ name: String, _ request: WebRequest) async -> CoinChart {
    let asked = try? question(request)
    let fallback = CoinChart.Shape(
      type: asked?.type ?? market.defaults.type, range: asked?.range.name ?? market.defaults.range, other: nil,
      currency: site.otherCurrency)
    do {
      if let other = request["with"] {
        let output = try await comparison(name, other, request)
        return CoinChart(
          shape: fallback.of(.line).over(output.question.range.name).with(other),
          content: .success(.comparison(output)))
      }
      return CoinChart(shape: fallback, content: .success(.single(try await charts.output(name, request))))
    } catch {
      return CoinChart(shape: fallback.with(request["with"]), content: .failure(BitpalError(of: error)))
    }
  }

  private func comparison(_ name: String, _ other: String, _ request: WebRequest) async throws -> ComparisonOutput {
    let question = try question(request, only: .line)
    let comparison = try await question.comparison([name, other], by: market.service)
    if let failure = comparison.failures.first { throw failure.error }
    return ComparisonOutput(comparison, question)
  }

  private func question(_ request: WebRequest, only: ChartType? = nil) throws -> ChartQuestion {
    try ChartQuery(request, last: request[ChartQuery.last.name]).question(
      only: only, market.defaults, currency: site.currency, by: market.service)
  }

  /// Returns the chart as a file: the picture of `--svg`, or the numbers of `--format csv` and `--format json`.
  ///
  /// - Throws: `BitpalError.usage` for a bad `as` or other parameter, otherwise the error of the source.
  func download(_ name: String, _ request: WebRequest) async throws -> WebResponse {
    guard let form = request["as"].flatMap(DownloadForm.init) else {
      throw BitpalError.usage(
        "as: \"\(request["as"] ?? "")\" is not a kind of file",
        hint: "there are: "
          + DownloadForm.allCases.map(\.rawValue).joined(separator: ", "))
    }
    let output: any OutputShape
    let chart: Chart
    let words: [String]
    if let other = request["with"] {
      let comparison = try await comparison(name, other, request)
      (output, chart) = (comparison, comparison.chart)
      words = comparison.series.map(\.coin) + [comparison.question.range.name]
    } else {
      let single = try await charts.output(name, request)
      (output, chart) = (single, single.chart)
      words = [single.coin, single.question.range.name, single.type.rawValue]
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

/// The file formats of a chart.
enum DownloadForm: String, CaseIterable, Sendable {
  case svg
  case csv
  case json
}

/// The chart on the page of a coin.
struct CoinChart: Sendable {
  /// The properties of a chart that are part of its address.
  struct Shape: Equatable, Sendable {
    let type: ChartType

    /// The name of the range.
    let range: String

    /// The coin of the comparison; nil for none.
    let other: String?

    /// The currency of the page; nil for that of the settings.
    let currency: String?

    func with(_ other: String?) -> Shape { Shape(type: type, range: range, other: other, currency: currency) }
    func of(_ type: ChartType) -> Shape { Shape(type: type, range: range, other: nil, currency: currency) }
    func over(_ range: String) -> Shape { Shape(type: type, range: range, other: other, currency: currency) }

    /// Returns the path of the page with this chart.
    func page(of name: String) -> PagePath {
      PagePath(["coin", name], query: ["range": range, "type": typeText, "with": other, "currency": currency])
    }

    /// Returns the path of this chart as a file.
    func file(of name: String, _ form: DownloadForm) -> PagePath {
      PagePath(
        ["download", name],
        query: ["as": form.rawValue, "range": range, "type": typeText, "with": other, "currency": currency])
    }

    /// A comparison always has lines, so its address has no type.
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

    /// The range as titles name it.
    var range: String {
      switch self {
      case .single(let output): output.question.range.spelledOut
      case .comparison(let output): output.question.range.spelledOut
      }
    }

    /// The reasons why series begin later than requested, and what is odd in them, one sentence each.
    var remarks: [String] { incomplete + parts.flatMap(\.doubts) }

    private var incomplete: [String] {
      switch self {
      case .single(let output): [output.incomplete].compactMap(\.self)
      case .comparison(let output):
        output.series.compactMap { output.question.incomplete(.line($0.line)) }
      }
    }

    /// The provenance of the series.
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
