import Bitpal
import BitpalFiles
import BitpalJSON
import BitpalModel
import BitpalQueries

/// The currency, the time zone and the type of chart that a browser shows pages with, which a cookie of the browser keeps.
struct PageView: Equatable, Sendable {
  /// The parameters of the path that sets the cookie.
  static let parameters = ["currency", "zone"]

  /// The segment of that path.
  static let path = "view"

  private static let cookie = "bitpal_view"

  /// The time for which the choice is kept: a year.
  private static let life = Duration.seconds(365 * 86_400)

  /// The code in lower case; nil for that of the settings.
  let currency: String?

  /// The zone; nil for that of the settings.
  let zone: ClockZone?

  /// The type of chart that was chosen last; nil for that of the settings.
  let type: ChartType?

  /// The text of the cookie: `eur|Europe/Berlin|candle`, each part empty where nothing is chosen.
  private let text: [String]

  /// Reads the cookie of a request; what cannot be read counts as no choice.
  init(_ request: WebRequest, _ zones: ZoneFiles) {
    let value = request.head.cookies(named: Self.cookie).last ?? ""
    let parts = value.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
    let isRead = (2...3).contains(parts.count)
    currency = isRead ? Currency.normalized(parts[0]) : nil
    zone = isRead ? try? zones.zone(parts[1]) : nil
    type = parts.count == 3 ? ChartType(rawValue: parts[2]) : nil
    text = [currency.map { _ in parts[0] } ?? "", zone.map { _ in parts[1] } ?? "", type?.rawValue ?? ""]
  }

  /// Returns the header that keeps a type of chart which a request chooses; nil where it chooses none, or the one that is kept.
  static func remembering(_ chosen: ChartType?, _ request: WebRequest, _ zones: ZoneFiles) -> WebHeader? {
    let view = PageView(request, zones)
    guard let chosen, chosen != view.type else { return nil }
    return header(view.text[0], view.text[1], chosen)
  }

  private static func header(_ currency: String, _ zone: String, _ type: ChartType?) -> WebHeader {
    WebHeader(
      "Set-Cookie",
      "\(cookie)=\(currency)|\(zone)|\(type?.rawValue ?? ""); Path=/; Max-Age=\(life.components.seconds); HttpOnly; "
        + "SameSite=Strict")
  }

  /// Returns defaults with this choice in their place.
  func over(_ defaults: QueryDefaults) -> QueryDefaults {
    guard currency != nil || zone != nil || type != nil else { return defaults }
    return QueryDefaults(
      currency: currency ?? defaults.currency, ranges: defaults.ranges, range: defaults.range,
      type: type ?? defaults.type,
      zone: zone ?? defaults.zone)
  }

  /// Answers a choice with its cookie, and leads back to the page that it was made on.
  ///
  /// - Throws: ``BitpalError/usage(_:hint:)`` for a currency in which no price can be expected, and for an unknown zone.
  static func choose(_ request: WebRequest, _ market: Market) throws -> WebResponse {
    let text = request["currency"] ?? ""
    guard let currency = text.isEmpty ? "" : Currency.normalized(text) else {
      throw BitpalError.usage(Currency.problem(of: text))
    }
    if !currency.isEmpty, let refusal = market.service.prospect(ofPricesIn: currency).refusal(of: currency) {
      throw refusal
    }
    let zone = request["zone"] ?? ""
    if !zone.isEmpty {
      do throws(ZoneFiles.Problem) {
        _ = try market.zones.zone(zone)
      } catch {
        throw BitpalError.usage(error.message, hint: error.hint)
      }
    }
    return WebResponse(
      status: 303,
      headers: [
        WebHeader("Location", origin(of: request).text), WebHeader("Cache-Control", "no-store"),
        header(currency, zone, PageView(request, market.zones).type),
      ])
  }

  /// Returns the page of this server that a request comes from, without its own currency; the first page for none.
  private static func origin(of request: WebRequest) -> PagePath {
    let host = request.head.values(of: "host").first ?? ""
    for scheme in ["http://", "https://"] {
      let base = scheme + host
      guard let referrer = request.head.values(of: "referer").first, referrer.hasPrefix(base + "/"),
        let page = WebRequest(WebHead(method: "GET", target: String(referrer.dropFirst(base.count))))
      else { continue }
      return PagePath(of: page, without: ["currency", OwnerProof.parameter])
    }
    return PagePath()
  }
}
