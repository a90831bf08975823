package import BitpalJSON
package import BitpalModel
package import BitpalProviders
package import FoundationEssentials

/// Where answers come from and how old they are: what every table says in its header and every row in its last keys.
package struct Provenance: Equatable, Sendable {
  /// The id of the provider that answered.
  package let source: String

  /// When it did, by our clock.
  package let fetchedAt: Date
  package let freshness: Freshness

  package init<Value>(_ answer: Sourced<Value>) {
    source = answer.source
    fetchedAt = answer.fetchedAt
    freshness = answer.freshness
  }

  /// The keys of a row that tell it.
  package var json: JSONObject {
    [
      "fetched_at": JSONValue(fetchedAt), "stale": .bool(freshness.isStale), "stale_reason": JSONValue(staleReason),
      "source": .string(source),
    ]
  }

  /// Why the answer is marked, in a word for programs; nil for a fresh one.
  private var staleReason: String? {
    switch freshness {
    case .fresh: nil
    case .stale(_, .offline): "offline"
    case .stale(_, .sourceFailed): "source_failed"
    case .outdated: "outdated"
    }
  }

  /// The sources of an answer in a line, without a word on its age: `fixture · recorded 2025-01-15 10:30Z`.
  ///
  /// - Parameters:
  ///   - providers: The configured ones; a note of the source's stands for the time of fetching.
  ///   - zone: By whose clocks the time is told.
  package static func sources(
    _ parts: [Provenance], providers: [ProviderDescriptor], zone: ClockZone = .utc
  ) -> String {
    var sources: [String] = []
    for part in parts where !sources.contains(part.source) { sources.append(part.source) }
    let descriptors = sources.compactMap { source in providers.first { $0.id == source } }
    var words = [sources.joined(separator: ", ")]
    let notes = descriptors.compactMap(\.note)
    // The oldest speaks for all: nothing in the answer is older than the line says.
    if notes.count < sources.count, let oldest = parts.map(\.fetchedAt).min() {
      words.append("fetched \(oldest.text(in: zone))")
    }
    words += notes + descriptors.filter { $0.note == nil }.compactMap(\.attribution)
    return words.map { $0.printable(limit: 200) }.joined(separator: " · ")
  }

  /// How old the oldest stale one is, else the oldest outdated one; nil when all are fresh.
  package static func staleText(_ parts: [Provenance]) -> String? {
    let freshness = parts.map(\.freshness)
    let standIns = freshness.filter(\.isStandIn)
    return (standIns.isEmpty ? freshness : standIns).max { $0.age ?? .zero < $1.age ?? .zero }?.text
  }
}
