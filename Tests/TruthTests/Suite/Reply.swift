import BitpalModel
import Foundation

/// A number that an answer states, and what it is stated of.
struct Figure: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    /// The price of when it was fetched.
    case spot(fetched: Int)
    case sample(Int)

    /// The price at an instant, as CoinGecko has it: at midnight the close of the day that ends.
    case instant(Int)
    case candle(Truth.Field, start: Int, width: Int)

    /// The close of a day.
    case close(Int)

    /// The instant of a point of a line; nil of any other figure.
    var instant: Int? {
      switch self {
      case .sample(let time), .instant(let time): time
      case .spot, .candle, .close: nil
      }
    }
  }

  let thing: String
  let currency: String
  let kind: Kind
  let value: Decimal
  let source: String

  /// What currency it was converted from, and the rate; nil for one that the source stated.
  var converted: Conversion?

  struct Conversion: Hashable, Sendable {
    let from: String
    let price: Decimal?
    let rate: Decimal
    let source: String
    let day: Int
  }
}

/// An answer in whatever form, as far as the checks look at it.
struct Reply: Sendable {
  var figures: [Figure] = []

  /// Whether there is an answer whose numbers are not looked at.
  var isAnswered = false

  /// The codes of what has no answer.
  var codes: [String] = []

  /// Whether it is marked as old.
  var isStale = false

  /// Whether the mark says that it stands in for a newer one.
  var isServedStale = false

  /// The oldest fetch of what it is made of, in seconds; nil where the form does not say.
  var fetched: Int?

  /// The exit status or the HTTP status; 0 for the service.
  var status = 0

  /// What was warned of.
  var notices = ""

  /// The days whose closes are marked as provisional.
  var provisional: Set<Int> = []

  /// What was sent for it.
  var sent: [(source: Source, target: String)] = []

  /// How it looks in a report.
  var summary: String {
    let first = figures.first.map { "\($0.source) \($0.thing) \($0.value) (\(figures.count))" } ?? "nothing"
    return
      "\(first)\(codes.isEmpty ? "" : " \(codes)")\(isStale ? " stale" : "") status \(status), fetched \(fetched ?? 0), sent \(sent.map { "\($0.source.rawValue) \($0.target.prefix(40))" })"
  }
}

/// JSON of the command line and of `/v1`, read by another reader than bitpal's.
struct JSONReply {
  let root: [String: Any]

  init?(_ bytes: [UInt8]) {
    guard let root = try? JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any] else { return nil }
    self.root = root
  }

  /// The figures and codes of a document.
  func reply(width: Int = 86_400) -> Reply {
    var reply = Reply()
    reply.codes = (root["errors"] as? [[String: Any]] ?? []).compactMap { $0["code"] as? String }
    let schema = root["schema"] as? String ?? ""
    let currency = root["currency"] as? String ?? ""
    var rows: [[String: Any]] = []
    if schema.hasPrefix("bitpal.prices/") { rows = root["prices"] as? [[String: Any]] ?? [] }
    if schema.hasPrefix("bitpal.coin/"), root["id"] != nil { rows = [root] }
    if schema.hasPrefix("bitpal.convert/"), let row = root["price"] as? [String: Any] {
      if let date = root["date"] as? String {
        add(row, .close(Self.instant(date)), root["to"] as? String ?? "", to: &reply)
      } else {
        add(row, nil, root["to"] as? String ?? "", to: &reply)
      }
    }
    for row in rows { add(row, nil, currency, to: &reply) }
    if schema.hasPrefix("bitpal.chart/") || schema.hasPrefix("bitpal.history/") {
      mark(root, &reply)
      series(currency, &reply)
    }
    if schema.hasPrefix("bitpal.histories/") {
      for history in root["histories"] as? [[String: Any]] ?? [] {
        mark(history, &reply)
        JSONReply(root: history).series(currency.isEmpty ? history["currency"] as? String ?? "" : currency, &reply)
      }
    }
    if schema.hasPrefix("bitpal.portfolio/") {
      for row in root["holdings"] as? [[String: Any]] ?? [] where row["price"] is String {
        add(row, .spot(fetched: 0), currency, to: &reply)
      }
    }
    return reply
  }

  private init(root: [String: Any]) { self.root = root }

  private func add(_ row: [String: Any], _ kind: Figure.Kind?, _ currency: String, to reply: inout Reply) {
    // What is printed is what can be given back: `id:beam` where a ticker hides the id.
    guard let id = (row["id"] as? String).map(Oracle.meaning), let value = Self.decimal(row["price"]) else { return }
    mark(row, &reply)
    let fetched = (row["fetched_at"] as? String).map(Self.instant) ?? 0
    reply.figures.append(
      Figure(
        thing: id, currency: currency, kind: kind ?? .spot(fetched: fetched), value: value,
        source: row["source"] as? String ?? "", converted: Self.conversion(row)))
  }

  private func mark(_ row: [String: Any], _ reply: inout Reply) {
    if row["stale"] as? Bool == true { reply.isStale = true }
    if let reason = row["stale_reason"] as? String, reason != "outdated" { reply.isServedStale = true }
    if let fetched = (row["fetched_at"] as? String).map(Self.instant) {
      reply.fetched = min(reply.fetched ?? fetched, fetched)
    }
  }

  private func series(_ currency: String, _ reply: inout Reply) {
    let thing = Oracle.meaning(of: root["coin"] as? String ?? "")
    let source = root["source"] as? String ?? ""
    let converted = Self.conversion(root)
    func add(_ kind: Figure.Kind, _ value: Any?) {
      guard let value = Self.decimal(value) else { return }
      reply.figures.append(
        Figure(thing: thing, currency: currency, kind: kind, value: value, source: source, converted: converted))
    }
    let width = (root["candle"] as? String).flatMap { Duration(unitText: $0) }.map { Int($0.components.seconds) }
    for point in root["points"] as? [[String: Any]] ?? [] {
      let time = Self.instant(point["time"] as? String ?? "")
      if let width {
        for field in Truth.Field.allCases { add(.candle(field, start: time, width: width), point[field.rawValue]) }
      } else {
        add(.sample(time), point["price"])
      }
    }
    for day in root["days"] as? [[String: Any]] ?? [] {
      let time = Self.instant(day["date"] as? String ?? "")
      add(.close(time), day["price"])
      if day["provisional"] as? Bool == true { reply.provisional.insert(time) }
      for field in [Truth.Field.open, .high, .low] {
        add(.candle(field, start: time, width: 86_400), day[field.rawValue])
      }
    }
  }

  private static func conversion(_ row: [String: Any]) -> Figure.Conversion? {
    guard let conversion = row["converted"] as? [String: Any], let rate = decimal(conversion["rate"]) else {
      return nil
    }
    return Figure.Conversion(
      from: conversion["from"] as? String ?? "", price: decimal(conversion["price"]), rate: rate,
      source: conversion["rate_source"] as? String ?? "", day: instant(conversion["rate_time"] as? String ?? "").day)
  }

  static func decimal(_ value: Any?) -> Decimal? {
    if let text = value as? String { return Decimal(string: text) }
    return (value as? NSNumber).flatMap { Decimal(string: $0.stringValue) }
  }

  /// Seconds of a day or an instant.
  static func instant(_ text: String) -> Int {
    let whole = text.count == 10 ? text + "T00:00:00Z" : text
    if let date = try? Date(whole, strategy: .iso8601) { return Int(date.timeIntervalSince1970) }
    return (try? Date(whole, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
      .map { Int($0.timeIntervalSince1970) } ?? 0
  }
}
