public import BitpalModel
import CCurl

/// A transport that sends requests over the network with libcurl.
///
/// The first request loads libcurl, and one thread runs all transfers. Connections are kept and reused, over HTTP/2
/// where the server offers it. Only https is allowed, and http to this machine. Proxies are those of the environment
/// (`https_proxy`, `all_proxy`, `no_proxy`).
public final class CurlTransport: Transport {
  private let userAgent: String
  private let limits: CurlLimits
  private let proxy: String?
  private let time: any TimeSource
  private let trace: Trace
  private let worker = Locked<CurlWorker?>(nil)

  /// Creates a transport; nothing is loaded and no thread runs before the first request.
  ///
  /// - Parameters:
  ///   - userAgent: The program's name and version, such as `bitpal/1.0.0`. Some sources refuse requests without one.
  ///   - limits: The largest number of bytes, redirects and seconds of a transfer.
  ///   - proxy: A proxy's URL, instead of those of the environment.
  ///   - time: The clock of the deadline.
  ///   - trace: The trace that receives every request and response.
  public init(
    userAgent: String, limits: CurlLimits = CurlLimits(), proxy: String? = nil, time: any TimeSource = SystemTime(),
    trace: Trace = .silent
  ) {
    self.userAgent = userAgent
    self.limits = limits
    self.proxy = proxy
    self.time = time
    self.trace = trace
  }

  deinit {
    worker.withLock { $0 }?.stop()
  }

  /// Sends the request and follows redirects of a GET within its origin; those of a POST are refused.
  ///
  /// Some sources quote a refused key in their response, in any encoding, and responses are shown to users and kept in
  /// files. So the keys of the request are removed from everything that comes back.
  ///
  /// - Throws: `.network`, `.unreadable` or `.timedOut`, each with the host; `CancellationError` when the task is
  ///   cancelled.
  public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    guard !request.keys.isEmpty else { return try await exchange(request) }
    let redaction = Redaction(request.keys)
    do {
      return try await exchange(request).redacted(redaction)
    } catch BitpalError.network(let host, let reason, let isFinal, let isSent) {
      throw BitpalError.network(
        host: redaction.text(host), reason: redaction.text(reason), isFinal: isFinal, isSent: isSent)
    } catch BitpalError.unreadable(let host, let reason) {
      throw BitpalError.unreadable(provider: redaction.text(host), reason: redaction.text(reason))
    }
  }

  private func exchange(_ request: HTTPRequest) async throws -> HTTPResponse {
    try Task.checkCancellation()
    let start = time.monotonic
    let deadline = Deadline.current ?? start + limits.total
    if let problem = bitpal_curl_load() {
      throw NetworkFault.libraryMissing(String(cString: problem)).error(host: Self.hostGuess(request.url))
    }
    var url = try Self.checked(CurlURL(request.wireURL.reveal()), else: request.url)
    let host = url.origin.host
    let lines = try headerLines(of: request, host: host)
    var hop = request
    var followed = 0
    while true {
      let remaining = deadline - time.monotonic
      guard remaining > .zero else { throw timedOut(host, start, deadline) }
      let plan = CurlTransfer.Plan(
        url: url, body: request.body, headerLines: lines, userAgent: userAgent, proxy: proxy, timeout: remaining,
        refusesPrivateAddresses: request.refusesPrivateAddresses, limits: limits)
      let response: HTTPResponse
      do {
        response = try await perform(plan, hop)
      } catch CurlTransfer.Failure.timedOut {
        throw timedOut(host, start, deadline)
      } catch CurlTransfer.Failure.fault(let fault) {
        throw fault.error(host: host, isFirst: followed == 0)
      }
      guard RedirectRule.isRedirect(response.status), let location = response.headers.first(named: "location") else {
        return response
      }
      let next = CurlURL(location, relativeTo: url)
      guard request.body == nil else {
        throw NetworkFault.redirectedPost(next?.origin.text ?? "a place that is not a URL").error(host: host)
      }
      switch RedirectRule(limit: limits.redirects).decide(followed: followed, from: url.origin, to: next?.origin) {
      case .refuse(let fault): throw fault.error(host: host)
      case .follow: url = try Self.checked(next, else: location)
      }
      try await FurtherRequests.acquire()
      followed += 1
      hop.url = url.text
    }
  }

  private func perform(_ plan: CurlTransfer.Plan, _ request: HTTPRequest) async throws -> HTTPResponse {
    trace(.request(request.curlCommand))
    let start = time.monotonic
    let received = try await CurlTransfer(plan).run(on: try startedWorker())
    let response: HTTPResponse
    do throws(NetworkFault) {
      response = try ContentDecoder(limit: limits.bodyBytes).decoded(received)
    } catch {
      throw CurlTransfer.Failure.fault(error)
    }
    trace(.response(status: response.status, bytes: response.body.count, took: time.monotonic - start))
    return response
  }

  private func startedWorker() throws(CurlTransfer.Failure) -> CurlWorker {
    try worker.withLock { worker throws(CurlTransfer.Failure) in
      if let worker { return worker }
      guard let started = CurlWorker() else {
        throw .fault(.other("the system has no thread or descriptor left for libcurl"))
      }
      worker = started
      return started
    }
  }

  /// Returns the error for a passed deadline, with the limit rounded to tenths: otherwise 15 s would appear as `14s`.
  private func timedOut(_ host: String, _ start: Duration, _ deadline: Duration) -> BitpalError {
    .timedOut(provider: host, limit: (deadline - start).roundedToTenths)
  }

  // MARK: What may be asked

  private static func checked(_ url: CurlURL?, else text: String) throws(BitpalError) -> CurlURL {
    guard let url else { throw NetworkFault.invalidURL.error(host: hostGuess(text)) }
    guard !url.hasUser else { throw NetworkFault.userInURL.error(host: url.origin.host) }
    guard url.origin.isAllowed else {
      let host = url.origin.host.isEmpty ? url.origin.text : url.origin.host
      throw NetworkFault.schemeRefused(url.origin.scheme).error(host: host)
    }
    return url
  }

  /// Returns the part of a text that would be the host, for an error about a URL that cannot be parsed.
  private static func hostGuess(_ url: String) -> String {
    let rest = url.split(separator: "://", maxSplits: 1, omittingEmptySubsequences: false).last ?? ""
    // A user name and password come before the last @, and are not shown.
    let host = rest.prefix { !"/?#".contains($0) }.split(separator: "@").last ?? ""
    return host.isEmpty ? "that URL" : String(host)
  }

  private func headerLines(of request: HTTPRequest, host: String) throws(BitpalError) -> [String] {
    var headers = request.headers.map { ($0.name, $0.value) }
    if let secret = request.secret { headers.append((secret.name, secret.value.reveal())) }
    var lines: [String] = []
    for (name, value) in headers + [("Accept-Encoding", ContentDecoder.offered), ("User-Agent", userAgent)] {
      guard Self.isToken(name), !value.utf8.contains(where: { [0, 10, 13].contains($0) }) else {
        throw NetworkFault.invalidHeader(name: name).error(host: host)
      }
      // libcurl reads `Name:` as "do not send it" and `Name;` as "send it with an empty value".
      lines.append(value.isEmpty ? "\(name);" : "\(name): \(value)")
    }
    // Otherwise libcurl would ask for permission before a long body, and wait a second for a server that does not
    // answer.
    return lines.dropLast() + (request.body == nil ? [] : ["Expect:"])
  }

  /// Returns whether a text is a token of RFC 9110, as the name of a header must be.
  private static func isToken(_ name: String) -> Bool {
    !name.isEmpty
      && name.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        default:
          "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
      }
  }
}

/// The limits of one request.
public struct CurlLimits: Hashable, Sendable {
  /// The longest time for a request where no deadline is set, redirects included: ``/BitpalModel/Deadline/standard``.
  public var total: Duration = Deadline.standard

  /// The longest time for making the connection, name look-up and TLS included: 5 s.
  package var connect: Duration = .seconds(5)

  /// The number of bytes per second below which a transfer counts as stalled; it ends after ``stallTime``: 100.
  package var stallRate = 100

  /// The time for which a transfer may be slower than ``stallRate``: 10 s, at least 1 s.
  package var stallTime: Duration = .seconds(10)

  /// The largest body in bytes, counted after decompression: 10 MiB.
  ///
  /// The longest known body, the European Central Bank's rates since 1999, has 7.5 MiB.
  package var bodyBytes = 10 << 20

  /// The largest size of all headers in bytes, interim responses included: 64 KiB.
  package var headerBytes = 64 << 10

  /// The largest number of headers: 256.
  package var headerCount = 256

  /// The largest number of redirects, all within one origin: 5.
  package var redirects = 5

  /// Creates limits with the values named above.
  public init() {}
}
