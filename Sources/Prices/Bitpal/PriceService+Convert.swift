public import BitpalModel
public import FoundationEssentials

/// An amount of a coin or a currency, and its equivalent in another.
public struct ConvertedAmount: Sendable {
  /// The amount that is converted, in units of ``from``.
  public let amount: Decimal

  /// The thing that is converted: a coin's id (`bitcoin`), or `fx:usd` for a currency.
  public let from: String

  /// The target: a currency in lower case, or a coin's id.
  public let to: String

  /// The ticker of the target, in lower case.
  public let symbol: String

  /// The amount in units of ``to``; rounded half-even at 18 places only where it does not fit.
  public let result: Decimal

  /// The price of one unit of ``from`` in ``to``, with its provenance.
  public let price: Sourced<Coin>

  /// The day in UTC whose close was used; nil for the latest price.
  public let day: Date?

  /// The id of the coin whose price is the older one of the two; that of the price itself where there is one alone.
  package let oldest: String
}

extension PriceService {
  /// Converts an amount of a coin or a currency into another coin or currency.
  ///
  /// A name is a coin's alias or well-known ticker, otherwise a currency of ISO 4217, otherwise any coin's name. For
  /// two coins, both are priced in the currency of the settings.
  ///
  /// - Parameters:
  ///   - amount: The amount, in units of `from`.
  ///   - from: A coin or a currency.
  ///   - to: A coin or a currency.
  ///   - day: Any instant of a day that is over in UTC, whose close is used; nil for the latest prices.
  ///   - policy: The use of the cache and the sources.
  /// - Throws: `BitpalError`: `.usage` for the same thing twice, a part of a bitcoin (`sats`) and a result beyond 38
  ///   digits, `.noData` for a day without a price, otherwise the failure of the price. `CancellationError`.
  public func convert(
    _ amount: Decimal, from: String, to: String, on day: Date? = nil, policy: FetchPolicy = .normal
  ) async throws -> ConvertedAmount {
    try await BlockingPool.run {
      let (held, wanted) = (try Unit(from, self), try Unit(to, self))
      let price: Sourced<Coin>
      let result: Decimal?
      let target: (name: String, symbol: String)
      var oldest: String?
      if case .currency(let currency) = wanted {
        if held == wanted { throw BitpalError.usage("\(from) and \(to) are the same currency") }
        (price, result) = try await value(of: amount, held, in: currency, on: day, policy: policy)
        target = (currency, currency)
      } else {
        let pivot = if case .currency(let currency) = held { currency } else { asker.settings.currency }
        let divisor = try await self.price(of: wanted, in: pivot, on: day, policy: policy)
        target = (divisor.value.id, divisor.value.symbol)
        oldest = target.name
        if case .currency(let currency) = held {
          price = try divisor.map { try $0.inverse(of: currency) }
          result = try? amount.ratio(to: divisor.value.currentPrice)
        } else {
          let dividend = try await self.price(of: held, in: pivot, on: day, policy: policy)
          if dividend.value.id == target.name { throw BitpalError.usage("\(from) and \(to) are the same coin") }
          price = try dividend.divided(by: divisor, in: pivot)
          if price.freshness == dividend.freshness { oldest = dividend.value.id }
          result = amount.converted(at: dividend.value.currentPrice).flatMap {
            try? $0.ratio(to: divisor.value.currentPrice)
          }
        }
      }
      guard let result else { throw BitpalError.usage("\(amount.plainText) \(from) is too much to be converted") }
      return ConvertedAmount(
        amount: amount, from: price.value.id, to: target.name, symbol: target.symbol, result: result, price: price,
        day: day?.startOfDay, oldest: oldest ?? price.value.id)
    }
  }

  /// Returns an amount in a currency, and the price of one.
  private func value(
    of amount: Decimal, _ unit: Unit, in currency: String, on day: Date?, policy: FetchPolicy
  ) async throws -> (price: Sourced<Coin>, result: Decimal?) {
    guard case .currency(let code) = unit else {
      let price = try await price(of: unit, in: currency, on: day, policy: policy)
      return (price, amount.converted(at: price.value.currentPrice))
    }
    let rate = try await rate(of: code, in: currency, on: day, policy: policy)
    return (try rate.map { try $0.coin(code) }, amount.converted(at: rate.value.applied))
  }

  /// Returns the price of a coin.
  private func price(
    of unit: Unit, in currency: String, on day: Date?, policy: FetchPolicy
  ) async throws -> Sourced<Coin> {
    guard let day else {
      let answer = try await quotes([unit.name], currency: currency, policy: policy)
      guard let quote = answer.quotes.first else {
        throw answer.failures.first?.error ?? BitpalError.notFound(coin: unit.name, provider: "")
      }
      return quote.adding(unit.warnings(of: quote.value.id))
    }
    var closes = try await history(unit.name, from: day, to: day, currency: currency, policy: policy)
    let id = closes.about.coin
    if closes.value.isEmpty, !closes.closedDays.isEmpty {
      // While a market is closed its last price holds, as the rate of a currency does.
      let warnings = closes.warnings
      closes = try await history(
        names.name(ofID: id), from: day, to: day, currency: currency, reach: .previous, policy: policy
      ).adding(warnings)
    }
    guard let close = closes.value.last, close.price > 0 else {
      throw closes.withoutClose(on: day.startOfDay, in: currency)
    }
    let symbol = await symbol(of: id, policy: .offline)
    return try closes.map { _ in
      try Coin(
        validating: id, symbol: symbol, name: id, currentPrice: close.price, lastUpdated: close.carriedFrom ?? close.day
      )
    }.adding(unit.warnings(of: id))
  }

  /// Returns the rate of a currency, now or on a day; a day without a rate of its own has that of the day before.
  private func rate(
    of code: String, in currency: String, on day: Date?, policy: FetchPolicy
  ) async throws -> Sourced<ExchangeRate> {
    guard let day else {
      let id = CurrencyCoin.id(of: code)
      let answer = try await quotes([id], currency: currency, policy: policy)
      if let quote = answer.quotes.first {
        return try converter.current(quote, code, currency).get().map { ExchangeRate($0) }
      }
      // The sources of conversions may have the rate the other way round.
      if case .success(let rate) = try await converter.rate(from: code, to: currency, policy: policy) { return rate }
      throw (answer.failures.first?.error ?? BitpalError.notFound(coin: id, provider: "")).ofRate(code, currency)
    }
    let today = asker.time.now.startOfDay
    guard day.startOfDay <= today else {
      throw BitpalError.usage(
        "\(day.dayText) is in the future, so it has no rate yet", hint: "today is \(today.dayText)")
    }
    let rates = try await converter.rates(from: code, to: currency, since: day, policy: policy)
    guard let rate = rates.value.rate(at: day) else {
      let before = rates.value.points.last { $0.timestamp <= day }
      throw BitpalError.noData(
        question: "\(code) in \(currency) on \(day.dayText)"
          + (before.map { "; its rate before that is of \($0.timestamp.dayText)" } ?? "")
          + CurrencyCoin.reason(ofNoRateFrom: code, to: currency), provider: rates.source)
    }
    let applied = rates.value.applied(at: day) ?? AppliedRate(price: rate.price)
    return rates.map { _ in ExchangeRate(applied, time: rate.timestamp, change24h: nil) }
  }

  /// Refuses a name of an amount that is a part of a bitcoin, and the ticker of a coin.
  package func refusePart(_ name: String) throws(BitpalError) {
    let lower = name.lowercased()
    let part = ["sat", "satoshi", "satoshis"].contains(lower) ? "sats" : lower
    guard asker.settings.aliases[lower] == nil, let places = CurrencyCoin.partsOfBitcoin[part] else { return }
    throw .usage(
      "\(name) is a part of a bitcoin, and the ticker of a coin",
      hint:
        "name the bitcoin, which has 1\(String(repeating: "0", count: places)) of them, or the coin by its id, as in "
        + "id:sats-ordinals")
  }

  /// A coin or a currency of a conversion.
  private enum Unit: Equatable {
    case currency(String)
    case coin(String)

    init(_ name: String, _ service: PriceService) throws(BitpalError) {
      try service.refusePart(name)
      let isAlias = service.asker.settings.aliases[name.lowercased()] != nil
      if !isAlias, let problem = MinorUnit.problem(in: name) { throw .usage(problem) }
      let isCoin = isAlias || WellKnownCoins.coin(ticker: name) != nil
      let code = !isCoin && CurrencyCoin.isCurrency(name) ? name.lowercased() : nil
      guard let currency = CurrencyCoin.currency(of: name) ?? code else {
        self = .coin(name)
        return
      }
      let id = CurrencyCoin.id(of: currency)
      self = CurrencyCoin.isRate(id) ? .currency(currency) : .coin(id)
    }

    /// Returns a warning where the name of a coin is the code of a currency, too.
    func warnings(of coin: String) -> [AnswerWarning] {
      guard case .coin(let name) = self, CurrencyCoin.isCurrency(name), name.lowercased() != coin else { return [] }
      return [.alsoCurrency(name.lowercased(), coin: coin)]
    }

    /// The name under which its price is asked for.
    var name: String {
      switch self {
      case .currency(let code): CurrencyCoin.id(of: code)
      case .coin(let name): name
      }
    }
  }
}

extension ExchangeRate {
  /// Returns the rate as the price of a currency.
  fileprivate func coin(_ code: String) throws -> Coin {
    try Coin(
      validating: CurrencyCoin.id(of: code), symbol: code, name: code.uppercased(), currentPrice: rate,
      priceChangePercentage24h: change24h, lastUpdated: time)
  }
}

extension Coin {
  /// Returns the price of one unit of the currency in the coin, from the coin's price in that currency.
  ///
  /// - Throws: `BitpalError.usage` for an inverse too small for 38 digits.
  fileprivate func inverse(of currency: String) throws -> Coin {
    do {
      return try Coin(
        validating: CurrencyCoin.id(of: currency), symbol: currency, name: currency.uppercased(),
        currentPrice: Decimal(1).ratio(to: currentPrice), lastUpdated: lastUpdated)
    } catch {
      throw BitpalError.usage("the price of \(currency.uppercased()) in \(id) is too small for a number of 38 digits")
    }
  }
}

extension Sourced<Coin> {
  /// Returns the price of the coin in another coin, from the prices of both in one currency.
  ///
  /// - Throws: `BitpalError.usage` for a price too small for 38 digits.
  fileprivate func divided(by other: Sourced<Coin>, in pivot: String) throws -> Sourced<Coin> {
    guard let price = try? value.currentPrice.ratio(to: other.value.currentPrice) else {
      throw BitpalError.usage("the price of \(value.id) in \(other.value.id) is too small for a number of 38 digits")
    }
    return converted(
      try Coin(
        validating: value.id, symbol: value.symbol, name: value.name, currentPrice: price,
        lastUpdated: [value.lastUpdated, other.value.lastUpdated].compactMap(\.self).min()),
      to: other.value.id, by: other,
      Conversion(
        from: pivot, price: value.currentPrice, rate: try Decimal(1).ratio(to: other.value.currentPrice),
        rateSource: other.source, rateTime: other.value.lastUpdated ?? other.fetchedAt))
  }
}
