import BitpalModel
import FoundationEssentials

/// The lots of one coin, given out in the order of a method; by the average all are one.
///
/// Nothing is lost: what a lot cost is what its pieces cost and what is left of it costs, to the last digit.
struct LotBook {
  /// Coins that came in together, as far as they are still there.
  struct Lot {
    let acquired: Date
    fileprivate(set) var quantity: DecimalParts
    fileprivate(set) var cost: DecimalParts

    /// The cost of one coin when it came in, by which the lot of the highest cost is found.
    fileprivate let unitCost: DecimalParts

    /// Its place among the lots of its coin.
    fileprivate let number: Int
  }

  /// The part of one lot that was disposed of.
  struct Piece {
    let acquired: Date
    let quantity: DecimalParts
    let cost: DecimalParts
  }

  private let coinId: String
  private let method: GainMethod
  private var lots: [Lot] = []

  /// The first of the lots that is still there; only the earliest-first method takes from the front.
  private var front = 0
  private var count = 0
  private(set) var held = DecimalParts.zero

  init(coinId: String, method: GainMethod) {
    self.coinId = coinId
    self.method = method
  }

  /// The lots that are left, in the order in which they came in.
  var open: [Lot] { lots[front...].sorted { $0.number < $1.number } }

  /// Takes coins in.
  mutating func add(
    _ quantity: DecimalParts, cost: DecimalParts, unitCost: DecimalParts, at date: Date
  ) throws(PortfolioError) {
    guard let sum = held.adding(quantity) else { throw .tooManyDigits(coinId: coinId, what: "the quantity") }
    held = sum
    if method == .average, front < lots.count {
      guard let cost = lots[front].cost.adding(cost) else { throw .tooManyDigits(coinId: coinId, what: "the cost") }
      lots[front].quantity = sum
      lots[front].cost = cost
      return
    }
    lots.append(Lot(acquired: date, quantity: quantity, cost: cost, unitCost: unitCost.folded, number: count))
    count += 1
    if method == .hifo { rise(from: lots.count - 1) }
  }

  /// Gives coins out, of as many lots as it takes; `quantity` is no more than what is held.
  ///
  /// A lot that is split gives cost × taken ÷ quantity, rounded half-even at 18 digits after the point, and keeps the rest.
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
      // A heap: the last one takes the place of the first and sinks to its own.
      let last = lots.removeLast()
      if !lots.isEmpty {
        lots[0] = last
        sink(from: 0)
      }
    case .fifo, .average:
      front += 1
      // The gap is closed now and then, so that it costs each lot one move.
      if front > 64, front * 2 > lots.count {
        lots.removeFirst(front)
        front = 0
      }
    }
  }

  /// Whether one lot goes before another: it cost more, or as much and came first.
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
  /// the point, but not more than the whole; nil when that needs more than 38 digits.
  ///
  /// For a value below 10⁻¹⁸ the rounded part would be more than the whole.
  func share(_ part: DecimalParts, of whole: DecimalParts) -> DecimalParts? {
    guard let share = portion(part, of: whole), let rest = subtracting(share) else { return nil }
    return rest.isBelowZero ? self : share
  }
}
