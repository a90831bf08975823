import Bitpal
import BitpalModel
import BitpalOutput
import BitpalProviders
import FoundationEssentials

/// A path that is answered; a segment in braces stands for any text.
///
/// ```swift
/// let route = Route(undescribed: "/hello/{name}") { _, name in
///   WebResponse("Hello, \(name)\n", as: .text)
/// }
/// ```
struct Route: Sendable {
  /// The pattern of the path, such as `/api/v3/coins/{id}`.
  let pattern: String

  /// Returns the description for programs; nil for a page, and for a path that CoinGecko describes.
  ///
  /// It is created only when needed, to keep the start short.
  let description: (@Sendable () -> PathDescription)?

  /// The method; `HEAD` is treated as `GET`.
  let method: Method

  /// Returns the names of the parameters; nil for a path at which any other is ignored.
  private let parameters: @Sendable () -> [String]?
  private let segments: [String]

  /// The segments that do not stand for the braces, because they are paths of another kind.
  private let others: Set<String>

  /// Answers a request; the second parameter is the segment in place of the braces.
  let answer: @Sendable (WebRequest, String) async throws -> WebResponse

  /// The methods of routes.
  enum Method: String, Sendable {
    case get = "GET"
    case post = "POST"
  }

  /// Creates a path for programs, with its description.
  init(
    _ pattern: String, _ description: @escaping @autoclosure @Sendable () -> PathDescription,
    _ answer: @escaping @Sendable (WebRequest, String) async throws -> WebResponse
  ) {
    self.init(pattern, .get, description, { description().parameters.filter { !$0.isInPath }.map(\.name) }, answer)
  }

  /// Creates a path that the description of the API omits.
  ///
  /// - Parameters:
  ///   - parameters: The names of its parameters; nil where any other is ignored.
  ///   - others: The segments that do not stand for the braces.
  init(
    undescribed pattern: String, _ method: Method = .get, parameters: [String]? = nil, except others: Set<String> = [],
    _ answer: @escaping @Sendable (WebRequest, String) async throws -> WebResponse
  ) {
    self.init(pattern, method, nil, { parameters }, except: others, answer)
  }

  private init(
    _ pattern: String, _ method: Method, _ description: (@Sendable () -> PathDescription)?,
    _ parameters: @escaping @Sendable () -> [String]?, except others: Set<String> = [],
    _ answer: @escaping @Sendable (WebRequest, String) async throws -> WebResponse
  ) {
    self.others = others
    self.pattern = pattern
    self.method = method
    self.description = description
    self.parameters = parameters
    segments = pattern.split(separator: "/").map(String.init)
    self.answer = answer
  }

  /// Checks a request's parameters, so that one with a typing error, or from an empty cell of a sheet, is not ignored.
  ///
  /// - Throws: ``BitpalError/usage(_:hint:)`` for a parameter that the path does not have, or that is given twice; on a
  ///   path for programs for one without a value. Forms of pages send the fields that were left empty.
  func check(_ request: WebRequest) throws(BitpalError) {
    guard !request.query.isEmpty, let names = parameters() else { return }
    var seen: Set<String> = []
    // Clients of CoinGecko send its keys to each server.
    for parameter in request.query where !parameter.name.hasPrefix("x_cg_") {
      let name = parameter.name
      guard names.contains(name) else {
        let nearest = Self.ownName(of: name, among: names) ?? NearestName.match(name, among: names)
        throw .usage(
          "unknown parameter \"\(name.printable(limit: 80))\"",
          hint: nearest.map { "did you mean \($0)?" }
            ?? (names.isEmpty ? "this path has none" : "there are: \(names.joined(separator: ", "))"))
      }
      guard seen.insert(name).inserted else {
        let values = request.query.filter { $0.name == name }.map(\.value).joined(separator: ",")
        throw .usage(
          "\(name) is given twice", hint: name == "coins" ? "as a list it is \(name)=\(values)" : "give it once")
      }
      guard description == nil || parameter.value.contains(where: { $0 != " " }) else {
        throw .usage("\(name) is empty", hint: "give it a value or leave it out")
      }
    }
  }

  /// Returns the parameter that other APIs call by a name; nil for none.
  private static func ownName(of name: String, among names: [String]) -> String? {
    otherNames.first { own, others in names.contains(own) && others.contains(name) }?.0
  }

  /// The parameters, and the names that other APIs give to them.
  private static let otherNames: [(String, Set<String>)] = [
    ("coins", ["ids", "id", "coin", "coin_ids", "symbols", "symbol", "ticker", "tickers", "assets"]),
    ("query", ["q", "text", "search", "term", "s"]), ("range", ["days", "period", "span", "window", "timespan"]),
    ("candle", ["interval", "granularity", "resolution", "timeframe", "width"]),
    ("on", ["date", "day", "at", "timestamp"]), ("from", ["start", "since", "begin", "days", "base", "start_date"]),
    ("to", ["end", "until", "target", "end_date"]), ("limit", ["count", "per_page", "n", "max", "page_size"]),
    ("currency", ["vs", "vs_currency", "vs_currencies", "fiat", "quote", "convert", "currencies"]),
    ("format", ["output", "fmt", "type"]), ("points", ["limit", "count", "samples"]),
  ]

  /// Returns the segment in place of the braces, empty without braces; nil for another path.
  func match(_ path: [String]) -> String? {
    guard path.count == segments.count else { return nil }
    var found = ""
    for (segment, part) in zip(path, segments) {
      if part.hasPrefix("{") {
        guard !segment.isEmpty, !others.contains(segment) else { return nil }
        found = segment
      } else if segment != part {
        return nil
      }
    }
    return found
  }
}

/// A group of paths with the same prefix and the same format of failures.
protocol RouteFamily: Sendable {
  /// The first segments of the paths.
  var prefix: [String] { get }

  /// The routes, in the order of matching.
  var routes: [Route] { get }

  /// Returns the response for a failure.
  func failure(_ error: BitpalError, of request: WebRequest) -> WebResponse

  /// Returns the response for a path of the family that does not exist.
  func nothing(for request: WebRequest) -> WebResponse

  /// Returns a response with the headers that all responses of the family have, for access and caching.
  func finished(_ response: WebResponse) -> WebResponse
}

/// A group of paths for programs, which the description of the API contains.
protocol DescribedFamily: RouteFamily {
  /// The schema of a failure.
  var failureSchema: ValueSchema { get }

  /// The statuses that failures have.
  var failures: [Int] { get }
}

extension RouteFamily {
  /// Adds the headers of all responses for programs: caches must revalidate, and browsers must not guess the type.
  func finished(_ response: WebResponse) -> WebResponse {
    var response = response
    if response["Cache-Control"] == nil { response.headers.append(WebHeader("Cache-Control", "no-cache")) }
    response.headers.append(WebHeader("X-Content-Type-Options", "nosniff"))
    return response
  }
}

/// The router, which turns requests into responses.
package struct Router: Sendable {
  private let families: [any RouteFamily]
  private let pages: PageRoutes
  private let gate: Gate
  private let metrics: @Sendable () -> String
  private let gauges: PriceGauges
  private let recent: RecentAnswers

  /// The name of this server among relays.
  private let name: String

  /// Creates a router.
  ///
  /// - Parameters:
  ///   - own: The user's own data that pages show.
  ///   - name: The name of this server among relays.
  ///   - metrics: Returns the text of `/metrics`.
  package init(
    _ market: Market, own: OwnPages = OwnPages(), gate: Gate = Gate(), name: String = RelayPath.newName(),
    metrics: @escaping @Sendable () -> String = { "" }
  ) {
    self.name = name
    let site = Site(market, own: own, gate: gate)
    families = [CoinGeckoAPI(market), NativeAPI(site), EventRoutes(market)]
    pages = PageRoutes(site)
    gauges = PriceGauges(site)
    recent = RecentAnswers(market.service.time)
    self.gate = gate
    self.metrics = metrics
  }

  /// Returns the refusal that does not depend on the path; nil for a request that is allowed.
  package func refusal(of head: WebHead) -> WebResponse? { gate.refusal(of: head) }

  /// Returns the answer to a request, and the pattern of its path; empty without one.
  package func answer(_ head: WebHead) async -> (response: WebResponse, route: String) {
    guard let request = WebRequest(head) else {
      return (WebResponse(CoinGeckoError.message("the path cannot be read").text, as: .json, status: 400), "")
    }
    if head.method == "OPTIONS" { return (gate.shared(Self.preflight, with: head), "") }
    // The health check needs no token, because it reveals nothing else.
    if request.path == ["healthz"] { return (WebResponse(PriceServer.healthy, as: .text), "/healthz") }
    if let refusal = gate.refusal(to: head) { return (gate.shared(refusal, with: head), "") }
    if let welcome = pages.signIn(request) { return (welcome, "") }
    if request.path == ["metrics"] {
      do throws(BitpalError) {
        return (WebResponse(metrics() + (try await gauges.text(for: request)), as: .metrics), "/metrics")
      } catch {
        return (.nativeFailure(error), "/metrics")
      }
    }
    let passed = RelayPath.servers(in: head.values(of: "via"))
    if let loop = loop(passed) { return (.nativeFailure(loop, status: 508), "") }
    let (response, route) = await RelayPath.$current.withValue(passed + [name]) { await routed(request) }
    let tagged = response.tagged
    recent.keep(tagged, to: head.question, of: route)
    return (gate.shared(tagged.unlessKnown(to: head), with: head), route)
  }

  /// Returns the failure for a request that has already passed this server, or too many servers; nil for any other.
  private func loop(_ passed: [String]) -> BitpalError? {
    guard passed.contains(name) || passed.count >= RelayPath.longest else { return nil }
    let reason =
      passed.contains(name) ? "the question has come back to a server that passed it on" : "too many servers pass it on"
    return .refused(
      provider: "bitpal", status: 508,
      reason: "\(reason) (\((passed + [name]).joined(separator: " to "))): providers of kind bitpal name each other")
  }

  /// Returns the recent answer to the same request, which needs no wait; nil when there is none.
  package func recentAnswer(to head: WebHead) -> (response: WebResponse, route: String)? {
    guard head.method != "OPTIONS", head.method != Route.Method.post.rawValue,
      let (response, route) = recent.answer(to: head.question),
      gate.refusal(to: head) == nil
    else { return nil }
    return (gate.shared(response.unlessKnown(to: head), with: head), route)
  }

  /// The description of all paths, created only when needed.
  private var description: OpenAPI {
    OpenAPI(
      families.compactMap { $0 as? any DescribedFamily }.map { family in
        OpenAPI.Family(
          family.prefix, family.routes.compactMap { route in route.description.map { (route.pattern, $0()) } },
          failure: family.failureSchema, failures: family.failures)
      })
  }

  private func routed(_ request: WebRequest) async -> (WebResponse, String) {
    let family: any RouteFamily = families.first { request.path.starts(with: $0.prefix) } ?? pages
    if request.path == OpenAPI.path, request.query.isEmpty {
      return (family.finished(WebResponse(description.text, as: .json)), "/" + OpenAPI.path.joined(separator: "/"))
    }
    let (response, route) = await answered(request, by: family)
    return (family.finished(response), route)
  }

  private func answered(_ request: WebRequest, by family: any RouteFamily) async -> (WebResponse, String) {
    let method = request.head.method == "HEAD" ? Route.Method.get.rawValue : request.head.method
    for route in family.routes where route.method.rawValue == method {
      guard let part = route.match(request.path) else { continue }
      do {
        try route.check(request)
        return (try await route.answer(request, part), route.pattern)
      } catch is CancellationError {
        return (WebResponse("the server stops\n", as: .text, status: 503), route.pattern)
      } catch {
        return (family.failure(BitpalError(of: error), of: request), route.pattern)
      }
    }
    return (family.nothing(for: request), "")
  }

  /// The answer to a preflight request (CORS), which allows headers such as a key; the server ignores them.
  private static let preflight = WebResponse(
    status: 204,
    headers: [
      WebHeader("Access-Control-Allow-Methods", "GET, HEAD, OPTIONS"),
      WebHeader("Access-Control-Allow-Headers", "*, Authorization"), WebHeader("Access-Control-Max-Age", "86400"),
      WebHeader("Allow", "GET, HEAD, OPTIONS"),
    ])
}
