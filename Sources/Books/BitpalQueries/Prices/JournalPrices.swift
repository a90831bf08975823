package import BitpalModel
package import BitpalPortfolio
package import BitpalService
import FoundationEssentials

/// The closes that a journal needs: for each commodity on the days on which it is moved, and its newest.
package struct JournalPrices: Sendable {
  package let histories: [CoinHistory]
  package let failures: [CoinFailure]

  /// The currency of the prices as the journal writes it, such as `$`.
  package let currency: String

  /// Fetches the closes, with one request per commodity and a time limit for each.
  ///
  /// - Parameters:
  ///   - missing: The treatment of days without a close.
  ///   - within: Asks for one coin, within a time of its own where it is to have one.
  /// - Throws: `CancellationError`; a missing close is an entry of ``failures``.
  package init(
    _ journal: JournalNeeds, _ missing: HistoryQuery.Missing, by service: PriceService, currency: String,
    policy: FetchPolicy,
    within: (() async throws -> Sourced<[Resampling.DailyClose]>) async throws -> Sourced<[Resampling.DailyClose]>
  ) async throws {
    let newest = service.time.now.startOfDay.adding(.seconds(-86_400))
    let commodities = journal.commodities
    let needs = Dictionary(grouping: journal.needs.filter { $0.day <= newest }, by: \.commodity)
    let own = commodities.first { Self.code(of: $0) == currency.lowercased() }
    self.currency = own ?? currency.uppercased()
    var histories: [CoinHistory] = []
    var failures: [CoinFailure] = []
    for commodity in commodities where commodity != own {
      var days = Set((needs[commodity] ?? []).map(\.day))
      if !journal.hasPrice(JournalNeeds.Need(commodity: commodity, day: newest)) { days.insert(newest) }
      guard let first = days.min(), let last = days.max() else { continue }
      do {
        let answer = try await within {
          try await service.history(
            Self.name(of: commodity), from: first, to: last, currency: currency,
            reach: missing == .previous ? .previous : .asFarAsItGoes, policy: policy)
        }
        // A line of a journal stays for good, and so only a close that does not change becomes one.
        let wanted = answer.map { closes in closes.filter { days.contains($0.day) && !$0.isProvisional } }
        let provisional = Set(answer.value.filter(\.isProvisional).map(\.day))
        let closed = answer.closedDays.filter { days.contains($0) }
        histories.append(CoinHistory(wanted.withClosedDays(missing == .skip ? [] : closed), name: commodity))
        let known = Set(wanted.value.map(\.day) + closed)
        if missing == .skip { continue }
        failures += days.subtracting(known).sorted().map { day in
          let reason = provisional.contains(day) ? "; its price of that day is provisional, and is left out" : ""
          return CoinFailure(
            coin: commodity,
            error: .noData(question: "\(commodity) in \(currency) on \(day.dayText)\(reason)", provider: answer.source))
        }
      } catch let error as BitpalError where missing == .skip && error.code == .noData {
        continue
      } catch let error as BitpalError {
        failures.append(CoinFailure(coin: commodity, error: error))
      }
    }
    self.histories = histories
    self.failures = failures
  }

  /// Returns the name under which a commodity is asked for.
  ///
  /// A currency is named as a currency, because its code may also be the ticker of a coin.
  private static func name(of commodity: String) -> String {
    let code = code(of: commodity)
    return CurrencyCoin.isCurrency(code) ? CurrencyCoin.id(of: code) : commodity
  }

  /// Returns the code of a currency in lower case, also for a sign such as `€`.
  private static func code(of commodity: String) -> String {
    ["$": "usd", "€": "eur", "£": "gbp", "¥": "jpy", "₹": "inr", "₩": "krw"][commodity] ?? commodity.lowercased()
  }
}
