/// A question about one thing.
enum Ask: Hashable, Sendable, CustomStringConvertible {
  case price, coin
  case line(String), candles(String)

  /// A chart of the days from so many days ago to so many days ago.
  case between(from: Int, to: Int)

  /// The days from so many days ago to yesterday, or to so many days ago.
  case history(from: Int, to: Int, ohlc: Bool)
  case convert(daysAgo: Int?)

  /// What is recorded, and what is made of that: `buy --date`, then a command of the portfolio.
  case buy(daysAgo: Int), portfolio, gains, portfolioChart, returns, historyFor

  var description: String {
    switch self {
    case .price: "price"
    case .coin: "coin"
    case .line(let range): "chart --range \(range)"
    case .candles(let range): "chart --type candle --range \(range)"
    case .between(let from, let to): "chart --from -\(from)d --to -\(to)d"
    case .history(let from, let to, let ohlc): "history -\(from)d..-\(to)d\(ohlc ? " --ohlc" : "")"
    case .convert(let days): "convert 1" + (days.map { " --on -\($0)d" } ?? "")
    case .buy(let days): "buy 1 --date -\(days)d"
    case .portfolio: "portfolio"
    case .gains: "portfolio gains"
    case .portfolioChart: "portfolio chart"
    case .returns: "portfolio returns"
    case .historyFor: "history --for"
    }
  }

  /// Whether it is of the books, which only the command line keeps.
  var isOfBooks: Bool {
    switch self {
    case .buy, .portfolio, .gains, .portfolioChart, .returns, .historyFor: true
    default: false
    }
  }
}

/// What surrounds a question.
enum Condition: String, CaseIterable, Sendable {
  case well, budget, limited, down, hangs, empty, sentence, page, cut, frozen, offline, stale, refresh

  /// Whether the first source on the web does not answer.
  var stopsFirst: Bool { [.budget, .limited, .down, .hangs, .empty, .sentence, .page, .cut].contains(self) }
}

/// Through what a question is asked.
enum Door: String, CaseIterable, Sendable {
  case service, command, native, coingecko, page
}

/// One combination, without the door.
struct Case: Hashable, Sendable, CustomStringConvertible {
  let ask: Ask
  let sources: [Source]
  let name: String
  let currency: String
  let condition: Condition

  /// Whether the coin list had been fetched before.
  let hasList: Bool

  /// Whether the central bank is asked what currencies cost.
  let converts: Bool

  var description: String {
    "\(ask) \(name) --currency \(currency) [\(sources.map(\.rawValue).joined(separator: ", "))] \(condition.rawValue)"
      + (hasList ? " list" : "") + (converts ? " ecb" : "")
  }

  /// The source that a condition stops: the first on the web.
  var stopped: Source? {
    let first = condition.stopsFirst ? sources.first(where: \.isOnWeb) : nil
    // A plugin has no shipped file whose budget could be another, and reads what comes by itself.
    return first == .plugin && ![.limited, .down, .hangs].contains(condition) ? nil : first
  }

  /// The source that stands still: the first on the web.
  var frozen: Source? { condition == .frozen ? sources.first(where: \.isOnWeb) : nil }

  /// Whether a recording goes first, whose clock stands still.
  var stands: Bool { sources.first { $0.isOnWeb || $0 == .tape } == .tape }

  /// The doors through which it can be asked.
  var doors: [Door] {
    switch ask {
    case .price, .coin: Door.allCases
    case .line, .candles, .between: [.service, .command, .native, .coingecko]
    case .history(_, _, let ohlc): ohlc ? [.service, .command] : [.service, .command, .native, .coingecko]
    case .convert: [.service, .command]
    default: [.command]
    }
  }
}

/// Random numbers of a seed, the same on every machine.
struct SeededNumbers: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}

/// The combinations of a run, chosen by seed.
struct Cases {
  /// Single sources, every ordered pair, and some triples.
  static let lists: [[Source]] = {
    let all = Source.allCases
    let pairs = all.flatMap { first in all.filter { $0 != first }.map { [first, $0] } }
    let triples: [[Source]] = [
      [.coingecko, .yahoo, .ecb], [.yahoo, .coingecko, .ecb], [.coingecko, .alphavantage, .yahoo],
      [.coingecko, .binance, .tape], [.binance, .coinbase, .coingecko],
      [.journal, .coingecko, .yahoo], [.coingecko, .journal, .sheet], [.ecb, .coingecko, .yahoo],
      [.sheet, .yahoo, .coingecko],
      [.coinbase, .binance, .journal], [.tape, .coingecko, .yahoo], [.coingecko, .yahoo, .journal],
      [.yahoo, .binance, .sheet],
    ]
    return all.map { [$0] } + pairs + triples
  }()

  static let names = [
    "bitcoin", "btc", "ethereum", "eth", "near", "beam", "id:beam", "beam-2", "uni", "id:uni", "uniswap", "matic",
    "polygon-bridged", "twin", "twin-b", "solo", "dogecoin", "litecoin", "zebra", "atlas", "house", "AAPL", "IBM",
    "SAP.DE",
    "VOD.L", "NEAR", "id:NEAR", "GC=F", "BHP.AX", "fx:eur", "fx:usd", "fx:isk", "nope", "NOPE", "VWCE.DE",
  ]

  static let ranges = ["1H", "1D", "1W", "1M", "3M", "6M", "YTD", "1Y", "5Y", "MAX"]

  /// So many groups of cases in the same surroundings, whose doors are counted by the run.
  static func chosen(_ count: Int, seed: UInt64) -> [[Case]] {
    var random = SeededNumbers(seed)
    var groups: [[Case]] = []
    var index = 0
    while groups.count < count {
      // Every list has its turn; the rest is drawn.
      let sources = lists[index % lists.count]
      index += 1
      if sources.contains(.plugin), !Int.random(in: 0..<6, using: &random).isMultiple(of: 6) { continue }
      let currency = ["usd", "usd", "usd", "eur", "gbp", "sek"].randomElement(using: &random) ?? "usd"
      let condition = Condition.allCases.randomElement(using: &random) ?? .well
      let (hasList, converts) = (Bool.random(using: &random), Bool.random(using: &random))
      // A portfolio is of one thing, so books are asked for alone.
      let isOfBooks = Int.random(in: 0..<5, using: &random) == 0
      let group = (0..<(isOfBooks ? 1 : 6)).map { _ in
        Case(
          ask: isOfBooks ? book(&random) : question(&random), sources: sources, name: name(for: sources, &random),
          currency: currency, condition: condition, hasList: hasList, converts: converts)
      }
      groups.append(group.filter { $0.name != "fx:" + currency })
    }
    return groups
  }

  private static func question(_ random: inout SeededNumbers) -> Ask {
    let asks: [Ask] = [
      .price, .price, .price, .coin, .line(ranges.randomElement(using: &random) ?? "1D"),
      .candles(ranges.randomElement(using: &random) ?? "1D"), .history(from: 7, to: 1, ohlc: false),
      .history(from: 7, to: 1, ohlc: true), .history(from: 1, to: 1, ohlc: Bool.random(using: &random)),
      .between(from: 9, to: 6), .history(from: 40, to: 38, ohlc: Bool.random(using: &random)), .convert(daysAgo: nil),
      .convert(daysAgo: [1, 6, 3327].randomElement(using: &random)),
    ]
    return asks.randomElement(using: &random) ?? .price
  }

  private static func book(_ random: inout SeededNumbers) -> Ask {
    let asks: [Ask] = [
      .buy(daysAgo: [1, 2, 30].randomElement(using: &random) ?? 1), .portfolio, .gains, .portfolioChart, .returns,
      .historyFor,
    ]
    return asks.randomElement(using: &random) ?? .portfolio
  }

  /// A name that one of the sources has, four times of five.
  private static func name(for sources: [Source], _ random: inout SeededNumbers) -> String {
    guard Int.random(in: 0..<5, using: &random) > 0, let source = sources.randomElement(using: &random) else {
      return names.randomElement(using: &random) ?? "bitcoin"
    }
    let own = names.filter { name in source.market.keys.contains(Oracle.meaning(of: name)) }
    return own.randomElement(using: &random) ?? "bitcoin"
  }
}
