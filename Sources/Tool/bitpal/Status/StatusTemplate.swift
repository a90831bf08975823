import Bitpal
import BitpalModel
import BitpalOutput
import BitpalPortfolio
import BitpalQueries
import FoundationEssentials

/// A template for a coin in a status line: text with fields in braces, and `{{` for a brace.
struct StatusTemplate: Equatable, Sendable {
  /// A field that may stand in braces.
  enum Field: String, CaseIterable, Sendable {
    case id
    case symbol
    case name
    case price
    case currency
    case change

    /// `▲` or `▼` by the change of 24 hours, `→` without one; empty where it is not known.
    case arrow

    /// The time since the price was fetched.
    case age

    /// A mark of a stale price such as `stale, 3m old`; empty for a fresh one.
    case stale
  }

  private enum Part: Equatable, Sendable {
    case text(String)
    case field(Field)
  }

  /// The default template.
  static let usual = "{symbol} {price} {change}"

  /// The text for a price that is not known yet.
  static let pending = "…"

  /// The text for the price of an unknown coin.
  static let unknown = "?"

  /// The mark before a converted price.
  static let converted = "≈"

  /// The names of the fields, for help and messages.
  static let fieldList = Field.allCases.map { "{\($0.rawValue)}" }.joined(separator: " ")

  private let parts: [Part]

  /// Creates a status template.
  ///
  /// - Throws: ``BitpalError/usage(_:hint:)`` for an unknown field, and for a brace that is not closed.
  init(_ text: String) throws(BitpalError) {
    var parts: [Part] = []
    var plain = ""
    var rest = Substring(text)
    while let character = rest.popFirst() {
      if character != "{" {
        plain.append(character)
      } else if rest.first == "{" {
        rest.removeFirst()
        plain.append("{")
      } else {
        guard let end = rest.firstIndex(of: "}") else {
          throw .usage("--template: a { has no }", hint: "a brace itself is written {{")
        }
        let name = String(rest[..<end])
        guard let field = Field(rawValue: name) else {
          let nearest = NearestName.match(name, among: Field.allCases.map(\.rawValue))
          throw .usage(
            "--template: unknown field {\(name)}",
            hint: (nearest.map { "did you mean {\($0)}? " } ?? "") + "there are: \(Self.fieldList)")
        }
        if !plain.isEmpty { parts.append(.text(plain)) }
        plain = ""
        parts.append(.field(field))
        rest = rest[rest.index(after: end)...]
      }
    }
    if !plain.isEmpty { parts.append(.text(plain)) }
    self.parts = parts
  }

  /// Returns the text of a coin with a price.
  ///
  /// A stale price is marked even if the template has no mark, and a converted one wherever it stands.
  ///
  /// - Parameter digits: The number of decimals; nil for as many as prices have.
  func text(_ quote: Sourced<Coin>, currency: String, age: Duration, digits: Int? = nil) -> String {
    let coin = quote.value
    let stale = quote.freshness.text
    let text = joined { field in
      switch field {
      case .id: coin.id
      case .symbol: coin.symbol.uppercased()
      case .name: coin.name
      case .price:
        (quote.conversion == nil ? "" : Self.converted) + NumberFormat.price(coin.currentPrice, digits: digits)
      case .currency: currency.uppercased()
      case .change: coin.priceChangePercentage24h.map { NumberFormat.percent($0) } ?? "-"
      case .arrow: Self.arrow(coin.priceChangePercentage24h)
      case .age: age.shortText
      case .stale: stale ?? ""
      }
    }
    return marked(text, stale)
  }

  /// Returns the text of a portfolio, whose price is its value; its name is its id and symbol, too.
  ///
  /// A value that lacks coins names them, whatever the template.
  ///
  /// - Parameters:
  ///   - now: The instant from which the age of the oldest price is measured.
  ///   - currency: That of the prices beside it: another one is named, also where the template does not.
  func text(_ valued: ValuedPortfolio, now: Date, beside currency: String, digits: Int? = nil) -> String {
    let own = valued.currency == currency || parts.contains(.field(.currency)) ? "" : " " + valued.currency.uppercased()
    let sums = valued.portfolio.summary
    let quotes = valued.answer.quotes
    let stale = quotes.filter { $0.freshness.isStale }.max {
      ($0.freshness.age ?? .zero) < ($1.freshness.age ?? .zero)
    }?
    .freshness.text
    let missing = valued.answer.failures
    let isPending = missing.allSatisfy { $0.error.code == .offline }
    let text = joined { field in
      switch field {
      case .id, .symbol, .name: valued.name.text
      case .price:
        sums.totalValue.map { NumberFormat.price($0, digits: digits) + own }
          ?? (isPending ? Self.pending : Self.unknown)
      case .currency: valued.currency.uppercased()
      case .change: sums.change24hPercentage.map { NumberFormat.percent($0) } ?? "-"
      case .arrow: Self.arrow(sums.change24hPercentage)
      case .age: quotes.map(\.fetchedAt).min().map { max(.zero, now.since($0)).shortText } ?? ""
      case .stale: stale ?? ""
      }
    }
    let names = missing.map { $0.coin.printable(limit: 30) }.joined(separator: ", ")
    return marked(missing.isEmpty ? text : "\(text) (without \(names))", stale)
  }

  private static func arrow(_ change: Decimal?) -> String {
    change.map { NumberFormat.isRise(NumberFormat.percent($0)).map { $0 ? "▲" : "▼" } ?? "→" } ?? ""
  }

  /// Returns a text with the mark of a stale price, unless the template has a place for it.
  private func marked(_ text: String, _ stale: String?) -> String {
    guard let stale, !parts.contains(.field(.stale)) else { return text }
    return "\(text) (\(stale))"
  }

  /// Returns the text of a coin without a price, with the name that it was given.
  ///
  /// - Parameter isPending: Whether the price may come; otherwise the coin is marked as unknown, whatever the template.
  func text(missing name: String, isPending: Bool, currency: String) -> String {
    let mark = isPending ? Self.pending : Self.unknown
    let text = joined { field in
      switch field {
      case .id, .name: name
      case .symbol: name.uppercased()
      case .currency: currency.uppercased()
      case .price: mark
      case .change, .arrow, .age, .stale: ""
      }
    }
    return parts.contains(.field(.price)) ? text : text.isEmpty ? mark : "\(text) \(mark)"
  }

  private func joined(_ value: (Field) -> String) -> String {
    let text = parts.map { part in
      switch part {
      case .text(let text): text
      case .field(let field): value(field)
      }
    }.joined().printable()
    // Spaces at the end are removed, because an empty field would leave them there.
    return String(text.reversed().drop { $0 == " " }.reversed())
  }
}
