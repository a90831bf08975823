import BitpalModel
import FoundationEssentials

/// Puts colour around text, or leaves it alone.
struct Style: Sendable {
  /// The few colours used, by meaning.
  enum Role: Sendable {
    case heading
    case quiet
    case good
    case bad
    case warning

    /// The colour of a gain or a loss: none for zero.
    static func gain(_ amount: Decimal) -> Role? { amount > 0 ? .good : amount < 0 ? .bad : nil }
  }

  /// Text without colour.
  static let plain = Style(isEnabled: false)

  let isEnabled: Bool

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
