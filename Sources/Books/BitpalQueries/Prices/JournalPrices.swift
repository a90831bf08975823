package import Bitpal
package import BitpalModel
package import BitpalPortfolio
package import FoundationEssentials

/// The closes that a journal needs: for each commodity on the days on which it is moved, and its newest.
package struct JournalPrices: Sendable {
  /// The histories; the currency of each is as the journal writes it, such as `$`.
  package private(set) var histories: [CoinHistory] = []
  package private(set) var failures: [CoinFailure] = []

  /// The days that were left out on request, as the failures that they would have been.
  package private(set) var leftOut: [BitpalError] = []

  /// The services and rules with which a journal's commodities are priced.
  package struct Asking: Sendable {
    let service: PriceService
    let currency: String
    let missing: HistoryQuery.Missing
    let policy: FetchPolicy
    let other: @Sendable (_ provider: String) throws -> PriceService

    /// Creates the way of asking.
    ///
    /// - Parameters:
    ///   - currency: The currency of commodities whose metadata name none, in lower case.
    ///   - missing: The treatment of days without a close.
    ///   - other: Returns the service of a provider that metadata name.
    package init(
      _ service: PriceService, currency: String, missing: HistoryQuery.Missing, policy: FetchPolicy,
      other: @escaping @Sendable (_ provider: String) throws -> PriceService
    ) {
      self.service = service
      self.currency = currency
      self.missing = missing
      self.policy = policy
      self.other = other
    }
  }

  /// A question with a time limit of its own.
  package typealias Limit = (
    () async throws -> Sourced<[Resampling.DailyClose]>
  ) async throws -> Sourced<[Resampling.DailyClose]>

  private let asking: Asking

  /// Fetches the closes, with one request per commodity and a time limit for each.
  ///
  /// - Parameters:
  ///   - commodities: The commodities to price, of those of the journal.
  ///   - within: Asks for one coin, within a time of its own where it is to have one.
  /// - Throws: `CancellationError`; a missing close is an entry of ``failures``.
  package init(
    _ journal: JournalNeeds, _ commodities: [String], _ asking: Asking, within: Limit
  ) async throws {
    self.asking = asking
    let newest = asking.service.time.now.startOfDay.adding(.seconds(-86_400))
    let moved = Dictionary(grouping: journal.moves.filter { $0.day <= newest }, by: \.commodity).mapValues {
      $0.map(\.day)
    }
    func days(of commodity: String, in currency: String) -> Set<Date> {
      Set((moved[commodity] ?? []) + [newest]).filter { day in
        !journal.hasPrice(JournalNeeds.Need(commodity: commodity, day: day)) {
          Self.code(of: $0) == currency.lowercased()
        }
      }
    }
    let own = journal.commodities.first { Self.code(of: $0) == asking.currency.lowercased() }
    for commodity in commodities {
      // Metadata without a source say that there is none to ask.
      guard let metadata = journal.sources[commodity] else {
        let days = days(of: commodity, in: asking.currency)
        if commodity == own || days.isEmpty { continue }
        let question = Question(
          commodity: commodity, days: days, name: journal.name(of: commodity), currency: asking.currency,
          label: own ?? asking.currency.uppercased())
        do { try await add(question, from: asking.service, within) } catch let error as BitpalError {
          failures.append(CoinFailure(coin: commodity, error: error))
        }
        continue
      }
      if let odd = journal.oddSources[commodity] {
        let reason = "\(odd) is not CURRENCY:source/TICKER, as in \"USD:yahoo/AAPL\""
        failures.append(CoinFailure(coin: commodity, error: .usage(reason)))
      }
      for prices in metadata {
        let days = days(of: commodity, in: Self.code(of: prices.currency))
        if days.isEmpty { continue }
        do { try await add(commodity, days, prices, within) } catch let error as BitpalError {
          failures.append(CoinFailure(coin: commodity, error: error))
        }
      }
    }
  }

  /// The closes of a commodity that are wanted.
  private struct Question {
    let commodity: String
    let days: Set<Date>
    let name: String
    let currency: String

    /// The currency as the journal writes it.
    let label: String
    var isInverse = false

    /// Whether the journal itself says which source has it under that name.
    var isOfMetadata = false
  }

  /// Asks the sources of metadata in turn, until one answers.
  ///
  /// - Throws: The failure of the last one.
  private mutating func add(
    _ commodity: String, _ days: Set<Date>, _ metadata: PriceMetadata, _ within: Limit
  ) async throws {
    for (index, source) in metadata.sources.enumerated() {
      let question = Question(
        commodity: commodity, days: days, name: source.symbol,
        currency: source.isInverse ? Self.inverseCurrency(commodity, metadata) : Self.code(of: metadata.currency),
        label: metadata.currency, isInverse: source.isInverse, isOfMetadata: true)
      do {
        return try await add(question, from: try asking.other(source.provider), within)
      } catch is BitpalError where index < metadata.sources.count - 1 {
        continue
      }
    }
  }

  private mutating func add(_ question: Question, from service: PriceService, _ within: Limit) async throws {
    guard let first = question.days.min(), let last = question.days.max() else { return }
    let skips = asking.missing == .skip
    // Books in satoshi mean the parts of a bitcoin, and not the token of that ticker.
    let part =
      ["sat", "satoshi", "satoshis"].contains(question.name.lowercased()) ? "sats" : question.name.lowercased()
    let places = question.isOfMetadata ? nil : CurrencyCoin.partsOfBitcoin[part]
    let coin = try places == nil ? Self.coin(of: question.name, at: service) : "btc"
    do {
      let answer = try await within {
        try await service.history(
          coin, from: first, to: last, currency: question.currency,
          reach: asking.missing == .previous ? .previous : .asFarAsItGoes, policy: asking.policy)
      }
      // A line of a journal stays for good, and so only a close that does not change becomes one.
      let wanted = try answer.map { closes in
        try closes.filter { question.days.contains($0.day) && !$0.isProvisional }
          .map { question.isInverse ? try $0.inverse() : $0.dividedByPower(of: places ?? 0) }
      }
      let provisional = Set(answer.value.filter(\.isProvisional).map(\.day))
      let closed = answer.closedDays.filter { question.days.contains($0) }
      histories.append(
        CoinHistory(
          wanted.withClosedDays(skips ? [] : closed), name: question.commodity, currency: question.label))
      note(question, provisional, in: answer, at: service)
    } catch let error as BitpalError where skips && error.code == .noData {
      leftOut.append(error)
    }
  }

  /// Notes the days without a close: as left out where that is asked for, otherwise as failures.
  private mutating func note(
    _ question: Question, _ provisional: Set<Date>, in answer: Sourced<[Resampling.DailyClose]>,
    at service: PriceService
  ) {
    let lacking = answer.lacking(question.days.subtracting(provisional).sorted())
    let (name, currency) = (question.commodity, question.currency)
    let before =
      lacking.before.isEmpty
      ? [] : [service.failure(ofDays: lacking.before, before: answer, name: name, currency: currency)]
    if asking.missing == .skip {
      leftOut += before + answer.nothing(on: lacking.within, name: name, currency)
      return
    }
    failures += before.map { CoinFailure(coin: name, error: $0) }
    failures += (lacking.within + question.days.intersection(provisional)).sorted().map { day in
      let reason = provisional.contains(day) ? "; its price of that day is provisional, and is left out" : ""
      return CoinFailure(
        coin: name,
        error: .noData(question: "\(name) in \(currency) on \(day.dayText)\(reason)", provider: answer.source))
    }
  }

  /// Returns the currency in which the source of an inverse price is asked: a commodity that is a currency, such as the CAD of
  /// `USD:…/^USDCAD`; for any other commodity the currency of its metadata.
  fileprivate static func inverseCurrency(_ commodity: String, _ metadata: PriceMetadata) -> String {
    CurrencyCoin.isCurrency(code(of: commodity)) ? code(of: commodity) : code(of: metadata.currency)
  }

  /// Returns the name under which a commodity or a symbol is asked for: of a pair such as `EUR-SEK`, `EUR:PLN` or `BTC-USD`
  /// the first part.
  ///
  /// - Throws: `BitpalError`, never for one name.
  fileprivate static func coin(of symbol: String, at service: PriceService) throws(BitpalError) -> String {
    let parts = symbol.split { $0 == "-" || $0 == ":" || $0 == "/" }.map(String.init)
    if parts.count == 2, parts.allSatisfy(CurrencyCoin.isCurrency) { return CurrencyCoin.id(of: parts[0]) }
    return name(of: try service.separated([symbol], currency: nil).coins[0])
  }

  /// Returns the name under which a commodity is asked for.
  ///
  /// A currency is named as a currency, because its code may also be the ticker of a coin.
  private static func name(of commodity: String) -> String {
    let code = code(of: commodity)
    return CurrencyCoin.isCurrency(code) ? CurrencyCoin.id(of: code) : commodity
  }

  /// Returns the code of a currency in lower case, also for a sign such as `€`.
  fileprivate static func code(of commodity: String) -> String {
    CurrencyCoin.ofSigns[commodity] ?? commodity.lowercased()
  }
}

extension Resampling.DailyClose {
  /// Returns the close of one of the parts of which a power of ten makes the whole.
  fileprivate func dividedByPower(of places: Int) -> Resampling.DailyClose {
    if places == 0 { return self }
    let price = Decimal(sign: .plus, exponent: -places, significand: price)
    return Resampling.DailyClose(day: day, price: price, carriedFrom: carriedFrom, isProvisional: isProvisional)
  }

  /// Returns the close of the other direction: one divided by the price, with ten decimals.
  ///
  /// - Throws: ``BitpalError/usage(_:hint:)`` for a price whose inverse has none of them.
  fileprivate func inverse() throws -> Resampling.DailyClose {
    guard let inverse = try? Decimal(1).divided(by: price, scale: 10), inverse > 0 else {
      throw BitpalError.usage("one divided by \(price.plainText) is too small for a price")
    }
    return Resampling.DailyClose(day: day, price: inverse, carriedFrom: carriedFrom, isProvisional: isProvisional)
  }
}

extension JournalNeeds {
  /// Returns the currency in which a journal's commodities are priced that no option names, in lower case: where Beancount's
  /// operating currencies lack the usual one, the first of them.
  package func currency(usual: String) -> String {
    let codes = operatingCurrencies.map(JournalPrices.code)
    return codes.contains(usual) ? usual : codes.first ?? usual
  }

  /// Returns the currency of the first cost or price of a journal that states none in a currency; nil where one is.
  package func otherCurrency(than currency: String) -> String? {
    let codes = valuations.map(JournalPrices.code).filter(CurrencyCoin.isCurrency)
    return codes.contains(currency) ? nil : codes.first
  }
}

/// The prices of a journal that differ from the closes of the source.
package struct JournalCheck: Sendable {
  /// A price of the journal beside the close of its day.
  package struct Row: Sendable {
    package let price: JournalNeeds.Price
    package let amount: Decimal
    package let close: Decimal
    package let source: String

    /// The difference in percent of the close.
    package let percent: Decimal
  }

  /// The prices that differ by more than the tolerance, in the order of the journal.
  package private(set) var rows: [Row] = []

  /// The number of prices that were compared.
  package private(set) var compared = 0

  /// The prices that cannot be read, with their currency, as one above zero.
  package private(set) var unread: [JournalNeeds.Price] = []

  /// The prices on days without a close.
  package private(set) var unpriced: [JournalNeeds.Price] = []
  package private(set) var failures: [CoinFailure] = []

  /// Compares the prices of some commodities with the closes of their days, with one request per commodity and currency.
  ///
  /// - Parameters:
  ///   - tolerance: The difference in percent up to which a price is left out.
  ///   - within: As for ``JournalPrices``.
  /// - Throws: `CancellationError`.
  package init(
    _ journal: JournalNeeds, _ commodities: [String], _ asking: JournalPrices.Asking, tolerance: Decimal,
    within: JournalPrices.Limit
  ) async throws {
    let prices = journal.prices.filter { commodities.contains($0.need.commodity) }
    for (_, group) in Dictionary(grouping: prices, by: { [$0.need.commodity, $0.currency ?? ""] })
      .sorted(by: { $0.key.lexicographicallyPrecedes($1.key) })
    {
      let known = group.filter { $0.amount != nil && $0.currency != nil }
      unread += group.filter { $0.amount == nil || $0.currency == nil }
      guard let price = known.first, let first = known.map(\.need.day).min(), let last = known.map(\.need.day).max()
      else { continue }
      let (commodity, currency) = (price.need.commodity, price.currency ?? "")
      let prices = journal.sources[commodity]?.first { $0.currency == currency }
      let metadata = prices?.sources.first
      let asked = prices.flatMap { metadata?.isInverse == true ? JournalPrices.inverseCurrency(commodity, $0) : nil }
      do {
        let service = try metadata.map { try asking.other($0.provider) } ?? asking.service
        let coin = try JournalPrices.coin(of: metadata?.symbol ?? journal.name(of: commodity), at: service)
        let answer = try await within {
          try await service.history(
            coin, from: first, to: min(last, service.time.now.startOfDay.adding(.seconds(-86_400))),
            currency: asked ?? JournalPrices.code(of: currency), reach: .asFarAsItGoes, policy: asking.policy)
        }
        let closes = Dictionary(answer.value.map { ($0.day, $0) }) { first, _ in first }
        for price in known {
          try add(price, closes[price.need.day], answer.source, metadata?.isInverse == true, tolerance)
        }
      } catch let error as BitpalError {
        failures.append(CoinFailure(coin: commodity, error: error))
      }
    }
  }

  private mutating func add(
    _ price: JournalNeeds.Price, _ close: Resampling.DailyClose?, _ source: String, _ isInverse: Bool,
    _ tolerance: Decimal
  ) throws {
    guard let amount = price.amount, let close = isInverse ? try close?.inverse() : close, close.price > 0 else {
      unpriced.append(price)
      return
    }
    compared += 1
    guard let percent = amount.percentChange(since: close.price), abs(percent) > tolerance else { return }
    rows.append(Row(price: price, amount: amount, close: close.price, source: source, percent: percent))
  }
}
