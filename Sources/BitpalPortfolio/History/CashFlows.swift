import BitpalModel
import FoundationEssentials

/// What goes into a portfolio and out of it, as opposed to what it earns and loses.
///
/// Money for coins is, with its fee; so is what is given or moved, which counts at the close of its day or at the value that it
/// was sent at. Rewards, airdrops and interest are earned, and fees in coin are lost: they are no flows. A swap moves nothing
/// but its fee.
struct CashFlows {
  /// The flow of one transaction.
  enum Flow {
    case none

    /// What was put in; below zero what was taken out.
    case money(DecimalParts)

    /// Coins, which way says the transaction; and money that was paid besides.
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
