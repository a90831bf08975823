import BitpalModel
import FoundationEssentials

/// The closes of a source in the shares of after a split that is not recorded: what was paid on a day is a whole multiple of its close.
struct RestatedCloses {
  /// A price that the file states, beside the close of its day.
  private struct Paid {
    let date: Date
    let line: Int

    /// The price as a multiple or a part of the close, such as "10 times"; nil where they are of one size.
    let factor: String?
  }

  /// The ratios of splits by which a price is compared with its close.
  private static let ratios: [Decimal] = [2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 25, 30, 40, 50, 100]

  /// The prices of each coin by its id, the earliest first.
  private var paid: [String: [Paid]] = [:]

  /// Compares the prices of a file with their closes.
  ///
  /// - Parameters:
  ///   - entries: The entries of the file, with the dates beside them.
  ///   - ids: The ids of the coins, by their names in the file.
  ///   - close: The price of one coin at the end of a day; nil where no source has it.
  init(_ entries: [ImportEntry], _ dates: [Date], _ ids: [String: String], _ close: (String, Date) -> Decimal?) {
    for place in dates.placesByDate {
      let (entry, date) = (entries[place], dates[place])
      guard let id = ids[entry.coin], let price = Self.price(of: entry), price > 0, let close = close(id, date),
        close > 0
      else { continue }
      paid[id, default: []].append(Paid(date: date, line: entry.line, factor: Self.factor(price, close)))
    }
  }

  /// Returns the reason why the close of a coin on a date cannot be taken: by the price before it or by the one behind it; nil for none.
  func reason(_ id: String, _ date: Date) -> String? {
    guard let known = paid[id] else { return nil }
    let next = known.firstIndex { $0.date > date } ?? known.endIndex
    let neighbours = [next, next - 1].filter(known.indices.contains).map { known[$0] }
    return neighbours.lazy.compactMap { one in
      one.factor.map {
        "line \(one.line) has \($0) the close of \(one.date.dayText) for its price, as where a share was split later, and closes may be in "
          + "the shares of after"
      }
    }.first
  }

  private static func price(of entry: ImportEntry) -> Decimal? {
    switch entry.worth {
    case .price(let price): price
    case .total(let total): try? total.divided(by: entry.amount)
    case .sale, .missing, .none: nil
    }
  }

  private static func factor(_ price: Decimal, _ close: Decimal) -> String? {
    func isNear(_ left: Decimal, _ right: Decimal) -> Bool { abs(left - right) * 20 <= right }
    if price * 5 < close * 9, close * 5 < price * 9 { return nil }
    for ratio in ratios {
      if isNear(price, close * ratio) { return "\(ratio.plainText) times" }
      if isNear(price * ratio, close) { return "1/\(ratio.plainText) of" }
    }
    return nil
  }
}
