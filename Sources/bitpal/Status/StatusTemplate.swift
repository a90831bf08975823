import BitpalModel
import BitpalOutput
import BitpalService

/// What a status line shows of a coin: text with fields in braces; `{{` is a brace.
struct StatusTemplate: Equatable, Sendable {
  /// What can stand in braces.
  enum Field: String, CaseIterable, Sendable {
    case id
    case symbol
    case name
    case price
    case currency
    case change

    /// How long ago the price was fetched.
    case age

    /// `stale, 3m old`, or nothing.
    case stale
  }

  private enum Part: Equatable, Sendable {
    case text(String)
    case field(Field)
  }

  /// The default.
  static let usual = "{symbol} {price} {change}"

  /// What stands for a price that is not known.
  static let unknown = "…"

  /// The fields, for help and messages.
  static let fieldList = Field.allCases.map { "{\($0.rawValue)}" }.joined(separator: " ")

  private let parts: [Part]

  /// - Throws: ``BitpalError/usage(_:hint:)`` for a field that there is not.
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
            "--template: there is no {\(name)}",
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

  /// The text of a coin with a price; an old price says so even if the template does not ask.
  ///
  /// - Parameter digits: So many decimals; nil for as many as prices have.
  func text(_ quote: Sourced<Coin>, currency: String, age: Duration, digits: Int? = nil) -> String {
    let coin = quote.value
    let stale = quote.freshness.text
    let text = joined { field in
      switch field {
      case .id: coin.id
      case .symbol: coin.symbol.uppercased()
      case .name: coin.name
      case .price: NumberFormat.price(coin.currentPrice, digits: digits)
      case .currency: currency.uppercased()
      case .change: coin.priceChange24h.map { NumberFormat.percent($0) } ?? "-"
      case .age: age.shortText
      case .stale: stale ?? ""
      }
    }
    guard let stale, !parts.contains(.field(.age)), !parts.contains(.field(.stale)) else { return text }
    return "\(text) (\(stale))"
  }

  /// The text of a coin without a price, by the name it was given.
  func text(unknown name: String, currency: String) -> String {
    joined { field in
      switch field {
      case .id, .name: name
      case .symbol: name.uppercased()
      case .currency: currency.uppercased()
      case .price: Self.unknown
      case .change, .age, .stale: ""
      }
    }
  }

  private func joined(_ value: (Field) -> String) -> String {
    let text = parts.map { part in
      switch part {
      case .text(let text): text
      case .field(let field): value(field)
      }
    }.joined().printable()
    // A field that is empty leaves no gap at the end.
    return String(text.reversed().drop { $0 == " " }.reversed())
  }
}
