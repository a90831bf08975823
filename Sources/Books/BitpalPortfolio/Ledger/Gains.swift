package import BitpalModel
public import FoundationEssentials

/// The gains of all disposals, lot by lot, and the lots that are left, as for a tax form.
///
/// `gain = proceeds − cost − fee`, with the fee of the disposal itself. The proceeds and the fee of a disposal are
/// shared among its lots by quantity, rounded half-even at 18 digits after the point, and the last lot takes the rest.
/// So the rows of a disposal add up to it exactly, and the cost bought equals the cost removed plus the cost remaining
/// by every method. The time grows linearly with the number of transactions; `hifo` adds a logarithmic search per lot.
public struct Gains: Sendable {
  /// The part of one disposal that came from one lot; with the method `average`, the whole disposal.
  public struct Row: Sendable {
    /// The id of the transaction.
    public let disposal: UUID

    /// The coin's id.
    public let coinId: String

    /// The time of the disposal.
    public let sold: Date

    /// The time at which the lot came in; nil with the method `average`.
    public let acquired: Date?

    fileprivate let parts: Parts

    /// The number of coins.
    public var quantity: Decimal { parts.quantity.value }

    /// The proceeds of these coins.
    public var proceeds: Decimal { parts.proceeds.value }

    /// The cost of these coins.
    public var cost: Decimal { parts.cost.value }

    /// The part of the disposal's fee for these coins.
    public var fee: Decimal { parts.fee.value }

    /// The money of the row, as sums of one.
    package var sums: Sums { Sums(proceeds: proceeds, cost: cost, fee: fee, gain: gain) }

    /// The proceeds less cost and fee.
    public var gain: Decimal { parts.gain.value }

    /// The number of days in UTC from acquisition to disposal; nil with the method `average`.
    public var days: Int? {
      acquired.map { Int(sold.startOfDay.since($0.startOfDay).components.seconds / 86_400) }
    }
  }

  fileprivate struct Parts {
    let quantity: DecimalParts
    let proceeds: DecimalParts
    let cost: DecimalParts
    let fee: DecimalParts
    let gain: DecimalParts
  }

  /// A lot, or the rest of one, that is still held; with the method `average`, all coins of one kind.
  public struct Lot: Hashable, Sendable {
    /// The coin's id.
    public let coinId: String

    /// The time at which the coins came in; nil with the method `average`.
    public let acquired: Date?

    /// The number of coins.
    public let quantity: Decimal

    /// The cost of these coins.
    public let cost: Decimal

    /// The cost of one of them; nil where no number can hold it.
    package var costPerCoin: Decimal? { try? cost.divided(by: quantity) }
  }

  /// The sums over some rows.
  public struct Sums: Hashable, Sendable {
    /// The proceeds.
    public let proceeds: Decimal

    /// The cost.
    public let cost: Decimal

    /// The fees of the disposals.
    public let fee: Decimal

    /// The proceeds less cost and fees.
    public let gain: Decimal
  }

  /// The method that chose the lots.
  public let method: GainMethod

  /// The rows in the order of the disposals, and within a disposal in the order in which its lots were taken.
  public let rows: [Row]

  /// The lots that are left, by coin and then in the order in which they came in.
  public let lots: [Lot]

  /// The cost of the coins sent without a value, which are neither a gain nor a loss.
  public let sentCost: Decimal

  /// Calculates the gains of all transactions.
  ///
  /// - Parameters:
  ///   - transactions: In the order in which they were recorded, which decides between those of one instant.
  ///   - method: The order of disposals.
  /// - Throws: ``PortfolioError/insufficientBalance(coinId:owned:attempted:date:sale:)`` for more coins than are held,
  ///   ``PortfolioError/unpairedRename(_:date:)``, ``PortfolioError/unpairedSplit(_:date:)`` for half a renaming or a split,
  ///   ``PortfolioError/tooManyDigits(coinId:what:)`` for a sum that no number can hold.
  public init(_ transactions: [Transaction], by method: GainMethod) throws(PortfolioError) {
    let books = try BookingOrder.booking(transactions) { (places) throws(PortfolioError) in
      var books = LotBooks(method)
      for index in transactions.indices { try books.book(transactions[places?[index] ?? index]) }
      return books
    }
    self.method = method
    lots = books.open
    rows = books.rows
    sentCost = try books.costOfSent().value
  }

  // MARK: Sums

  /// Returns the sums of rows by year, earliest first.
  ///
  /// - Parameters:
  ///   - rows: The rows.
  ///   - zone: The time zone for year boundaries.
  /// - Throws: As ``sums(_:)``.
  package static func years(
    _ rows: [Row], zone: ClockZone = .utc
  ) throws(PortfolioError) -> [(year: Int, sums: Sums)] {
    var years: [(year: Int, sums: Sums)] = []
    let byYear = Dictionary(grouping: rows) { zone.bookedYear($0.sold) }
    for (year, rows) in byYear.sorted(by: { $0.key < $1.key }) { years.append((year, try sums(rows))) }
    return years
  }

  /// Returns the sums of rows.
  ///
  /// - Throws: ``PortfolioError/tooManyDigits(coinId:what:)`` for a sum that no number can hold.
  public static func sums(_ rows: [Row]) throws(PortfolioError) -> Sums {
    func sum(_ figure: (Parts) -> DecimalParts) throws(PortfolioError) -> Decimal {
      var sum = DecimalParts.zero
      for row in rows {
        guard let next = sum.totalling(figure(row.parts)) else {
          throw .tooManyDigits(coinId: row.coinId, what: "a sum of gains")
        }
        sum = next
      }
      return sum.value
    }
    return Sums(
      proceeds: try sum(\.proceeds), cost: try sum(\.cost), fee: try sum(\.fee), gain: try sum(\.gain))
  }
}

/// The lots of all coins, and the gains that result while transactions are booked by date.
private struct LotBooks {
  private let method: GainMethod

  /// The rows of the disposals.
  private(set) var rows: [Gains.Row] = []

  /// The cost of the coins sent without a value.
  private var sent = DecimalParts.zero
  private var places: [String: Int] = [:]
  private var books: [LotBook] = []

  /// The lots of coins that others replace, by the group of the renaming, until these come in.
  private var moved: [String: [LotBook.Piece]] = [:]

  init(_ method: GainMethod) {
    self.method = method
  }

  /// Books a transaction.
  mutating func book(_ transaction: Transaction) throws(PortfolioError) {
    let place = places[transaction.coinId] ?? books.count
    if place == books.count {
      places[transaction.coinId] = place
      books.append(LotBook(coinId: transaction.coinId, method: method))
    }
    let figures = try TransactionFigures(transaction)
    if transaction.type.isIncoming {
      try add(transaction, figures, at: place)
    } else {
      try take(transaction, figures, at: place)
    }
  }

  private mutating func add(
    _ transaction: Transaction, _ figures: TransactionFigures, at place: Int
  ) throws(PortfolioError) {
    guard let label = transaction.label, label.movesCost else {
      let unit = transaction.pricePerCoin.flatMap { DecimalParts($0) } ?? .zero
      return try books[place].add(
        figures.quantity, cost: figures.proceeds ?? .zero, unitCost: unit,
        at: LotBook.Entrance(date: transaction.date, instant: transaction.instant))
    }
    guard let group = transaction.group, let pieces = moved.removeValue(forKey: group) else {
      throw .unpaired(label, of: transaction.coinId, on: transaction.date)
    }
    try books[place].add(figures.quantity, replacing: pieces)
  }

  private mutating func take(
    _ transaction: Transaction, _ figures: TransactionFigures, at place: Int
  ) throws(PortfolioError) {
    guard let rest = books[place].held.subtracting(figures.quantity), !rest.isBelowZero else {
      throw .insufficientBalance(
        coinId: transaction.coinId, owned: books[place].held.value, attempted: transaction.amount,
        date: transaction.date, sale: transaction.id)
    }
    // Of what is not split the lots would be others by each method.
    if transaction.label == .split, !rest.isZero {
      throw .unpairedSplit(transaction.coinId, date: transaction.date)
    }
    let pieces = try books[place].take(figures.quantity)
    if transaction.label?.movesCost == true {
      moved[transaction.group ?? "", default: []] += pieces
    } else if figures.proceeds == nil {
      for piece in pieces { sent = try figures.fitting(sent.adding(piece.cost)) }
    } else {
      rows += try figures.rows(pieces, hasLots: method != .average)
    }
  }

  /// Returns the cost of the coins sent without a value, to which coins count that nothing replaced.
  func costOfSent() throws(PortfolioError) -> DecimalParts {
    var cost = sent
    for piece in moved.values.joined() { cost = try cost.totalling(piece.cost).fitting("the cost") }
    return cost
  }

  /// The lots that are left, by coin and then in the order in which they came in.
  var open: [Gains.Lot] {
    places.sorted { $0.key < $1.key }.flatMap { coin, place in
      books[place].open.map {
        Gains.Lot(
          coinId: coin, acquired: method == .average ? nil : $0.acquired.date, quantity: $0.quantity.value,
          cost: $0.cost.value)
      }
    }
  }
}

/// The figures of a transaction, as exact parts.
private struct TransactionFigures {
  private let transaction: Transaction
  let quantity: DecimalParts

  /// The value of all coins; nil for coins sent without a value.
  let proceeds: DecimalParts?
  let fee: DecimalParts

  init(_ transaction: Transaction) throws(PortfolioError) {
    self.transaction = transaction
    let tooLarge = PortfolioError.tooManyDigits(coinId: transaction.coinId, what: "a total")
    guard let quantity = DecimalParts(transaction.amount), let fee = DecimalParts(transaction.fee) else {
      throw tooLarge
    }
    self.quantity = quantity
    self.fee = fee
    guard transaction.pricePerCoin != nil else {
      proceeds = nil
      return
    }
    guard let total = transaction.worth else { throw tooLarge }
    proceeds = total
  }

  var tooLarge: PortfolioError { .tooManyDigits(coinId: transaction.coinId, what: "a gain") }

  func fitting(_ value: DecimalParts?) throws(PortfolioError) -> DecimalParts {
    guard let value else { throw tooLarge }
    return value
  }

  /// Returns a row for each piece; the last one takes the rest of proceeds and fee.
  ///
  /// - Parameters:
  ///   - pieces: The parts of lots that were disposed of.
  ///   - hasLots: Whether each piece has one time of acquisition; false for the method `average`.
  func rows(_ pieces: [LotBook.Piece], hasLots: Bool) throws(PortfolioError) -> [Gains.Row] {
    var rows: [Gains.Row] = []
    rows.reserveCapacity(pieces.count)
    var left = (quantity: quantity, proceeds: proceeds ?? .zero, fee: fee)
    for piece in pieces {
      let rest = try fitting(left.quantity.subtracting(piece.quantity))
      var share = (proceeds: left.proceeds, fee: left.fee)
      if !rest.isZero {
        share.proceeds = try fitting(left.proceeds.share(piece.quantity, of: left.quantity))
        share.fee = left.fee.isZero ? .zero : try fitting(left.fee.share(piece.quantity, of: left.quantity))
      }
      rows.append(
        try row(piece, acquired: hasLots ? piece.acquired.date : nil, proceeds: share.proceeds, fee: share.fee))
      left = (
        rest, try fitting(left.proceeds.subtracting(share.proceeds)), try fitting(left.fee.subtracting(share.fee))
      )
    }
    return rows
  }

  func row(
    _ piece: LotBook.Piece, acquired: Date?, proceeds: DecimalParts, fee: DecimalParts
  ) throws(PortfolioError) -> Gains.Row {
    let gain = try fitting(try fitting(proceeds.subtracting(piece.cost)).subtracting(fee))
    return Gains.Row(
      disposal: transaction.id, coinId: transaction.coinId, sold: transaction.date, acquired: acquired,
      parts: Gains.Parts(quantity: piece.quantity, proceeds: proceeds, cost: piece.cost, fee: fee, gain: gain))
  }
}

extension DecimalParts {
  /// The value, which exists because sums and products of decimals have exponents in range.
  fileprivate var value: Decimal { decimal ?? .nan }
}
