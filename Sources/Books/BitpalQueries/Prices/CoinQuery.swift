package import Bitpal
package import BitpalModel

/// The question for the market details of coins.
package struct CoinQuery: Sendable {
  /// The coins as they were named.
  package let coins: [String]

  /// The currency, in lower case.
  package let currency: String

  package init(_ coins: [String], currency: String) {
    self.coins = coins
    self.currency = currency
  }

  /// Returns the details, one for each coin, however many names it has, and the failures.
  ///
  /// - Throws: The error of the source when one coin was asked for; `CancellationError`.
  package func answer(by service: PriceService, policy: FetchPolicy = .normal) async throws -> CoinAnswer {
    var details: [Sourced<CoinDetail>] = []
    var failures: [CoinFailure] = []
    for coin in coins {
      do {
        let detail = try await service.detail(coin, currency: currency, policy: policy)
        if !details.contains(where: { $0.value.id == detail.value.id }) { details.append(detail) }
      } catch let error as BitpalError where coins.count > 1 {
        failures.append(CoinFailure(coin: coin, error: error))
      }
    }
    return CoinAnswer(details: details, failures: failures)
  }
}

/// The market details of coins, in the order of the question, and the failures.
package struct CoinAnswer: Sendable {
  package let details: [Sourced<CoinDetail>]
  package let failures: [CoinFailure]
}
