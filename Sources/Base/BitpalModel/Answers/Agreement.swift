public import FoundationEssentials

/// The prices of one thing at several sources, and which of them count.
public struct Agreement: Hashable, Sendable {
  /// The prices that count, in the order of the providers.
  public let counted: [SourcePrice]

  /// The sources that do not count, each with the reason, in the order of the providers.
  public let leftOut: [SourcePrice]

  /// The median of the prices that count; nil where none does.
  public let median: Decimal?

  /// The number of sources that had to agree.
  public let needed: Int

  /// Whether as many sources agree as are needed.
  public var isReached: Bool { counted.count >= needed }

  /// The lowest price that counts; nil where none does.
  public var low: Decimal? { counted.compactMap(\.price).min() }

  /// The highest price that counts; nil where none does.
  public var high: Decimal? { counted.compactMap(\.price).max() }

  /// The price of one source.
  public struct SourcePrice: Hashable, Sendable {
    /// The id of the provider that was asked.
    public let source: String

    /// Its price; nil where it has none.
    public let price: Decimal?

    /// The reason why it does not count; nil for a price that does.
    public let reason: String?

    /// Whether it does not count because it is too far from the others.
    public let isFar: Bool

    /// Creates the price of a source.
    public init(source: String, price: Decimal?, reason: String? = nil, isFar: Bool = false) {
      self.source = source
      self.price = price
      self.reason = reason
      self.isFar = isFar
    }
  }
}

extension Agreement {
  /// The source of a price on which several providers agree, in the place of a provider's id.
  public static let source = "agreement"

  /// The figures on one line: `3 of 4 sources agree (96,841.32 to 96,902); left out: kraken 3.2 (2.1 % from the median)`.
  public var text: String {
    let span = low == high ? price(low) : "\(price(low)) to \(price(high))"
    let all = counted.isEmpty ? "no price counts" : "\(countText) sources agree (\(span))"
    guard !leftOut.isEmpty else { return all }
    let others = leftOut.map { other in
      other.source + (other.price.map { " \(price($0))" } ?? "") + " (\(other.reason ?? ""))"
    }
    return all + "; left out: " + others.joined(separator: ", ").printable(limit: 600)
  }

  /// The number of sources whose prices count among all: `3 of 4`.
  package var countText: String { "\(counted.count) of \(counted.count + leftOut.count)" }

  private func price(_ price: Decimal?) -> String { price.map { NumberFormat.price($0) } ?? "-" }
}

/// The rule by which several sources agree on a price.
///
/// The median decides: while fewer than half of the sources are wrong, by whatever amount, it lies among the prices of the
/// others. Standard deviations do not show who is wrong: of four prices none is ever further than 1.5 of them from the mean.
public struct AgreementRule: Hashable, Sendable {
  /// The number of sources that have to agree, at least two.
  public let atLeast: Int

  /// The largest distance from the median at which a price counts, in percent of the median.
  public let within: Decimal

  /// The answer where too few sources agree.
  public let otherwise: Otherwise

  /// The answers where too few sources agree.
  public enum Otherwise: String, CaseIterable, Sendable {
    /// The failure ``BitpalError/sourcesDisagree(coin:_:)``.
    case error

    /// The price of the first provider that has one, with a warning.
    case first
  }

  /// The distance that counts where none is chosen: 1 %.
  public static let usualDistance: Decimal = 1

  /// Creates a rule.
  public init(atLeast: Int, within: Decimal = usualDistance, otherwise: Otherwise = .error) {
    self.atLeast = max(2, atLeast)
    self.within = within
    self.otherwise = otherwise
  }

  /// The number of sources that have to agree where none is chosen: more than half.
  public static func majority(of count: Int) -> Int { max(2, count / 2 + 1) }

  /// The outcome of asking one source.
  public struct Vote: Sendable {
    /// The id of the provider that was asked.
    public let source: String

    /// The source that the price is originally of: two votes with one origin count once.
    public let origin: String

    /// The price; nil where there is none.
    public let price: Decimal?

    /// The reason why the price must not count, such as its age; nil for one that may.
    public let fault: String?

    /// Creates the outcome of asking a source.
    public init(source: String, origin: String? = nil, price: Decimal?, fault: String? = nil) {
      self.source = source
      self.origin = origin ?? source
      self.price = price
      self.fault = fault
    }
  }

  /// Returns which of the prices count.
  ///
  /// Usable are prices above zero without a fault, the first of each origin. Those further from the median of the usable
  /// ones than ``within`` are left out.
  public func judge(_ votes: [Vote]) -> Agreement {
    var origins: [String: String] = [:]
    let faults = votes.map { vote -> String? in
      if let fault = vote.fault { return fault }
      guard let price = vote.price, price.isPositive else { return "no price" }
      if let first = origins[vote.origin] { return "the same prices as \(first)" }
      origins[vote.origin] = vote.source
      return nil
    }
    let center = zip(votes, faults).compactMap { $1 == nil ? $0.price : nil }.median ?? 0
    let prices = zip(votes, faults).map { vote, fault in
      guard fault == nil, let price = vote.price, isFar(price, from: center) else {
        return Agreement.SourcePrice(source: vote.source, price: vote.price, reason: fault)
      }
      let distance = price.percentChange(since: center).map(NumberFormat.percent) ?? "far"
      return Agreement.SourcePrice(
        source: vote.source, price: price, reason: "\(distance) from the median", isFar: true)
    }
    let counted = prices.filter { $0.reason == nil }
    return Agreement(
      counted: counted, leftOut: prices.filter { $0.reason != nil }, median: counted.compactMap(\.price).median,
      needed: atLeast)
  }

  private func isFar(_ price: Decimal, from center: Decimal) -> Bool {
    price.compared(to: center, times: (100 + within).hundredths) == .greater
      || price.compared(to: center, times: (100 - within).hundredths) == .less
  }
}

extension [Decimal] {
  /// The middle value, or the mean of the two in the middle; nil for an empty array.
  package var median: Decimal? {
    guard !isEmpty else { return nil }
    let ordered = sorted()
    let (lower, upper) = (ordered[(count - 1) / 2], ordered[count / 2])
    return lower == upper ? upper : (lower + upper).converted(at: Decimal(50).hundredths)
  }
}
