import BitpalJSON
import BitpalModel
import FoundationEssentials

/// The rows of quotes that have been read so far; each coin of the answer has a quote or a failure.
struct QuoteRows {
  /// The provider's name in failures.
  let provider: String

  private var found: [String: Coin] = [:]
  private var failures: [String: BitpalError] = [:]
  private var warnings: [AnswerWarning] = []
  private var identified = 0
  private var dropped = 0

  /// The problem of the first row whose identity cannot be read; nil for none.
  private(set) var problem: ColumnProblem?

  init(provider: String) {
    self.provider = provider
  }

  /// The number of coins that have had a row.
  var count: Int { found.count + failures.count }

  /// Returns whether a coin has had a row.
  func knows(_ coin: String) -> Bool { found[coin] != nil || failures[coin] != nil }

  /// Adds the row of a coin that was asked for.
  ///
  /// - Parameters:
  ///   - isNamed: Whether the row says whose it is; a second one that does not is a mistake in the provider file.
  ///   - unreadable: Makes the failure of a row that cannot be read.
  ///   - read: Returns the quote; nil when its price is null.
  /// - Throws: Any error of `read` except ``/BitpalJSON/ColumnProblem`` and `ValidationError`, which become the
  ///   failure of the coin.
  mutating func add(
    _ coin: String, isNamed: Bool = true, unreadable: (String) -> BitpalError, _ read: (inout Figures) throws -> Coin?
  ) throws {
    guard found.removeValue(forKey: coin) == nil, failures[coin] == nil else {
      // No rule says which of the two rows is right.
      failures[coin] = unreadable(isNamed ? "two rows are of \(coin.printable(limit: 80))" : Self.unnamed)
      return
    }
    var figures = Figures(coin: coin)
    do {
      if let quote = try read(&figures) {
        found[coin] = quote
        warnings += figures.warnings
      } else {
        failures[coin] = .noPrice(coin: coin, provider: provider)
      }
    } catch let error as ValidationError {
      failures[coin] = .noPrice(coin: coin, provider: provider, reason: error.description)
    } catch let problem as ColumnProblem {
      failures[coin] = unreadable(problem.description)
    }
  }

  /// The reason why several rows cannot be of the one coin that was asked for.
  static let unnamed =
    "it has several rows, and no row says whose it is; map id, or symbol with {SYMBOL} in get or with all: true"

  /// Returns the identity of a row's coin; nil for a row without a readable one, which is counted as dropped.
  ///
  /// - Throws: Any error of `read` except ``/BitpalJSON/ColumnProblem``.
  mutating func identity<Identity>(_ read: () throws -> Identity?) throws -> Identity? {
    do {
      if let identity = try read() {
        identified += 1
        return identity
      }
    } catch let problem as ColumnProblem {
      self.problem = self.problem ?? problem
    }
    dropped += 1
    return nil
  }

  /// Whether there are rows, and none has an identity.
  var lackIdentities: Bool { identified == 0 && dropped > 0 }

  /// The reason why no row has an identity; nil when one has, and without rows.
  var reasonForNone: String? { lackIdentities ? problem?.description ?? "none of its rows has an id" : nil }

  /// Returns the answer about these coins; a coin without a row is `.notFound`.
  ///
  /// - Parameter isRounded: Whether a number had more digits than fit.
  func answer(_ coins: [String], isRounded: Bool) -> ProviderAnswer {
    var failures = failures
    for coin in coins where found[coin] == nil && failures[coin] == nil {
      // Sources omit unknown ids without an error.
      failures[coin] = .notFound(coin: coin, provider: provider)
    }
    var warnings = warnings
    if let problem {
      warnings.append(.droppedRows(count: dropped, first: problem))
    } else if dropped > 0 {
      warnings.append(.droppedRows(count: dropped, reason: "they have no id"))
    }
    if isRounded { warnings.append(.roundedNumbers) }
    return ProviderAnswer(quotes: found, failures: failures, warnings: warnings)
  }
}

/// A reader of a coin's figures other than its price, which leaves out unusable figures with a warning.
struct Figures {
  let coin: String

  /// The figures that were left out.
  private(set) var warnings: [AnswerWarning] = []

  init(coin: String) {
    self.coin = coin
  }

  /// Returns a value without a check of its range; nil for null, and with a warning for an unreadable value.
  ///
  /// - Parameters:
  ///   - name: The name of the figure in warnings.
  ///   - read: Returns the value.
  /// - Throws: Any error of `read` except ``/BitpalJSON/ColumnProblem``.
  mutating func value<Value>(_ name: String, _ read: () throws -> Value?) throws -> Value? {
    do {
      return try read()
    } catch let problem as ColumnProblem {
      warnings.append(.leftOutFigure(name, coin: coin, reason: problem.description))
      return nil
    }
  }

  /// Returns a number of at least zero; nil for null, and with a warning for an unreadable or negative number.
  ///
  /// - Throws: Any error of `read` except ``/BitpalJSON/ColumnProblem``.
  mutating func amount(_ name: String, _ read: () throws -> Decimal?) throws -> Decimal? {
    guard let amount = try value(name, read) else { return nil }
    guard amount < 0 else { return amount }
    warnings.append(.leftOutFigure(name, coin: coin, reason: "it is negative (\(amount.plainText))"))
    return nil
  }

  /// Returns the change of 24 hours in percent; nil for null, and with a warning for one that cannot be read or be true.
  ///
  /// - Throws: Any error of `read` except ``/BitpalJSON/ColumnProblem``.
  mutating func change(_ read: () throws -> Decimal?) throws -> Decimal? {
    let name = "24 h change"
    guard let percent = try value(name, read) else { return nil }
    // A price above zero loses less than 100 percent.
    if percent > -100, percent < 100_000 { return percent }
    warnings.append(.leftOutFigure(name, coin: coin, reason: "\(NumberFormat.percent(percent)) cannot be true"))
    return nil
  }

  /// Returns the rank among all coins, from 1; nil for null, and with a warning for any other value.
  ///
  /// - Throws: Any error of `read` except ``/BitpalJSON/ColumnProblem``.
  mutating func rank(_ read: () throws -> Decimal?) throws -> Int? {
    guard let number = try value("rank", read) else { return nil }
    if number > 0, number == number.rounded(scale: 0), let rank = Int(number.plainText) { return rank }
    warnings.append(.leftOutFigure("rank", coin: coin, reason: "\(number.plainText) is not a rank"))
    return nil
  }

  /// Returns an extreme price with its time, or without one if that is null; nil without a price.
  ///
  /// - Throws: Any error of `price` and `date` except ``/BitpalJSON/ColumnProblem``.
  mutating func extreme(
    _ name: String, price: () throws -> Decimal?, date: () throws -> Date?
  ) throws -> PriceExtreme? {
    guard let price = try amount(name, price) else { return nil }
    return PriceExtreme(price: price, date: try value("time of the \(name)", date))
  }
}

/// The rows of a line or of candles that have been read so far, with counts of the unreadable ones.
struct SeriesRows<Point> {
  /// The points that could be read, in the order of the rows.
  private(set) var points: [Point] = []

  /// The problem of the first row that cannot be read; nil when there is none.
  private(set) var problem: ColumnProblem?

  private var unreadable = 0
  private var nulls = 0

  /// Whether no row has been added, readable or not.
  var isEmpty: Bool { points.isEmpty && unreadable == 0 && nulls == 0 }

  /// Adds a row.
  ///
  /// - Parameter read: Returns the row's point; nil when one of its values is null.
  /// - Throws: Any error of `read` except ``/BitpalJSON/ColumnProblem``.
  mutating func add(_ read: () throws -> Point?) throws {
    do {
      if let point = try read() { points.append(point) } else { nulls += 1 }
    } catch let problem as ColumnProblem {
      unreadable += 1
      self.problem = self.problem ?? problem
    }
  }

  /// Returns the warnings about the rows.
  ///
  /// - Parameters:
  ///   - cleaned: The series of the rows, with those that broke a rule.
  ///   - isRounded: Whether a number had more digits than fit.
  func warnings<Row>(of cleaned: SeriesRules.Cleaned<Row>, isRounded: Bool) -> [AnswerWarning] {
    var warnings: [AnswerWarning] = []
    if nulls > 0 { warnings.append(.droppedRows(count: nulls, reason: "the price is null")) }
    if let problem { warnings.append(.droppedRows(count: unreadable, first: problem)) }
    if let fault = cleaned.fault {
      warnings.append(.droppedRows(count: cleaned.dropped, reason: (cleaned.dropped > 1 ? "the first, " : "") + fault))
    }
    if isRounded { warnings.append(.roundedNumbers) }
    return warnings
  }
}

extension SeriesRules.Cleaned {
  /// Returns the rows that remain.
  ///
  /// - Throws: `.unreadable` with the first fault where every row broke a rule; `.noData` where all were zeros.
  func usable(of subject: String, provider: String) throws(BitpalError) -> [Point] {
    guard points.isEmpty, let fault else { return points }
    throw wereZeros
      ? .noData(question: "\(subject); \(fault)", provider: provider)
      : .unreadable(provider: provider, reason: "each row of \(subject) is wrong; the first, \(fault)")
  }
}

extension AnswerWarning {
  /// Returns a warning about unreadable rows that were left out, with the problem of the first.
  static func droppedRows(count: Int, first problem: ColumnProblem) -> AnswerWarning {
    .droppedRows(count: count, reason: count == 1 ? "\(problem)" : "of the first, \(problem)")
  }
}
