import BitpalModel
import FoundationEssentials

/// The lots of one coin, disposed of in the order of a method; with the method `average`, all are one lot.
///
/// The cost of a lot always equals the cost of its pieces plus the cost of its rest, to the last digit.
struct LotBook {
  /// The time at which coins came in.
  struct Entrance {
    let date: Date

    /// The instant that orders it among others.
    let instant: Date
  }

  /// The rest of the coins that came in by one transaction.
  struct Lot {
    let acquired: Entrance
    fileprivate(set) var quantity: DecimalParts
    fileprivate(set) var cost: DecimalParts

    /// The cost of one coin when it came in, by which the method `hifo` orders lots.
    fileprivate let unitCost: DecimalParts

    /// The number of the lot among all lots of its coin, from 0.
    fileprivate let number: Int
  }

  /// The part of one lot that was disposed of.
  struct Piece {
    let acquired: Entrance
    let quantity: DecimalParts
    let cost: DecimalParts
  }

  private let coinId: String
  private let method: GainMethod
  private var lots: [Lot] = []

  /// The index of the first lot that is left; above 0 only for the methods that take from the front.
  private var front = 0
  private var count = 0
  private(set) var held = DecimalParts.zero

  init(coinId: String, method: GainMethod) {
    self.coinId = coinId
    self.method = method
  }

  /// The lots that are left, in the order in which they came in.
  var open: [Lot] { lots[front...].sorted { ($0.acquired.instant, $0.number) < ($1.acquired.instant, $1.number) } }

  /// Adds coins.
  ///
  /// - Throws: ``PortfolioError/tooManyDigits(coinId:what:)``.
  mutating func add(
    _ quantity: DecimalParts, cost: DecimalParts, unitCost: DecimalParts, at time: Entrance
  ) throws(PortfolioError) {
    guard let sum = held.adding(quantity) else { throw .tooManyDigits(coinId: coinId, what: "the quantity") }
    held = sum
    if method == .average, front < lots.count {
      guard let cost = lots[front].cost.adding(cost) else { throw .tooManyDigits(coinId: coinId, what: "the cost") }
      lots[front].quantity = sum
      lots[front].cost = cost
      return
    }
    // Coins that replaced others may have come in before the latest lots.
    let place =
      method == .hifo
      ? lots.count : lots[front...].lastIndex { $0.acquired.instant <= time.instant }.map { $0 + 1 } ?? front
    lots.insert(
      Lot(acquired: time, quantity: quantity, cost: cost, unitCost: unitCost.folded, number: count), at: place)
    count += 1
    if method == .hifo { rise(from: lots.count - 1) }
  }

  /// Adds coins in the place of pieces of another coin's lots: each keeps its cost and its time.
  ///
  /// The quantities are shared in proportion, rounded half-even at 18 digits after the point; the last takes the rest.
  ///
  /// - Throws: ``PortfolioError/tooManyDigits(coinId:what:)``.
  mutating func add(_ quantity: DecimalParts, replacing pieces: [Piece]) throws(PortfolioError) {
    var left = (new: quantity, old: DecimalParts.zero)
    for piece in pieces { left.old = try left.old.adding(piece.quantity).fitting("the quantity", of: coinId) }
    for piece in pieces {
      let rest = try left.old.subtracting(piece.quantity).fitting("the quantity", of: coinId)
      let share =
        rest.isZero ? left.new : try left.new.share(piece.quantity, of: left.old).fitting("the quantity", of: coinId)
      guard let cost = piece.cost.decimal, let coins = share.decimal, coins > 0, let unit = try? cost.divided(by: coins)
      else { throw .tooManyDigits(coinId: coinId, what: "the cost") }
      try add(share, cost: piece.cost, unitCost: DecimalParts(unit) ?? .zero, at: piece.acquired)
      left = (try left.new.subtracting(share).fitting("the quantity", of: coinId), rest)
    }
  }

  /// Removes coins from as many lots as needed; `quantity` must not exceed what is held.
  ///
  /// A lot that is split gives cost × taken ÷ quantity, rounded half-even at 18 digits after the point, and keeps the
  /// rest.
  ///
  /// - Throws: ``PortfolioError/tooManyDigits(coinId:what:)``.
  mutating func take(_ quantity: DecimalParts) throws(PortfolioError) -> [Piece] {
    guard let rest = held.subtracting(quantity) else { throw .tooManyDigits(coinId: coinId, what: "the quantity") }
    held = rest
    var wanted = quantity
    var pieces: [Piece] = []
    while !wanted.isZero, let place = next {
      guard let left = lots[place].quantity.subtracting(wanted) else {
        throw .tooManyDigits(coinId: coinId, what: "the quantity")
      }
      if left.isZero || left.isBelowZero {
        let lot = lots[place]
        pieces.append(Piece(acquired: lot.acquired, quantity: lot.quantity, cost: lot.cost))
        wanted = left.negated
        remove(place)
      } else {
        let whole = lots[place]
        guard
          let cost = method == .average
            ? whole.cost.portion(wanted, of: whole.quantity) : whole.cost.share(wanted, of: whole.quantity),
          let kept = lots[place].cost.subtracting(cost)
        else { throw .tooManyDigits(coinId: coinId, what: "the cost") }
        pieces.append(Piece(acquired: lots[place].acquired, quantity: wanted, cost: cost))
        lots[place].quantity = left
        lots[place].cost = kept
        wanted = .zero
      }
    }
    return pieces
  }

  // MARK: Order

  /// The index of the next lot; nil when there is none.
  private var next: Int? {
    guard front < lots.count else { return nil }
    return method == .lifo ? lots.count - 1 : front
  }

  private mutating func remove(_ place: Int) {
    switch method {
    case .lifo: lots.removeLast()
    case .hifo:
      // The lots are a binary heap: the last one replaces the first and sinks to its place.
      let last = lots.removeLast()
      if !lots.isEmpty {
        lots[0] = last
        sink(from: 0)
      }
    case .fifo, .average:
      front += 1
      // The gap is closed only when it is half of the array, so that each lot moves a constant number of times.
      if front > 64, front * 2 > lots.count {
        lots.removeFirst(front)
        front = 0
      }
    }
  }

  /// Returns whether one lot precedes another for `hifo`: it cost more per coin, or as much and came in first.
  private func isBefore(_ left: Int, _ right: Int) -> Bool {
    switch lots[left].unitCost.compared(to: lots[right].unitCost) {
    case .less: false
    case .equal: lots[left].number < lots[right].number
    case .greater: true
    }
  }

  private mutating func rise(from place: Int) {
    var place = place
    while place > 0, isBefore(place, (place - 1) / 2) {
      lots.swapAt(place, (place - 1) / 2)
      place = (place - 1) / 2
    }
  }

  private mutating func sink(from place: Int) {
    var place = place
    while true {
      var first = place
      for child in [2 * place + 1, 2 * place + 2] where child < lots.count && isBefore(child, first) { first = child }
      if first == place { return }
      lots.swapAt(place, first)
      place = first
    }
  }
}

extension DecimalParts {
  /// Returns the share of a part in the value of a whole: `self × part ÷ whole`, rounded half-even at 18 digits after
  /// the point, but at most `self`; nil when that needs more than 38 digits.
  ///
  /// The limit matters for values below 10⁻¹⁸, where the rounded share could be more than the value.
  func share(_ part: DecimalParts, of whole: DecimalParts) -> DecimalParts? {
    guard let share = portion(part, of: whole), let rest = subtracting(share) else { return nil }
    return rest.isBelowZero ? self : share
  }
}
