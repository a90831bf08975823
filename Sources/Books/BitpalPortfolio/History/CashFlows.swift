import BitpalModel
import FoundationEssentials

/// The flows of money and coins into and out of a portfolio, as opposed to its earnings and losses.
///
/// Money for coins is a flow, with its fee. Coins that are given or moved are flows too: they count at the close of
/// their day, or at the stated value when sent with one. Rewards, airdrops and interest are earnings, and fees in coin and what
/// was lost are losses, so only a fee in money on them is a flow; the same holds for swaps and renamings.
struct CashFlows {
  /// The flow of one transaction.
  enum Flow {
    case none

    /// Money that was put in; negative for money that was taken out.
    case money(DecimalParts)

    /// Coins that came in or went out, by the transaction's type, and the fee that was paid in money.
    case coins(DecimalParts, fee: DecimalParts)
  }

  /// The groups that are swaps: they have purchases and sales, all of coins that count.
  private let swaps: Set<String>

  /// Creates the cash flows of transactions.
  ///
  /// - Parameters:
  ///   - transactions: All transactions.
  ///   - coins: The coins that count; a swap with another coin is a flow of money.
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

  /// Returns the flow of a transaction.
  ///
  /// - Throws: ``PortfolioError/tooManyDigits(coinId:what:)`` when its value cannot be calculated.
  func flow(of transaction: Transaction) throws(PortfolioError) -> Flow {
    func fitting(_ parts: DecimalParts?) throws(PortfolioError) -> DecimalParts {
      try parts.fitting("a total", of: transaction.coinId)
    }
    let (fee, amount) = (try fitting(DecimalParts(transaction.fee)), try fitting(DecimalParts(transaction.amount)))
    switch (transaction.type, transaction.label) {
    case (_, .rename?), (_, .split?): return .money(fee)
    case (.receive, .reward?), (.receive, .airdrop?), (.receive, .interest?), (.send, .fee?), (.send, .lost?):
      return .money(fee)
    case (.receive, _): return .coins(amount, fee: fee)
    case (.send, _) where transaction.pricePerCoin == nil: return .coins(amount, fee: fee)
    case (.buy, _), (.sell, _), (.send, _):
      if transaction.group.map(swaps.contains) == true { return .money(fee) }
      let worth = try fitting(transaction.worth)
      return .money(try fitting((transaction.type.isIncoming ? worth : worth.negated).totalling(fee)))
    }
  }
}
