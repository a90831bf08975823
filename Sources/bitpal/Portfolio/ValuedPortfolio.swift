import BitpalModel
import BitpalPortfolio
import BitpalProviders
import BitpalService

/// A portfolio with the answer that its prices come from.
struct ValuedPortfolio: Sendable {
  let portfolio: Portfolio
  let answer: QuotesAnswer
  let providers: [ProviderDescriptor]
  let currency: String

  /// How a command ends that showed this.
  var status: ExitStatus {
    ExitStatus(answered: answer.quotes.count, failures: answer.failures.map(\.error.code))
  }

  /// Tells which coins have no price and what is odd about the others.
  func tell(_ console: Console) {
    console.tellOddities(of: answer.quotes) { $0.id }
    for failure in answer.failures { console.failure(failure.error, subject: failure.coin) }
  }
}
