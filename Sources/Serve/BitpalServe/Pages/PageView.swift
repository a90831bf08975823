import Bitpal
import BitpalFiles
import BitpalJSON
import BitpalModel
import BitpalQueries

/// The currency and the time zone that a browser shows pages in, which a cookie of the browser keeps.
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

  /// Reads the cookie of a request; what cannot be read counts as no choice.
  init(_ request: WebRequest, _ zones: ZoneFiles) {
    let value = request.head.cookies(named: Self.cookie).last ?? ""
    let parts = value.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
    currency = parts.count == 2 ? Currency.normalized(parts[0]) : nil
    zone = parts.count == 2 ? try? zones.zone(parts[1]) : nil
  }

  /// Returns defaults with this choice in their place.
  func over(_ defaults: QueryDefaults) -> QueryDefaults {
    guard currency != nil || zone != nil else { return defaults }
    return QueryDefaults(
      currency: currency ?? defaults.currency, ranges: defaults.ranges, range: defaults.range, type: defaults.type,
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
        WebHeader(
          "Set-Cookie",
          "\(cookie)=\(currency)|\(zone); Path=/; Max-Age=\(life.components.seconds); HttpOnly; SameSite=Strict"),
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
