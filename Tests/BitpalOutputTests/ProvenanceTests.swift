import Bitpal
import BitpalJSON
import BitpalModel
import BitpalOutput
import BitpalProviders
import FoundationEssentials
import Testing

@Suite struct `Sources and ages in texts for people` {
  private static let seeds = Array<UInt64>(1...30)

  @Test(arguments: seeds)
  func `The line of sources names each once, and the oldest time and rate`(seed: UInt64) throws {
    var draw = Draw(seed)
    let parts = try draw.list(1...6) { draw in Provenance(try draw.sourced(1)) }
    let line = Provenance.sources(parts, providers: [])
    let names = Set(parts.map { $0.source.printable(limit: 200) })
    for name in names { #expect(line.contains(name), "\(name)") }
    let oldest = try #require(parts.map(\.fetchedAt).min())
    #expect(line.contains("fetched \(oldest.text(in: .utc))"))
    #expect(line.ranges(of: "fetched ").count == 1)
    for case let conversion? in parts.map(\.conversion) {
      #expect(line.contains("converted from USD by \(conversion.rateSource.printable(limit: 100).prefix(1))"))
    }
    #expect(!line.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x1B || $0.value == 0x202E })
  }

  @Test func `A note of the provider replaces the time, and its credit follows`() throws {
    var draw = Draw(1)
    let answer = try draw.sourced(1).marked(.fresh)
    func provider(note: String?, attribution: String?) -> ProviderDescriptor {
      ProviderDescriptor(
        id: answer.source, name: "Test", kind: "recorded", capabilities: [.quotes], attribution: attribution,
        note: note, cacheIdentity: "test")
    }
    let noted = Provenance.sources([Provenance(answer)], providers: [provider(note: "recorded then", attribution: "x")])
    #expect(noted.contains("recorded then") && !noted.contains("fetched"))
    let credited = Provenance.sources([Provenance(answer)], providers: [provider(note: nil, attribution: "Data by X")])
    #expect(credited.contains("Data by X") && credited.contains("fetched"))
  }

  @Test(arguments: seeds)
  func `The text about old prices is that of the oldest one that stands in for a newer one`(seed: UInt64) throws {
    var draw = Draw(seed)
    let parts = try draw.list(1...6) { draw in Provenance(try draw.sourced(1)) }
    let marked = parts.map(\.freshness).filter(\.isStale)
    let text = Provenance.staleText(parts)
    #expect((text == nil) == marked.isEmpty)
    let standIns = marked.filter(\.isServedStale)
    let age = (standIns.isEmpty ? marked : standIns).compactMap(\.age).max()
    #expect(text == age.map { "\(standIns.isEmpty ? "outdated" : "stale"), \($0.shortText) old" })
  }

  @Test(arguments: seeds)
  func `The object for waybar is markup in which text stays text`(seed: UInt64) throws {
    var draw = Draw(seed)
    let quotes = try draw.list(0...3) { draw in try draw.sourced(try draw.coin()) }
    let failures = draw.list(0...2) { $0.failure() }
    let (line, answer) = (draw.text().printable(), QuotesAnswer(quotes: quotes, failures: failures))
    let json = JSONValue.object(WaybarOutput(line, answer, currency: "usd", now: Draw.now).json)
    let read = try JSONReader.read(json.compact())
    for key in ["text", "tooltip"] {
      let markup = try #require(read[key]?.text)
      #expect(!markup.unicodeScalars.contains("<") && !markup.unicodeScalars.contains(">"))
      for part in markup.unicodeScalars.split(separator: "&").dropFirst(markup.unicodeScalars.first == "&" ? 0 : 1) {
        #expect(["amp;", "lt;", "gt;"].contains { part.starts(with: $0.unicodeScalars) })
      }
    }
    let shown = read["text"]?.text?.replacingEntities
    #expect(shown.map { $0.unicodeScalars.elementsEqual(line.unicodeScalars) } == true)
    let style = read["class"]?.text
    if failures.contains(where: { $0.error.code != .offline }) {
      #expect(style == "error")
    } else if quotes.isEmpty || quotes.contains(where: \.freshness.isServedStale) {
      #expect(style == "stale")
    } else if quotes.contains(where: \.freshness.isStale) {
      #expect(style == "outdated")
    } else if quotes.count == 1, let change = quotes[0].value.priceChangePercentage24h {
      #expect(style == (change < 0 ? "down" : "up"))
    } else {
      #expect(style == "fresh")
    }
  }

  @Test(arguments: seeds)
  func `Directives of prices have every digit, no exponent, and a commodity that closes its quotes`(seed: UInt64) throws
  {
    var draw = Draw(seed)
    let closes = try draw.points(1...6).map {
      Resampling.DailyClose(day: $0.timestamp.startOfDay, price: $0.price)
    }
    let directives = PriceDirectives(closes: closes, commodity: draw.text(), currency: "USD")
    let lines = directives.text(.ledger).split(separator: "\n").map(String.init)
    #expect(lines.count == closes.count)
    for (line, close) in zip(lines, closes) {
      #expect(line.hasPrefix("P \(close.day.dayText) ") && line.hasSuffix(" \(close.price.plainText) USD"))
      #expect([0, 2].contains(line.unicodeScalars.count { $0 == "\"" }))
    }
    #expect(directives.text(.hledger) == directives.text(.ledger))
    for (line, close) in zip(directives.text(.beancount).split(separator: "\n"), closes) {
      let words = line.split(separator: " ").map(String.init)
      #expect(words.count == 5 && words[0] == close.day.dayText && words[1] == "price" && words[4] == "USD")
      #expect(try Decimal(strict: words[3]) == close.price)
    }
  }

  @Test(arguments: seeds)
  func `Elements are picked evenly, from the first to the last`(seed: UInt64) {
    var draw = Draw(seed)
    let (all, most) = (Array(0..<draw.number(0...500)), draw.number(0...40))
    let picked = all.evenlyPicked(atMost: most)
    #expect(picked.count == min(all.count, max(1, most)))
    #expect(picked.last == all.last && (most < 2 || picked.first == all.first))
    let gaps = zip(picked, picked.dropFirst()).map { $1 - $0 }
    #expect(gaps.allSatisfy { $0 > 0 } && (gaps.max() ?? 0) - (gaps.min() ?? 0) <= 1)
  }
}

extension String {
  /// The text of markup.
  fileprivate var replacingEntities: String {
    var text = self
    for (entity, plain) in [("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")] {
      text = text.unicodeScalars.split(separator: "&", omittingEmptySubsequences: false).enumerated().map {
        index, part in
        let part = String(part)
        let name = String(entity.dropFirst())
        if index == 0 { return part }
        guard part.unicodeScalars.starts(with: name.unicodeScalars) else { return "&" + part }
        return plain + String(part.unicodeScalars.dropFirst(name.unicodeScalars.count))
      }.joined()
    }
    return text
  }
}
