import BitpalJSON
package import BitpalModel
package import BitpalProviders
package import FoundationEssentials

/// The source and the age of an answer, for the header of every table and the last keys of every row.
package struct Provenance: Equatable, Sendable {
  /// The id of the provider that answered.
  package let source: String

  /// The time of the answer, by our clock.
  package let fetchedAt: Date
  package let freshness: Freshness

  /// The conversion into the present currency; nil for an answer in the source's own currency.
  package let conversion: Conversion?

  /// The prices of the sources that agree; nil for the answer of one source.
  package let agreement: Agreement?

  /// The sentences on prices that are hardly ever true.
  package let doubts: [String]

  package init<Value>(_ answer: Sourced<Value>) {
    source = answer.source
    fetchedAt = answer.fetchedAt
    freshness = answer.freshness
    conversion = answer.conversion
    agreement = answer.agreement
    doubts = answer.warnings.compactMap { if case .implausible = $0 { $0.description } else { nil } }
  }

  /// The keys of a row for the source and the age of an answer.
  static let fields: Fields<Provenance> = [
    Field("fetched_at", .instant("The time at which the source was asked.")) { $0.fetchedAt },
    Field("stale", .flag("Whether the answer is marked as old.")) { $0.freshness.isStale },
    Field(
      "stale_reason",
      .word(
        ["source_failed", "offline", "renewing", "outdated"],
        "The reason for the mark: the answer is stale, or the source's own time is old; null without a mark.")
    ) { $0.staleReason },
    Field("source", .text("The provider that answered.")) { $0.source },
    Field(
      "converted",
      .named(
        "converted",
        .object(conversionFields.schema, "The conversion of a price into a currency that its source lacks."))
    ) { $0.conversion.map(conversionFields.object) },
  ]

  /// The providers whose prices count: that of the answer, or those that agree.
  package var allSources: [String] {
    guard let agreement, agreement.isReached else { return [source] }
    return agreement.counted.map(\.source)
  }

  private static let conversionFields: Fields<Conversion> = [
    Field("from", .text("The source's currency.")) { $0.from },
    Field("price", .decimal("The price in that; null for a series.")) { $0.price },
    Field("rate", .decimal("The price of one unit of the source's currency.").orNull) { $0.rate },
    Field("rate_source", .text("The provider of the rate.")) { $0.rateSource },
    Field("rate_time", .instant("The time of the rate.")) { $0.rateTime },
  ]

  /// The reason for the mark of an answer, as a word for programs; nil for a fresh one.
  package var staleReason: String? { freshness.reason }

  /// Returns the sources of an answer on one line, without its staleness: `fixture · recorded 2025-01-15 10:30Z`.
  ///
  /// - Parameters:
  ///   - parts: The provenance of each part of the answer.
  ///   - providers: The configured providers; a note of the source replaces the time of the fetch.
  ///   - zone: The time zone of the times.
  package static func sources(
    _ parts: [Provenance], providers: [ProviderDescriptor], zone: ClockZone = .utc
  ) -> String {
    let sources = parts.flatMap(\.allSources).distinct
    let descriptors = sources.compactMap { source in providers.first { $0.id == source } }
    var message = [sources.joined(separator: ", ")]
    let notes = descriptors.compactMap(\.note)
    // The line gives the oldest time, so that no part of the answer is older than it says.
    if notes.count < sources.count, let oldest = parts.map(\.fetchedAt).min() {
      message.append("fetched \(oldest.text(in: zone))")
    }
    message += notes + descriptors.filter { $0.note == nil }.compactMap(\.attribution)
    message += rates(parts, zone: zone)
    return message.map { $0.printable(limit: 200) }.joined(separator: " · ")
  }

  /// Returns the rates by which the parts are converted, each with its source and time.
  private static func rates(_ parts: [Provenance], zone: ClockZone) -> [String] {
    let conversions = parts.compactMap(\.conversion)
    var message: [String] = []
    for conversion in conversions {
      // Beside a series, the rate of its last day is not repeated.
      let isCovered =
        conversion.price != nil
        && conversions.contains { other in
          other.price == nil && other.from == conversion.from && other.rateSource == conversion.rateSource
            && other.rateTime == conversion.rateTime
        }
      let text = text(of: conversion, zone: zone)
      if !isCovered, !message.contains(text) { message.append(text) }
    }
    return message
  }

  /// Returns the description of a conversion: `converted from USD by ecb (2026-11-25)`.
  static func text(of conversion: Conversion, zone: ClockZone) -> String {
    // A central bank's rate applies to a day, not to its midnight.
    let day = conversion.rateTime == conversion.rateTime.startOfDay
    let time = day ? conversion.rateTime.dayText : conversion.rateTime.text(in: zone)
    let carried = conversion.carriedDays
    let days =
      (conversion.price == nil ? "up to \(time)" : time)
      + (carried > 0 ? ", \(carried) \(carried == 1 ? "day" : "days") by the one before" : "")
    return "converted from \(conversion.from.uppercased()) by \(conversion.rateSource) (\(days))"
  }

  /// Returns the text for the oldest stale part, otherwise for the oldest outdated one; nil when all are fresh.
  package static func staleText(_ parts: [Provenance]) -> String? {
    let freshness = parts.map(\.freshness)
    let standIns = freshness.filter(\.isServedStale)
    return (standIns.isEmpty ? freshness : standIns).max { $0.age ?? .zero < $1.age ?? .zero }?.text
  }
}

extension Agreement {
  /// The keys of the prices of several sources, for JSON.
  static let fields: Fields<Agreement> = [
    Field("count", .count("The number of sources whose prices count.")) { $0.counted.count },
    Field("needed", .count("The number of sources that have to agree.")) { $0.needed },
    Field("median", .decimal("The median of the prices that count; null where none does.")) { $0.median },
    Field("low", .decimal("The lowest price that counts.")) { $0.low },
    Field("high", .decimal("The highest price that counts.")) { $0.high },
    Field("sources", .list(.object(countedFields.schema), "The prices that count.")) {
      countedFields.objects($0.counted)
    },
    Field("left_out", .list(.object(leftOutFields.schema), "The sources that do not count, and why.")) {
      leftOutFields.objects($0.leftOut)
    },
  ]

  private static let countedFields: Fields<SourcePrice> = [
    Field("source", .text("The provider.")) { $0.source },
    Field("price", .decimal("Its price; null where it has none.")) { $0.price },
  ]

  private static let leftOutFields: Fields<SourcePrice> =
    countedFields + [Field("reason", .text("The reason why it does not count.")) { $0.reason }]
}

extension ValueSchema {
  /// The schema of the prices of several sources.
  static let agreement: ValueSchema = .named(
    "agreement",
    .object(Agreement.fields.schema, "The prices of the sources under agree: in the settings, which is where it is."))
}
