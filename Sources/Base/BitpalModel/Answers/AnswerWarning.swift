public import FoundationEssentials

/// An irregularity of an answer that is good enough to use.
public enum AnswerWarning: Hashable, Sendable {
  /// Rows that broke a rule were left out.
  case droppedRows(count: Int, reason: String)

  /// A figure beside the price cannot be used and was left out, as if the source did not have it.
  case leftOutFigure(String, coin: String, reason: String)

  /// Numbers had more digits than are kept, and were rounded half-even.
  case roundedNumbers

  /// The source's time stamp is ahead of our clock by this duration.
  case sourceClockAhead(coin: String, by: Duration)

  /// The source answered with a price that is older, by its own time, than the one that it gave before, which stays.
  case olderThanBefore(coin: String, time: Date, before: Date)

  /// The price differs by more than half from the last known one of another provider.
  case differs(coin: String, price: Decimal, other: String, otherPrice: Decimal, currency: String)

  /// The close of a day may still change: the source had nothing later when it was asked.
  case provisional(coin: String, day: Date, source: String)

  /// A line is made of the closes of candles, because the source has no line.
  case closesOfCandles(source: String)

  /// Days have no close because the market of the coin was closed on them, or nothing was traded.
  case marketClosed(coin: String, days: [Date])

  /// A newer answer was asked for and refused; this one is within its time to live.
  case notRefreshed(reason: String)

  /// Prices of days without an exchange rate, or with one that is too old, were left out.
  case withoutRate(count: Int, source: String)

  /// Prices of some sources are too far from those of the others, or too few agree, so that the price is that of one.
  case sourcesDisagree(coin: String, Agreement)

  /// Something in the prices is hardly ever true.
  case implausible(coin: String, Implausibility)

  /// The name of a coin is the code of a currency, too.
  case alsoCurrency(String, coin: String)

  /// Figures were left out because their currency has no rate.
  case unconverted(String, coin: String)
}

extension AnswerWarning {
  /// Whether the warning belongs to a series, from wherever it is read, and not to the run that received it.
  package var isOfSeries: Bool { if case .droppedRows = self { true } else { false } }

  /// Whether a series lacks prices that its source has, or may have.
  fileprivate var isOfMissingPrices: Bool {
    if case .implausible(_, .hole) = self { true } else { isOfSeries }
  }
}

extension Sourced {
  /// A sentence on prices that a series lacks although its source has them, or may have; nil for none.
  package var missingPrices: String? { warnings.first(where: \.isOfMissingPrices)?.description }
}

extension AnswerWarning: CustomStringConvertible {
  /// The number of days that a warning names.
  private static let daysShown = 3

  /// The warning as one sentence.
  public var description: String {
    switch self {
    case .droppedRows(let count, let reason):
      "left out \(count) \(count == 1 ? "row" : "rows") of the source: \(reason)"
    case .leftOutFigure(let figure, let coin, let reason):
      "left out the \(figure) of \(coin.printable(limit: 80)): \(reason.printable(limit: 200))"
    case .roundedNumbers:
      "rounded the numbers of the source that have more than the 38 digits that are kept"
    case .sourceClockAhead(let coin, let duration):
      "the source's time stamp of \(coin.printable(limit: 80)) is \(duration.shortText) ahead of this machine's clock"
    case .olderThanBefore(let coin, let time, let before):
      "the source's answer for \(coin.printable(limit: 80)) is of \(time.utcText), older than its last one, of "
        + "\(before.utcText), which stays"
    case .differs(let coin, let price, let other, let otherPrice, let currency):
      "the price of \(coin.printable(limit: 80)), \(price.plainText) \(currency.uppercased()), is far from the last one "
        + "of \(other), \(otherPrice.plainText): it may be another coin of that name"
    case .provisional(let coin, let day, let source):
      "the close of \(coin.printable(limit: 80)) on \(day.dayText) is provisional and may change: \(source) has no later "
        + "price yet"
    case .closesOfCandles(let source):
      "\(source.printable(limit: 80)) has no line: this one is of the closes of its candles"
    case .marketClosed(let coin, let days) where days.isEmpty:
      "\(coin.printable(limit: 80)) has no price of today yet: these are the last ones"
    case .marketClosed(let coin, let days):
      "\(coin.printable(limit: 80)) has no close on "
        + days.prefix(Self.daysShown).map(\.dayText).joined(separator: ", ")
        + (days.count > Self.daysShown ? " and \(days.count - Self.daysShown) more days" : "")
        + Self.reason(ofNoCloseOn: days)
    case .notRefreshed(let reason): "not refreshed: \(reason.printable(limit: 400))"
    case .withoutRate(let count, let source):
      "left out \(count) \(count == 1 ? "price" : "prices") of days for which \(source) has no exchange rate"
    case .sourcesDisagree(let coin, let agreement):
      (agreement.isReached ? "the sources differ" : "too few sources agree, so it is the price of one")
        + ": \(coin.printable(limit: 80)), \(agreement.text)"
    case .implausible(let coin, let finding): "\(coin.printable(limit: 80)) looks odd: \(finding)"
    case .alsoCurrency(let code, let coin):
      "\(code) is the coin \(coin.printable(limit: 80)) here; the currency is \(CurrencyCoin.id(of: code))"
    case .unconverted(let figures, let coin):
      "left out the \(figures) of \(coin.printable(limit: 80)): only the source's own currency has them"
    }
  }

  /// Returns why a source has no close on some days: at weekends exchanges are closed, on other days it may also be the source's
  /// fault.
  package static func reason(ofNoCloseOn days: [Date]) -> String {
    days.allSatisfy(\.isOnWeekend)
      ? ": its market was closed, or it was not traded"
      : ": its market was closed, it was not traded, or the source lacks \(days.count == 1 ? "the day" : "days")"
  }
}
