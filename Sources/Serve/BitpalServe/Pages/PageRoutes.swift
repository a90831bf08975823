import Bitpal
import BitpalModel
import BitpalOutput
import BitpalPortfolio
import BitpalQueries

/// The routes of pages for browsers: they work with links and forms, and a script only makes them faster.
struct PageRoutes: RouteFamily {
  private let site: Site

  /// The empty prefix, so that pages get all paths that no other family has.
  let prefix: [String] = []
  let routes: [Route]

  /// The first segments of the paths that change something.
  static let changes = WatchlistChange.allCases.map(\.rawValue)

  init(_ site: Site) {
    self.site = site
    @Sendable func seen(_ request: WebRequest) -> Site { site.shown(to: request).viewed(by: request) }
    @Sendable func watchlist(_ request: WebRequest) -> WatchlistRoutes { WatchlistRoutes(seen(request)) }
    @Sendable func coins(_ request: WebRequest) throws -> CoinRoutes {
      CoinRoutes(seen(request).pricing(in: try request.currency()))
    }
    let chart = ChartQuery.parameters.map(\.name) + [ChartQuery.last.name, ChartQuery.points.name, "with", "currency"]
    routes =
      [
        Route(undescribed: "/", parameters: ["sort", "group", OwnerProof.parameter]) { request, _ in
          try await watchlist(request).page(request)
        },
        Route(undescribed: "/coin/{id}", parameters: chart) { request, id in try await coins(request).page(id, request)
        },
        Route(undescribed: "/spark/{id}", parameters: []) { request, id in try await watchlist(request).spark(id) },
        Route(undescribed: "/download/{id}", parameters: chart + ["as"]) { request, id in
          try await coins(request).download(id, request)
        },
        Route(undescribed: "/portfolio", parameters: ["range"]) { request, _ in
          try await PortfolioRoute.response(request, site.viewed(by: request))
        },
        Route(undescribed: "/search", parameters: ["query"]) { request, _ in
          try await SearchPage.response(request, seen(request))
        },
        Route(undescribed: "/\(PageView.path)", parameters: PageView.parameters) { request, _ in
          try PageView.choose(request, site.market)
        },
      ]
      + WatchlistChange.allCases.map { change in
        Route(undescribed: "/\(change.rawValue)/{id}", .post) { request, id in
          try await watchlist(request).make(change, id, request)
        }
      }
      + PageAssets.all.map { asset in Route(undescribed: "/" + asset.name) { _, _ in asset.response } }
  }

  /// Returns the answer to an address with a code of the owner's; nil for any other request.
  func signIn(_ request: WebRequest) -> WebResponse? { SignInPage.answer(request, site).map(finished) }

  func failure(_ error: BitpalError, of request: WebRequest) -> WebResponse {
    request.head.wantsPage
      ? FailurePage.response(error, site.shown(to: request).viewed(by: request)) : .nativeFailure(error)
  }

  func nothing(for request: WebRequest) -> WebResponse {
    request.head.wantsPage
      ? FailurePage.nothing(site.shown(to: request))
      : WebResponse(
        "there is nothing here; try /api/v3/ping, /v1/price?coins=bitcoin, /healthz or /metrics\n", as: .text,
        status: 404)
  }

  /// Adds the headers that protect pages: pages of other origins cannot read or frame them, or run scripts in them.
  func finished(_ response: WebResponse) -> WebResponse {
    var response = response
    if response["Cache-Control"] == nil { response.headers.append(WebHeader("Cache-Control", "no-store, private")) }
    response.headers += [
      WebHeader("X-Content-Type-Options", "nosniff"), WebHeader("Cross-Origin-Resource-Policy", "same-origin"),
      WebHeader("Referrer-Policy", "same-origin"),
      WebHeader(
        "Content-Security-Policy",
        "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"),
    ]
    return response
  }
}

extension WebResponse {
  /// Creates a response with a page.
  init(_ page: Page, _ site: Site, status: Int = 200, headers: [WebHeader] = []) {
    // A browser loads the page again when its source may be asked again.
    let refresh = page.pause.map { $0.error.refreshHeaders } ?? []
    self.init(page.document(site), as: .html, status: status, headers: headers + refresh)
  }

  /// Returns a response that redirects a browser to a page.
  static func seeOther(_ path: PagePath) -> WebResponse {
    WebResponse(status: 303, headers: [WebHeader("Location", path.text)])
  }
}

/// The pages for failures.
enum FailurePage {
  static func response(_ error: BitpalError, _ site: Site, status: Int? = nil) -> WebResponse {
    let main = HTML.element(.section, [.class("failure")]) {
      HTML.element(.h1) { heading(error) }
      for line in error.message.split(separator: "\n") where candidates(error).isEmpty && error.pause == nil {
        HTML.element(.p) { String(line) }
      }
      if !candidates(error).isEmpty {
        HTML.element(.p) { "Several coins have that symbol. Which one is meant?" }
        HTML.element(.ul, [.class("list")]) {
          for coin in candidates(error) {
            HTML.element(.li) {
              HTML.element(.a, [.href(PagePath(["coin", "id:" + coin.id]))]) {
                PageComponents.name(coin.name, coin.symbol)
              }
              HTML.element(.small) { " " + coin.id }
            }
          }
        }
      }
      if case .notFound(_, _, let nearest?) = error {
        HTML.element(.p) {
          "Did you mean "
          HTML.element(.a, [.href(PagePath(["coin", nearest]))]) { nearest }
          "?"
        }
      }
      HTML.element(.p) {
        HTML.element(.a, [.href(PagePath())]) { "To the watchlist" }
        ", or search for a coin above."
      }
    }
    return WebResponse(
      Page(title: heading(error), main: main, problems: [error]), site, status: status ?? error.status,
      headers: error.retryHeaders + (error.pause == nil ? error.refreshHeaders : []))
  }

  /// Returns the page for a path that does not exist.
  static func nothing(_ site: Site) -> WebResponse {
    let main = HTML.element(.section, [.class("failure")]) {
      HTML.element(.h1) { "This page does not exist" }
      HTML.element(.p) {
        HTML.element(.a, [.href(PagePath())]) { "The watchlist" }
        " is here, and the search above finds coins."
      }
    }
    return WebResponse(Page(title: "No such page", main: main), site, status: 404)
  }

  /// Returns the heading for the kind of a failure.
  private static func heading(_ error: BitpalError) -> String {
    switch error.code {
    case .notFound, .notRecorded, .noData, .noPrice: "Not found"
    case .ambiguous: "Which one?"
    case .rateLimited: "The source wants a pause"
    case .usage, .unsupported, .unsupportedCurrency, .planLimit: "That cannot be shown"
    case .untrusted: "Not without your trust"
    case .refused: "The source answers with an error"
    case .unauthorized: "The source refuses the key"
    case .unreadable: "The source sends something else"
    case .sourcesDisagree: "The sources do not agree"
    case .network, .timedOut, .plugin, .coolingDown, .offline: "The source does not answer"
    case .configuration, .recordingDamaged, .dataFile: "Something is wrong on this machine"
    }
  }

  private static func candidates(_ error: BitpalError) -> [CoinListItem] {
    switch error {
    case .ambiguous(_, let candidates, _): Array(candidates.prefix(BitpalError.candidatesShown))
    case .allFailed(let causes): causes.lazy.map { Self.candidates($0.error) }.first { !$0.isEmpty } ?? []
    default: []
    }
  }
}
