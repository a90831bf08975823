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

  /// The money that was paid on top of a swap, by transaction: its fees, but for those that its amounts include.
  ///
  /// A swap has purchases and sales with that label on one day, all of coins that count.
  private var paid: [UUID: Decimal] = [:]

  /// The groups with a coin that does not count, or with halves on several days in UTC, between which nothing is held.
  private let open: Set<String>

  /// Creates the cash flows of transactions.
  ///
  /// - Parameters:
  ///   - transactions: All transactions.
  ///   - coins: The coins that count; a swap with another coin is a flow of money, and a renaming one of coins.
  init(_ transactions: [Transaction], of coins: Set<String>) {
    var bought: Set<String> = []
    var sold: Set<String> = []
    var open: Set<String> = []
    var days: [String: Date] = [:]
    for transaction in transactions {
      // A fee in coin belongs to no half.
      guard let group = transaction.group, transaction.type.isForMoney || transaction.label == .rename else { continue }
      let day = transaction.date.startOfDay
      if !coins.contains(transaction.coinId) || days[group, default: day] != day { open.insert(group) }
      days[group] = day
      guard transaction.label == .swap else { continue }
      if transaction.type == .buy { bought.insert(group) }
      if transaction.type == .sell { sold.insert(group) }
    }
    self.open = open
    let swaps = bought.intersection(sold).subtracting(open)
    let legs = transactions.filter { $0.type.isForMoney && $0.group.map(swaps.contains) == true }
    for legs in Dictionary(grouping: legs, by: \.group).values {
      func sum(_ type: TransactionType) -> Decimal {
        legs.filter { $0.type == type }.compactMap { $0.worth?.decimal }.reduce(0, +)
      }
      let fees = legs.map(\.fee).reduce(0, +)
      var left = max(0, min(fees, sum(.buy) + fees - sum(.sell)))
      for leg in legs {
        let part = min(left, leg.fee)
        paid[leg.id] = part
        left -= part
      }
    }
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
    case (_, .rename?) where transaction.group.map(open.contains) == true: return .coins(amount, fee: fee)
    case (_, .rename?), (_, .split?): return .money(fee)
    case (.receive, .reward?), (.receive, .airdrop?), (.receive, .interest?), (.send, .fee?), (.send, .lost?):
      return .money(fee)
    case (.receive, _): return .coins(amount, fee: fee)
    case (.send, _) where transaction.pricePerCoin == nil: return .coins(amount, fee: fee)
    case (.buy, _), (.sell, _), (.send, _):
      if let paid = paid[transaction.id] { return .money(try fitting(DecimalParts(paid))) }
      let worth = try fitting(transaction.worth)
      return .money(try fitting((transaction.type.isIncoming ? worth : worth.negated).totalling(fee)))
    }
  }
}
