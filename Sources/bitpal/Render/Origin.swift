import BitpalJSON
import BitpalModel
import BitpalProviders
import FoundationEssentials

/// Where answers come from and how old they are: what every table says in its header and every row in its last keys.
struct Origin: Equatable, Sendable {
  let source: String
  let fetchedAt: Date
  let freshness: Freshness

  init<Value>(_ answer: Sourced<Value>) {
    source = answer.source
    fetchedAt = answer.fetchedAt
    freshness = answer.freshness
  }

  /// `stale, 3h 5m old`, or nil for a fresh answer.
  var staleText: String? {
    switch freshness {
    case .fresh: nil
    case .stale(let age, _): "stale, \(age.shortText) old"
    }
  }

  /// The keys of a row that tell its origin.
  var json: JSONObject {
    ["fetched_at": JSONValue(fetchedAt), "stale": .bool(freshness.isStale), "source": .string(source)]
  }

  /// One line about the sources of an answer: `fixture · recorded 2025-01-15 10:30Z · simulated market`.
  ///
  /// - Parameter providers: The configured ones; a note of the source's stands for the time of fetching.
  static func line(_ origins: [Origin], providers: [ProviderDescriptor], style: Style) -> String {
    let line = style(sources(origins, providers: providers), .quiet)
    guard let stale = staleText(origins) else { return line }
    return line + style(" · ", .quiet) + style(stale, .warning)
  }

  /// The sources of an answer, without a word on its age.
  static func sources(_ origins: [Origin], providers: [ProviderDescriptor]) -> String {
    var sources: [String] = []
    for origin in origins where !sources.contains(origin.source) { sources.append(origin.source) }
    let descriptors = sources.compactMap { source in providers.first { $0.id == source } }
    var parts = [sources.joined(separator: ", ")]
    let notes = descriptors.compactMap(\.note)
    if notes.count < sources.count, let oldest = origins.map(\.fetchedAt).min() {
      parts.append("fetched \(oldest.utcText)")
    }
    parts += notes + descriptors.filter { $0.note == nil }.compactMap(\.attribution)
    return parts.map { $0.printable(limit: 200) }.joined(separator: " · ")
  }

  /// How old the oldest stale one is; nil when all are fresh.
  static func staleText(_ origins: [Origin]) -> String? {
    let ages = origins.compactMap { origin -> Duration? in
      if case .stale(let age, _) = origin.freshness { age } else { nil }
    }
    return ages.max().map { "stale, \($0.shortText) old" }
  }
}
