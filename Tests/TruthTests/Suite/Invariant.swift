import FoundationEssentials

/// What must hold of every answer.
enum Invariant: String, CaseIterable, Sendable {
  case truth = "a number is the true one for its coin, currency, day and field"
  case source = "a number is of a source of the list, and the first that has it answers"
  case reason = "what is missing says the true reason, with the right code"
  case answered = "what a source has is answered"
  case mark = "what is not fresh says so, and what is fresh does not"
  case range = "a range is complete"
  case doors = "all doors agree"
  case requests = "no request is spent on a name that the source's list lacks, or where none may be sent"
  case closes = "a past close equals that of the candle"
  case names = "a printed id, given back, is the same coin"
  case pause = "a pause that a source asks for is not a failure"
}

/// A broken invariant, with the line that shows it.
struct Violation: Sendable {
  let invariant: Invariant
  let finding: String
  let line: String
}

/// Holds an answer against the oracle.
struct Check {
  let `case`: Case
  let door: Door
  let reply: Reply
  let oracle: Oracle

  /// The instant at which the answer was fetched, if it was fetched before the question.
  private var start: Int { WorldFiles.start }
  private var thing: String {
    // CoinGecko's form asks by ids.
    Oracle.meaning(of: `case`.name)
  }
  private var currency: String { `case`.currency }

  init(case: Case, door: Door, reply: Reply, oracle: Oracle) {
    self.case = `case`
    self.door = door
    self.reply = reply
    // What was fetched before is held against the prices of then.
    self.oracle = reply.isServedStale ? Oracle(truth: oracle.truth, now: reply.fetched ?? WorldFiles.start) : oracle
  }

  func broken() -> [(Invariant, String)] {
    // What cannot be recorded at a close that no source has is asked of the user.
    let isAskedBack =
      `case`.ask.isOfBooks && reply.notices.contains("give it with --price")
      && (answerer.source == nil || `case`.frozen != nil)
    if isAskedBack, `case`.stopped == nil, reply.status == 2 { return [] }
    if reply.status == 2 || reply.status == 3 || reply.codes.contains("usage") || reply.codes.contains("configuration")
    {
      return [(.reason, "status \(reply.status): \(reply.notices.suffix(500))")]
    }
    return truths() + sources() + reasons() + marks() + ranges() + requests()
  }

  // MARK: Numbers

  private func truths() -> [(Invariant, String)] {
    guard !reply.figures.isEmpty else { return [] }
    if thing == "?" {
      return [(.truth, "two coins share the ticker, and one of them is priced: \(reply.figures[0].thing)")]
    }
    for figure in reply.figures {
      guard figure.thing == thing else { return [(.truth, "\(thing) is asked for, and \(figure.thing) is priced")] }
      guard figure.currency == currency else { return [(.truth, "the currency is \(figure.currency)")] }
      guard isTrue(figure) else { return [(.truth, explained(figure))] }
    }
    return []
  }

  private func isTrue(_ figure: Figure) -> Bool {
    if let frozen = `case`.frozen, figure.converted?.source == frozen.rawValue { return true }
    if let frozen = `case`.frozen, [frozen.rawValue, "page", ""].contains(figure.source),
      isTrue(figure, standing: frozen)
    {
      return true
    }
    switch figure.source {
    case "page":
      // Rounded, and of whichever source.
      let spots = (`case`.sources + (`case`.converts ? [.ecb] : [])).flatMap {
        oracle.values(figure.at(.spot(fetched: start)), $0, currency)
          + oracle.values(figure.at(.spot(fetched: oracle.now)), $0, currency)
      }
      let others = oracle.converted(figure.at(.spot(fetched: start)), `case`)
      return (spots + others).contains { abs($0 - figure.value) <= abs($0) / 1000 }
    case "":
      // Books do not say of whom a price is: a day without a close has that of the day before.
      guard case .close(let day) = figure.kind else { return true }
      let earlier = (0...4).flatMap { oracle.converted(figure.at(.close(day - $0 * 86_400)), `case`) }
      if earlier.contains(where: { Oracle.isSame($0, figure.value) }) { return true }
      return (`case`.sources + (`case`.converts ? [.ecb] : [])).contains { source in
        (0...4).contains { back in
          oracle.closing(source, thing, currency, day - back * 86_400).map { Oracle.isSame($0, figure.value) } ?? false
        }
      }
    default:
      // In CoinGecko's form a price may be converted without a word of it.
      if figure.source.contains(", ") { return true }
      if figure.converted == nil, door == .coingecko, `case`.converts,
        let source = Source(rawValue: figure.source), !source.has(thing, in: currency)
      {
        return true
      }
      // A recording has the line of one of the coin's currencies.
      if figure.converted == nil, door == .coingecko, figure.source == Source.tape.rawValue,
        oracle.converted(figure, `case`).contains(where: { Oracle.isSame($0, figure.value) })
      {
        return true
      }
      // Nor does a portfolio say by which rate its prices are converted.
      if case .portfolio = `case`.ask, figure.converted == nil,
        oracle.converted(figure, `case`).contains(where: { Oracle.isSame($0, figure.value) })
      {
        return true
      }
      return oracle.isTrue(figure)
    }
  }

  /// Whether a number is what a source says that stands still, with the mark that it needs.
  private func isTrue(_ figure: Figure, standing source: Source) -> Bool {
    let stopped = Oracle(truth: oracle.truth, now: oracle.now - TruthNetwork.Mood.standstill)
    if figure.converted != nil || figure.currency != currency { return true }
    // A page does not say by which rate its prices are converted, and a bank's last rate counts for some days.
    if figure.source == "page", `case`.converts { return true }
    if source == .ecb, case .convert = `case`.ask { return true }
    if case .spot = figure.kind, !figure.source.isEmpty {
      let last = stopped.values(figure.at(.spot(fetched: stopped.now)), source, currency)
      return last.contains {
        figure.source == "page" ? abs($0 - figure.value) <= abs($0) / 1000 : Oracle.isSame($0, figure.value)
      }
    }
    // The portfolio and the books say on standard error which close may still change.
    let isSaid = reply.notices.contains("provisional")
    guard case .close(let day) = figure.kind, day + 86_400 > stopped.now, !source.hasSessions, source != .ecb else {
      return figure.source.isEmpty ? isSaid : stopped.isTrue(figure)
    }
    let last = stopped.values(figure.at(.spot(fetched: stopped.now)), source, currency)
    return (isSaid || reply.provisional.contains(day)) && (figure.source.isEmpty || last.contains(figure.value))
  }

  /// What a wrong number is instead, if it is a price of the same source at all.
  private func explained(_ figure: Figure) -> String {
    let text = "\(figure.kind) of \(figure.source) is \(figure.value)"
    guard let source = Source(rawValue: figure.source) else {
      // Of the books: it may be of any source of the list.
      for source in `case`.sources {
        let told = explained(
          Figure(thing: thing, currency: currency, kind: figure.kind, value: figure.value, source: source.rawValue))
        if told.contains("which is") { return told }
      }
      return text
    }
    let right = oracle.values(figure, source, figure.converted?.from ?? currency).first.map { "\($0)" } ?? "none"
    let place =
      switch figure.kind {
      case .spot: oracle.now
      case .sample(let time), .instant(let time), .close(let time), .candle(_, let time, _): time
      }
    for back in (-400...400).sorted(by: { abs($0) < abs($1) }) {
      let day = place.day - back * 86_400
      if oracle.closing(source, thing, currency, day).map({ Oracle.isSame($0, figure.value) }) ?? false {
        return "\(text), which is the close of \(day.dayText); right: \(right)"
      }
      let opening = source.sessions(thing, from: day, to: day).first?.lowerBound ?? day
      let opened = source.hasSessions ? opening : day
      if Oracle.isSame(oracle.truth.open(source, thing, currency, at: opened), figure.value) {
        return "\(text), which is the opening of \(day.dayText); right: \(right)"
      }
    }
    return "\(text); right: \(right)"
  }

  // MARK: Sources

  /// What the door really asks: CoinGecko's form of a past price is about one day.
  private var asked: Ask {
    guard door == .coingecko, case .history(_, let to, _) = `case`.ask else { return `case`.ask }
    return .history(from: to, to: to, ohlc: false)
  }

  /// Who must answer: the first source that has it and is not stopped; nil where that is not certain.
  private var answerer: (certain: Bool, source: Source?) {
    let ask = asked
    for source in `case`.sources where source != `case`.stopped {
      // Its ticker is in the list alone.
      if thing == "zebra", source == .coinbase { return (false, source) }
      switch oracle.ability(source, ask, thing, currency) {
      case .yes:
        // What it has is as of when it stopped.
        if source == `case`.frozen, ![.price, .coin].contains(ask) { return (false, source) }
        if Oracle.needsList(`case`.name), !`case`.sources.contains(where: \.hasList) { return (false, nil) }
        return (true, source)
      case .perhaps: return (false, source)
      case .no:
        // A file's gaps are its answer, in another currency too.
        let isOfFile = !source.isOnWeb && `case`.converts && source.market[thing] != nil
        if isOfFile, case .yes = oracle.ability(source, .price, thing, source.market[thing]?.first ?? "") {
          return (false, source)
        }
      }
    }
    return (true, nil)
  }

  private func sources() -> [(Invariant, String)] {
    guard let figure = reply.figures.first, figure.source != "page", figure.source != "" else { return [] }
    let named = figure.source.split(separator: ", ").map(String.init)
    guard let source = Source(rawValue: named[0]) else { return [(.source, "its source is \"\(figure.source)\"")] }
    guard `case`.sources.contains(source) || (figure.thing.hasPrefix("fx:") && `case`.converts && source == .ecb) else {
      return [(.source, "it is of \(source.rawValue), which was not asked for")]
    }
    let (certain, right) = answerer
    guard certain, let right, figure.converted == nil, `case`.condition != .stale, `case`.condition != .offline else {
      return []
    }
    if source != right {
      return [(.source, "it is of \(source.rawValue), although \(right.rawValue) has it and comes first")]
    }
    return []
  }

  // MARK: Reasons

  private func reasons() -> [(Invariant, String)] {
    let (certain, right) = answerer
    let codes = Set(reply.codes)
    if !reply.figures.isEmpty || reply.isAnswered { return [] }
    if [.portfolio, .gains, .portfolioChart, .returns, .historyFor].contains(`case`.ask) { return [] }
    if codes.isEmpty, door == .command || door == .native || door == .service, reply.status < 400 {
      return [(.reason, "there is neither an answer nor an error")]
    }
    let said = door == .coingecko || door == .page ? "status \(reply.status)" : "\(reply.codes)"
    if certain, let right, ![.offline, .stale].contains(`case`.condition) {
      return [(.answered, "\(right.rawValue) has it, and the answer is \(said)")]
    }
    if certain, let right, !right.isOnWeb {
      return [(.answered, "\(right.rawValue) has it, and the answer is \(said)")]
    }
    // A stopped source that has it, or that may have it for all that is known.
    if let stopped = `case`.stopped, certain, right == nil, let wanted = Oracle.stopped[`case`.condition],
      oracle.ability(stopped, asked, thing, currency) == .yes
    {
      let statuses: Set<Int> =
        [.budget, .limited].contains(`case`.condition)
        ? [429, 503] : `case`.condition == .empty ? [200, 404, 502, 503] : [502, 503, 504]
      let isRight =
        door == .coingecko || door == .page ? statuses.contains(reply.status) : !codes.isDisjoint(with: wanted)
      if !isRight { return [(.reason, "\(stopped.rawValue) has it and is stopped, and the answer is \(said)")] }
      if door == .command, !exits.contains(reply.status) {
        return [(.reason, "exit status \(reply.status) for \(reply.codes)")]
      }
    }
    if certain, right == nil, `case`.stopped == nil, `case`.condition == .well, door != .coingecko, door != .page,
      codes.isDisjoint(with: Oracle.absent)
    {
      return [(.reason, "nobody has it, and the answer is \(said)")]
    }
    if thing == "?", `case`.hasList, `case`.sources.first == .coingecko, `case`.condition == .well, door == .command,
      `case`.ask == .price, !codes.contains("ambiguous")
    {
      return [(.reason, "two coins share the ticker, and the answer is \(said)")]
    }
    return []
  }

  /// The exit statuses that the codes allow.
  private var exits: Set<Int> {
    Set(
      reply.codes.map { code in
        switch code {
        case "rate_limited": 5
        case "refused", "network", "timed_out", "put_aside", "offline": 4
        case "unreadable": 6
        default: 1
        }
      })
  }

  // MARK: Marks

  private func marks() -> [(Invariant, String)] {
    guard !reply.figures.isEmpty, reply.figures[0].source != "" else { return [] }
    if door == .page { return [] }
    let local = Source(rawValue: reply.figures[0].source)?.isOnWeb == false
    let isQuote: Bool
    switch `case`.ask {
    case .price, .coin, .convert(nil): isQuote = true
    default: isQuote = false
    }
    if `case`.condition == .stale, !`case`.stands, isQuote, !local, !reply.isServedStale,
      !reply.figures[0].thing.hasPrefix("fx:")
    {
      return [(.mark, "it was fetched eight hours ago, and is not marked")]
    }
    if `case`.condition != .stale, reply.isServedStale { return [(.mark, "it was fetched now, and is marked")] }
    return []
  }

  // MARK: Ranges

  private func ranges() -> [(Invariant, String)] {
    guard let figure = reply.figures.first, figure.converted == nil, let source = Source(rawValue: figure.source),
      source != .tape, `case`.condition != .stale, source != `case`.frozen
    else { return [] }
    let now = oracle.now
    switch `case`.ask {
    case .history(let from, let to, _) where door != .coingecko:
      let have = Set(
        reply.figures.compactMap { figure -> Int? in if case .close(let day) = figure.kind { day } else { nil } })
      let missing = oracle.days(source, thing, from, to).filter { !have.contains($0) }
      guard let first = missing.first else { return [] }
      return [(.range, "\(source.rawValue) has \(first.dayText), which is left out (\(missing.count) of them)")]
    case .between(let from, let to):
      let (first, end) = (now.day - from * 86_400, now.day - (to - 1) * 86_400)
      let times = reply.figures.compactMap(\.kind.instant)
      // The midnight that ends the last day belongs to it, unless a price is of a day.
      let isDated = [.ecb, .journal, .sheet, .alphavantage].contains(source)
      let next = oracle.values(figure.at(.close(end)), source, currency)
      let isNext =
        isDated && reply.figures.last.map { last in next.contains { Oracle.isSame($0, last.value) } } ?? false
      if let last = times.last, last > end || isNext { return [(.range, "\(last.instantText) is after the last day")] }
      let have = Set(times.map { door == .coingecko ? ($0 - 1).day : $0.day })
      guard let missing = oracle.days(source, thing, from, to).first(where: { !have.contains($0) }) else { return [] }
      return [
        (
          .range,
          "\(source.rawValue) has \(missing.dayText), which is left out of \(first.dayText) to \((end - 1).dayText)"
        )
      ]
    case .line(let range), .candles(let range):
      let times = reply.figures.compactMap { figure -> Int? in
        switch figure.kind {
        case .sample(let time), .instant(let time): time
        case .candle(.open, let start, _): start
        default: nil
        }
      }
      guard let first = times.first, let last = times.last, door != .coingecko || range != "1H" else { return [] }
      let span = Self.spans[range] ?? 0
      let begin = max(
        range == "MAX" ? source.beginning(thing, now: now) : range == "YTD" ? now.yearStart : now - span,
        source.beginning(thing, now: now))
      // A line of weeks begins in the week; shares are traded on some hours of five days.
      let slack = max(span / 20, 3600) + (source.isOnWeb && !source.hasSessions && source != .ecb ? 0 : 5 * 86_400)
      let isWide = range == "5Y" || range == "MAX" || range == "1Y" || range == "YTD"
      let most = isWide ? max(slack, 16 * 86_400) : slack
      if first > begin + most {
        return [(.range, "\(source.rawValue) has it from \(begin.dayText), and it begins on \(first.instantText)")]
      }
      let end = source.isOnWeb ? now : WorldFiles.days(source, thing).last ?? now
      if last < min(end, now) - most { return [(.range, "it ends on \(last.instantText)")] }
    default: break
    }
    return []
  }

  private static let spans = [
    "1H": 3600, "1D": 86_400, "1W": 7 * 86_400, "1M": 30 * 86_400, "3M": 90 * 86_400, "6M": 180 * 86_400,
    "YTD": 365 * 86_400, "1Y": 365 * 86_400, "5Y": 1826 * 86_400, "MAX": 1826 * 86_400,
  ]

  // MARK: Requests

  private func requests() -> [(Invariant, String)] {
    if `case`.condition == .offline, let first = reply.sent.first, door == .command || door == .service {
      return [(.requests, "it is offline, and \(first.source.rawValue) is asked")]
    }
    guard `case`.hasList, `case`.condition != .stale, `case`.condition != .refresh,
      let list = `case`.sources.first(where: \.hasList), list.isOnWeb, list == .coingecko,
      // The list is cached where its source is the first that has one.
      !Listing.all.contains(where: { $0.id == thing || $0.symbol == `case`.name.lowercased() }), !thing.hasPrefix("fx:")
    else { return [] }
    // The list itself may be old; it is asked for at most once.
    if let spent = reply.sent.first(where: { $0.source == list && !$0.target.contains("/coins/list") }) {
      return [(.requests, "\(list.rawValue) lacks \(thing), and is asked \(spent.target.prefix(80))")]
    }
    return []
  }
}

extension Figure {
  /// The same of another moment.
  func at(_ kind: Kind) -> Figure {
    Figure(thing: thing, currency: currency, kind: kind, value: value, source: source, converted: converted)
  }
}

extension Int {
  /// The first instant of the instant's year.
  var yearStart: Int { JSONReply.instant(dayText.prefix(4) + "-01-01") }
}
