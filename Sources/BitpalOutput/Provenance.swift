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

  /// How it came to be in its currency; nil for what the source itself answered.
  package let conversion: Conversion?

  package init<Value>(_ answer: Sourced<Value>) {
    source = answer.source
    fetchedAt = answer.fetchedAt
    freshness = answer.freshness
    conversion = answer.conversion
  }

  /// The keys of a row that tell it.
  package var json: JSONObject {
    [
      "fetched_at": JSONValue(fetchedAt), "stale": .bool(freshness.isStale), "stale_reason": JSONValue(staleReason),
      "source": .string(source), "converted": conversion.map { .object($0.json) } ?? .null,
    ]
  }

  /// Why the answer is marked, in a word for programs; nil for a fresh one.
  package var staleReason: String? { freshness.reason }

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
    words += rates(parts, zone: zone)
    return words.map { $0.printable(limit: 200) }.joined(separator: " · ")
  }

  /// The rates that the parts are converted by, each with its source and time.
  private static func rates(_ parts: [Provenance], zone: ClockZone) -> [String] {
    var words: [String] = []
    for case let conversion? in parts.map(\.conversion) {
      // A central bank's rate is of a day, not of its midnight.
      let day = conversion.rateTime == conversion.rateTime.startOfDay
      let time = day ? conversion.rateTime.dayText : conversion.rateTime.text(in: zone)
      let carried = conversion.carriedDays
      let days =
        (conversion.price == nil ? "up to \(time)" : time)
        + (carried > 0 ? ", \(carried) \(carried == 1 ? "day" : "days") by the one before" : "")
      let text = "converted from \(conversion.from.uppercased()) by \(conversion.rateSource) (\(days))"
      if !words.contains(text) { words.append(text) }
    }
    return words
  }

  /// How old the oldest stale one is, else the oldest outdated one; nil when all are fresh.
  package static func staleText(_ parts: [Provenance]) -> String? {
    let freshness = parts.map(\.freshness)
    let standIns = freshness.filter(\.isStandIn)
    return (standIns.isEmpty ? freshness : standIns).max { $0.age ?? .zero < $1.age ?? .zero }?.text
  }
}

extension Conversion {
  /// What a row says of it.
  fileprivate var json: JSONObject {
    [
      "from": .string(from), "price": JSONValue(price), "rate": JSONValue(rate), "rate_source": .string(rateSource),
      "rate_time": JSONValue(rateTime),
    ]
  }
}
