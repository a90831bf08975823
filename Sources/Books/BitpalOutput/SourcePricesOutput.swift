package import Bitpal
import BitpalJSON
package import BitpalModel
import BitpalProviders
package import FoundationEssentials

/// The shape `bitpal.source_prices/1`: the prices of the same coins at several sources.
package struct SourcePricesOutput: FieldShape {
  /// The price of a coin at a source.
  package struct Row: Sendable {
    /// The id of the coin.
    package let coin: String

    /// The price, and the reason why it does not count.
    package let judged: Agreement.SourcePrice

    /// The quote; nil where the source gave none.
    package let quote: Sourced<Coin>?

    /// The distance from the median in percent; nil without a price.
    package let distance: Decimal?
    let currency: String
  }

  /// The coins, each with the prices that count.
  package let agreements: [(coin: String, agreement: Agreement)]

  /// The prices and failures by coin, the highest price first; sources that do not have the coin are left out.
  package let rowSubjects: [Row]
  private let currency: String
  private let absent: [String]

  /// Creates the shape.
  ///
  /// - Parameters:
  ///   - ids: The ids of the coins, in the order of the output.
  ///   - ballots: The outcomes of each source.
  ///   - rule: The rule that says which prices are near enough to each other.
  package init(_ ids: [String], _ ballots: [PriceService.Ballot], by rule: AgreementRule, currency: String) {
    self.currency = currency
    agreements = ids.map { ($0, rule.agreement(on: $0, ballots)) }
    absent = ballots.filter { ballot in ids.allSatisfy { ballot.lacks($0) } }.map(\.provider.id)
    rowSubjects = agreements.flatMap { coin, agreement in
      ballots.filter { !$0.lacks(coin) }.compactMap { ballot -> Row? in
        let judged = (agreement.counted + agreement.leftOut).first { $0.source == ballot.provider.id }
        return judged.map { judged in
          Row(
            coin: coin, judged: judged, quote: try? ballot.prices[coin]?.get(),
            distance: judged.price.flatMap { price in agreement.median.flatMap { price.percentChange(since: $0) } },
            currency: currency)
        }
      }.sorted { ($0.judged.price ?? -1) > ($1.judged.price ?? -1) }
    }
  }

  package static let shape = Shape<Self>(
    "bitpal.source_prices/1", "The prices of coins at several sources, and which of them are near to each other.",
    [
      Field("currency", .currency) { $0.currency },
      Field("coins", .list(.object(coinFields.schema), "The prices that agree, for each coin.")) {
        coinFields.objects($0.agreements)
      },
      Field("without", .list(.text("A provider."), "The providers that have none of the coins.")) { $0.absent },
      Field("prices", .list(.object(rowFields.schema), "A row for each coin and source, the highest price first.")) {
        $0.rows
      },
    ])

  private static let coinFields: Fields<(coin: String, agreement: Agreement)> = [
    .coin("id", "The id of the coin.") { $0.coin },
    Field("agreement", .agreement) { Agreement.fields.object($0.agreement) },
  ]

  package static let rowFields: Fields<Row> = [
    .coin("id", "The id of the coin.") { $0.coin },
    Field("source", .text("The provider.")) { $0.judged.source },
    Field("price", .decimal("Its price; null where it has none now.")) { $0.judged.price },
    Field("currency", .currency) { $0.currency },
    Field("distance", .decimal("How far the price is from the median of those that count, in percent.")) {
      $0.distance
    },
    Field("counts", .flag("Whether the price counts: it is fresh, and near to the median.")) {
      $0.judged.reason == nil
    },
    Field("reason", .text("Why it does not count.")) { $0.judged.reason },
    Field("change_24h", .decimal("The change over 24 hours in percent.")) { $0.quote?.value.priceChangePercentage24h },
    .volume { $0.quote?.value },
    Field("last_updated", .instant("The source's own time of the price.")) { $0.quote?.value.lastUpdated },
    Field("fetched_at", .instant("The time at which the source was asked.").orNull) { $0.quote?.fetchedAt },
    Field("converted_from", .text("The currency or coin that the source answered in, where it was converted.")) {
      $0.quote?.conversion?.from
    },
  ]
}

extension PriceService.Ballot {
  /// Returns whether the source does not have a coin, rather than failing at the moment.
  fileprivate func lacks(_ coin: String) -> Bool {
    guard case .failure(let error)? = prices[coin] else { return prices[coin] == nil }
    return error.has(.isLasting)
  }
}
