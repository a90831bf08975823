import Bitpal
import BitpalModel
import BitpalOutput
import BitpalProviders
import BitpalQueries
import FoundationEssentials

/// One frame of `watch`, as the lines of a screen.
struct WatchFrame {
  let model: WatchModel

  /// The currency code in lower case.
  let currency: String
  let providers: [ProviderDescriptor]

  /// The warnings, one per line.
  let warnings: [String]

  /// Whether the prices come from a recording.
  let isStill: Bool
  let style: Style

  /// Returns the table of a portfolio at some prices, in the place of that of prices; nil to show prices.
  var portfolio: (([Sourced<Coin>], Style) -> String)?

  /// The sparklines of the coins, if asked for; shown if the window is wide enough.
  var sparklines: Sparklines?

  /// Returns at most as many lines as the screen has; the last one lists the keys.
  func lines(_ size: TerminalSize, now: Date, monotonic: Duration) -> [String] {
    // In a low window prices matter more than anything else, in a small one more than notes about other coins.
    let isLow = size.rows < 7
    let head =
      isLow
      ? Array(source(now, size.columns).prefix(1))
      : source(now, size.columns) + state(now, monotonic, size.columns) + [""]
    let foot = isLow ? [] : notes(size.columns).prefix(max(0, size.rows / 2 - head.count)) + [keys]
    let room = max(0, size.rows - head.count - foot.count)
    var table = rows(now, columns: size.columns).split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      .map(String.init)
    if table.count > room, room > 1 {
      let hidden = table.count - room + 1
      table = table.prefix(room - 1) + [style("… \(hidden) more; a taller window shows them", .quiet)]
    }
    let filled = head + table.prefix(room)
    let gap = max(0, size.rows - filled.count - foot.count)
    return Array((filled + Array(repeating: "", count: gap) + foot).prefix(size.rows))
  }

  /// Returns a text in lines as wide as the window, broken between words.
  private func lines(_ text: String, _ role: Style.Role, _ columns: Int) -> [String] {
    text.wrapped(toWidth: columns).map { style($0, role) }
  }

  private func source(_ now: Date, _ columns: Int) -> [String] {
    let origins = model.shown(at: now).map(Provenance.init)
    if origins.isEmpty { return lines(model.isAsking ? "asking for prices …" : "no prices yet", .quiet, columns) }
    return lines(Provenance.sources(origins, providers: providers, zone: style.zone), .quiet, columns)
  }

  /// Returns the line about the last update or the failure, and about the current activity.
  private func state(_ now: Date, _ monotonic: Duration, _ columns: Int) -> [String] {
    let age = model.quotes.map(\.fetchedAt).max().map { max(.zero, now.since($0)).shortText }
    if let refreshFailure = model.refreshFailure {
      let next = model.isAsking ? "asking again" : "next try in \(max(.zero, model.nextAsk - monotonic).shortText)"
      let stale = age.map { "stale, \($0) old" } ?? "no prices"
      return lines("\(next) · \(stale): \(refreshFailure.message.printable(limit: 120))", .warning, columns)
    }
    var parts: [String] = []
    if isStill { parts.append("a recording: nothing will change") }
    if !isStill, let age { parts.append("updated \(age) ago") }
    if !isStill { parts.append("every \(model.every.unitText)") }
    if let order = model.order { parts.append("by \(order.rawValue)\(model.isReversed ? ", reversed" : "")") }
    if model.isAsking, !isStill { parts.append("asking …") }
    return lines(parts.joined(separator: " · "), .quiet, columns)
  }

  private func notes(_ columns: Int) -> [String] {
    let failures = (model.refused + (model.refreshFailure == nil ? model.missing : [])).flatMap { failure in
      let text = "\(failure.coin.printable(limit: 40)): \(failure.error.message.printable(limit: 160))"
      return lines(text, .bad, columns)
    }
    let missing = sparklines?.missing ?? []
    // Without any price the line about the failure says that there is none.
    let lost = model.quotes.isEmpty ? nil : model.refreshFailure
    let unpriced = lost.map { failure in
      model.unpriced.flatMap { name in
        lines("\(name.printable(limit: 40)): no price yet: \(failure.message.printable(limit: 120))", .bad, columns)
      }
    }
    return failures + (unpriced ?? []) + warnings.flatMap { lines($0.printable(limit: 200), .warning, columns) }
      + (missing.isEmpty ? [] : lines(weekless(missing), .quiet, columns))
  }

  /// Returns the note about empty cells of the week, which a redraw does not fetch.
  private func weekless(_ coins: [String]) -> String {
    let names = coins.prefix(5).joined(separator: ", ").printable(limit: 120) + (coins.count > 5 ? ", …" : "")
    return "no week is cached of \(names); \"bitpal price COIN --spark\" fetches it"
  }

  private var keys: String {
    style(portfolio == nil ? "n name  p price  c change  r refresh  q quit" : "r refresh  q quit", .quiet)
  }

  private func rows(_ now: Date, columns: Int) -> String {
    let quotes = model.shown(at: now)
    if quotes.isEmpty { return "" }
    if let portfolio {
      var style = style
      style.width = columns
      return portfolio(quotes, style)
    }
    var table = TextTable(
      [
        .init("COIN", widest: 32, narrowest: 10), .init("SYMBOL", widest: 12, drops: 3),
        .init("PRICE \(currency.uppercased())", .right), .init(""), .init("24H", .right, drops: 4),
      ] + (sparklines == nil ? [] : [.init("WEEK", drops: 2)]) + [.init("UPDATED", drops: 1)])
    for quote in quotes {
      let coin = quote.value
      let direction = model.direction(of: coin.id)
      let role: Style.Role? = direction.map { $0 == .up ? .good : .bad }
      // The line about the failure covers these rows, so they carry no mark.
      let outdated = quote.freshness.isServedStale ? nil : quote.freshness.text
      let mark = direction.map { $0 == .up ? "▲" : "▼" } ?? (outdated == nil ? " " : "!")
      let head: [TextTable.Cell] = [
        .init(coin.name), .init(coin.symbol.uppercased()), .init(style.price(coin.currentPrice), role),
        .init(mark, role ?? .warning), .change(coin.priceChangePercentage24h),
      ]
      table.add(
        head + (sparklines.map { [$0.cell(coin.id)] } ?? [])
          + [
            outdated.map { .init($0, .warning) }
              ?? .init(coin.lastUpdated.map(style.time) ?? "fetched \(style.time(quote.fetchedAt))")
          ])
    }
    var style = style
    style.width = columns
    return table.text(style: style)
  }
}
