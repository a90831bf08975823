import BitpalModel
import FoundationEssentials

/// The flows of money and coins into and out of a portfolio, as opposed to its earnings and losses.
///
/// Money for coins is a flow, with its fee; so are coins that are given or moved, which count at the close of their day
/// or at the value that was stated. Rewards, airdrops and interest are earned, and fees in coin are lost: they are not
/// flows. Of a swap only the fee is a flow.
struct CashFlows {
  /// The flow of one transaction.
  enum Flow {
    case none

    /// Money that was put in; below zero, money that was taken out.
    case money(DecimalParts)

    /// Coins, in the direction of the transaction, and money that was paid with them.
    case coins(DecimalParts, fee: DecimalParts)
  }

  /// The groups of which every purchase and sale is within the portfolio.
  private let swaps: Set<String>

  /// - Parameter coins: Those that count; what is swapped for another comes from outside or goes there.
  init(_ transactions: [Transaction], of coins: Set<String>) {
    var bought: Set<String> = []
    var sold: Set<String> = []
    var open: Set<String> = []
    for transaction in transactions where transaction.type.isForMoney {
      guard let group = transaction.group else { continue }
      if !coins.contains(transaction.coinId) { open.insert(group) }
      if transaction.type == .buy { bought.insert(group) } else { sold.insert(group) }
    }
    swaps = bought.intersection(sold).subtracting(open)
  }

  /// - Throws: ``PortfolioError/tooManyDigits(coinId:what:)``.
  func flow(of transaction: Transaction) throws(PortfolioError) -> Flow {
    func fitting(_ parts: DecimalParts?) throws(PortfolioError) -> DecimalParts {
      try parts.fitting("a total", of: transaction.coinId)
    }
    let (fee, amount) = (try fitting(DecimalParts(transaction.fee)), try fitting(DecimalParts(transaction.amount)))
    switch (transaction.type, transaction.label) {
    case (.receive, .reward?), (.receive, .airdrop?), (.receive, .interest?), (.send, .fee?): return .money(fee)
    case (.receive, _): return .coins(amount, fee: fee)
    case (.send, _) where transaction.pricePerCoin == nil: return .coins(amount, fee: fee)
    case (.buy, _), (.sell, _), (.send, _):
      if transaction.group.map(swaps.contains) == true { return .money(fee) }
      let worth = try fitting(transaction.worth)
      return .money(try fitting((transaction.type.isIncoming ? worth : worth.negated).totalling(fee)))
    }
  }
}
