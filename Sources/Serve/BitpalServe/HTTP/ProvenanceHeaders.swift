import Bitpal
import BitpalModel
import BitpalOutput
import BitpalProviders
import FoundationEssentials

/// The headers with the provenance of the parts of an answer.
struct ProvenanceHeaders: Sendable {
  private let parts: [Provenance]

  /// The days of closes that may still change.
  private let provisional: [String]

  /// The sentences on coins that are asked for by a former id or ticker.
  private let renamed: [String]

  init(_ parts: [Provenance], provisional: [Date] = [], renamed: [String?] = []) {
    self.parts = parts
    self.renamed = renamed.compactMap(\.self).distinct
    self.provisional = Set(provisional).sorted().map(\.dayText)
  }

  /// - Parameter names: The names that were asked for.
  init<Value>(_ answers: [Sourced<Value>], of names: [String] = []) {
    let warnings = answers.flatMap(\.warnings)
    // Each name is held against few of hundreds of answers.
    let successors = answers.filter { WellKnownCoins.isSuccessor($0.about.coin) }
    self.init(
      answers.map { Provenance($0) },
      provisional: warnings.compactMap { if case .provisional(_, let day, _) = $0 { day } else { nil } },
      renamed: names.flatMap { name in
        successors.map { WellKnownCoins.renaming(of: name, to: $0.about.coin, at: $0.source) }
      })
  }

  /// Returns headers with the sources, the age of the oldest part, and the use of the cache; none without parts.
  ///
  /// - Parameters:
  ///   - market: The market, for its clock and its providers without a network.
  ///   - began: The time of the request, on the same clock.
  ///   - incomplete: The reason why a series begins later than requested; nil when it does not.
  func headers(_ market: Market, began: Date, incomplete: String? = nil) -> [WebHeader] {
    guard let oldest = parts.map(\.fetchedAt).min() else { return [] }
    let age = max(.zero, market.now.since(oldest)).components.seconds
    let sources = parts.flatMap(\.allSources).distinct
    let local = Set(market.service.descriptors.filter { !$0.needsNetwork }.map(\.id))
    let isAsked = parts.contains { $0.fetchedAt >= began && !local.isSuperset(of: $0.allSources) }
    let stale = parts.first { $0.freshness.isStale }.flatMap(\.staleReason)
    var headers = [
      WebHeader("Age", "\(age)"), WebHeader("X-Bitpal-Source", sources.asHeader),
    ]
    let agreements = parts.compactMap(\.agreement?.countText).distinct
    if !agreements.isEmpty { headers.append(WebHeader("X-Bitpal-Agreement", agreements.joined(separator: ", "))) }
    if let stale { headers.append(WebHeader("X-Bitpal-Stale", stale)) }
    if let incomplete { headers.append(WebHeader("X-Bitpal-Incomplete", incomplete.asHeader)) }
    if !provisional.isEmpty { headers.append(WebHeader("X-Bitpal-Provisional", provisional.asHeader)) }
    if !renamed.isEmpty { headers.append(WebHeader("X-Bitpal-Renamed", renamed.asHeader(separator: "; "))) }
    let doubts = parts.flatMap(\.doubts)
    if !doubts.isEmpty { headers.append(WebHeader("X-Bitpal-Implausible", doubts.asHeader(separator: "; "))) }
    // RFC 9211: a forwarded answer was missing or not fresh; an answer that replaces a failed one (stale-if-error) was
    // a hit.
    let status =
      parts.contains { $0.freshness.isServedStale }
      ? "hit; detail=\(stale ?? "stale")" : isAsked ? "fwd=miss; stored" : "hit"
    headers.append(WebHeader("Cache-Status", "bitpal; " + status))
    return headers
  }
}

extension [String] {
  /// The longest list in a header in bytes: proxies take 4 KB for all headers of an answer, and clients 16.
  private static let longest = 1_000

  /// The texts as one header, as many of them as are short enough, and the number of the others.
  var asHeader: String { asHeader(separator: ", ") }

  func asHeader(separator: String) -> String {
    var length = 0
    let shown = prefix { text in
      length += text.utf8.count + separator.utf8.count
      return length <= Self.longest
    }
    return shown.joined(separator: separator).asHeader
      + (shown.count < count ? "\(shown.isEmpty ? "" : separator)and \(count - shown.count) more" : "")
  }
}

extension String {
  /// The text without the characters that a header cannot contain.
  var asHeader: String { String(decoding: utf8.filter { (0x20..<0x7F).contains($0) }, as: UTF8.self) }
}
