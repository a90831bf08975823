import BitpalModel
import FoundationEssentials

/// The source of an answer as a text without spaces: its id, for an answer of a relay also its mark and its conversion,
/// and for a series the rows that it lacks.
///
/// An id has neither spaces nor commas.
enum KeptSource {
  /// Returns the text that the tiers store.
  static func text(of answer: Sourced<Answer>) -> String {
    let dropped = answer.keptWarnings.flatMap { warning -> [String] in
      guard case .droppedRows(let count, let reason) = warning else { return [] }
      return ["\(count)", Data(reason.utf8.prefix(300)).base64EncodedString()]
    }
    guard answer.freshness.isStale || answer.conversion != nil || !dropped.isEmpty else { return answer.source }
    let conversion = answer.conversion
    let fields = [
      answer.source, answer.freshness.reason, conversion?.from, conversion?.price?.plainText,
      conversion?.rate.plainText, conversion?.rateSource, conversion.map { "\($0.rateTime.milliseconds)" },
      conversion.map { "\($0.carriedDays)" },
    ]
    return (fields.map { $0 ?? "" } + dropped).joined(separator: ",")
  }

  /// Returns the answer that was stored with a text.
  static func answer(
    _ value: Answer, about key: AnswerKey, source text: String, fetchedAt: Date
  ) -> Sourced<Answer> {
    let fields = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    guard fields.count >= 8 else { return Sourced(value, about: key, source: text, fetchedAt: fetchedAt) }
    let dropped = stride(from: 8, to: fields.count - 1, by: 2).compactMap { place -> AnswerWarning? in
      guard let count = Int(fields[place]), let reason = Data(base64Encoded: fields[place + 1]) else { return nil }
      return .droppedRows(count: count, reason: String(decoding: reason, as: UTF8.self))
    }
    var conversion: Conversion?
    if let rate = try? Decimal(strict: fields[4]), let time = Int64(fields[6]), let days = Int(fields[7]) {
      conversion = Conversion(
        from: fields[2], price: try? Decimal(strict: fields[3]), rate: rate, rateSource: fields[5],
        rateTime: Date(milliseconds: time), carriedDays: days)
    }
    return Sourced(
      value, about: key, source: fields[0], fetchedAt: fetchedAt, freshness: Freshness(reason: fields[1]) ?? .fresh,
      warnings: dropped, conversion: conversion)
  }
}

extension Sourced<Answer> {
  /// The warnings that a tier stores with the answer.
  var keptWarnings: [AnswerWarning] {
    guard !warnings.isEmpty, about.kind == .line || about.kind == .candles else { return [] }
    return warnings.filter(\.isOfSeries)
  }
}
