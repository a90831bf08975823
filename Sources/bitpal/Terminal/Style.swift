import BitpalModel
import FoundationEssentials

/// How answers are written for people: colour around text or none, the digits of prices, the clocks of times, the room
/// there is.
struct Style: Sendable {
  /// The few colours used, by meaning.
  enum Role: Sendable {
    case heading

    /// What is there for those who look for it.
    case quiet
    case good
    case bad
    case warning

    /// The colour of a gain or a loss: none for zero.
    static func gain(_ amount: Decimal) -> Role? { amount > 0 ? .good : amount < 0 ? .bad : nil }
  }

  /// Text without colour.
  static let plain = Style(isEnabled: false)

  /// Whether colours are put around text at all.
  let isEnabled: Bool

  /// The decimals of prices; nil for as many as they have.
  var digits: Int?

  /// The columns of the terminal, which tables keep to; nil where nobody is looking, and tables are whole.
  var width: Int?

  /// By whose clocks times are shown.
  var zone = ClockZone.utc

  /// An instant: `2025-01-15 10:30:00Z`.
  func time(_ instant: Date) -> String { instant.text(in: zone) }

  /// An instant of which seconds do not matter: `2025-01-15 10:30Z`.
  func minute(_ instant: Date) -> String { instant.minuteText(in: zone) }

  /// The day of an instant: `2025-01-15`.
  func day(_ instant: Date) -> String { instant.dayText(in: zone) }

  /// A price as ``NumberFormat`` has it, or with the decimals that were asked for.
  func price(_ value: Decimal) -> String { NumberFormat.price(value, digits: digits) }

  /// The change of a price, likewise.
  func priceChange(_ value: Decimal) -> String { NumberFormat.priceChange(value, digits: digits) }

  /// The text in the colour of its role; nothing is put around empty text.
  func callAsFunction(_ text: String, _ role: Role) -> String {
    guard isEnabled else { return text }
    let rendition: GraphicRendition =
      switch role {
      case .heading: .bold
      case .quiet: .faint
      case .good: .green
      case .bad: .red
      case .warning: .yellow
      }
    return rendition(text)
  }
}
