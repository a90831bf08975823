import BitpalModel
import FoundationEssentials

/// The format of answers for people: colours, the decimals of prices, the time zone and the width of the terminal.
struct Style: Sendable {
  /// The role of a text, which decides its colour.
  enum Role: Sendable {
    case heading

    /// A detail that is not meant to draw attention.
    case quiet
    case good
    case bad
    case warning

    /// Returns the role of a change by the sign with which it is shown; nil without one.
    static func change(_ text: String) -> Role? { NumberFormat.isRise(text).map { $0 ? .good : .bad } }
  }

  /// The style of text without colour.
  static let plain = Style(isEnabled: false)

  /// Whether text is coloured.
  let isEnabled: Bool

  /// The number of decimals of prices; nil for as many as they have.
  var digits: Int?

  /// The number of columns from which tables of prices have market figures.
  static let widthForFigures = 120

  /// The number of columns that tables keep to; nil without a terminal, so that tables are complete.
  var width: Int?

  /// The time zone of times and days.
  var zone = ClockZone.utc

  /// Returns an instant: `2025-01-15 10:30:00Z`.
  func time(_ instant: Date) -> String { instant.text(in: zone) }

  /// Returns an instant; the beginning of a day as its date in every zone where it stands for the whole of it.
  func time(_ instant: Date, isOfDay: Bool) -> String {
    isOfDay && instant == instant.startOfDay ? instant.dayText : time(instant)
  }

  /// Returns an instant without seconds: `2025-01-15 10:30Z`.
  func minute(_ instant: Date) -> String { instant.minuteText(in: zone) }

  /// Returns the day of an instant: `2025-01-15`.
  func day(_ instant: Date) -> String { instant.dayText(in: zone) }

  /// Returns the day of a transaction: `2025-01-15`.
  func bookedDay(_ instant: Date) -> String { instant.bookedDayText(in: zone) }

  /// Returns the number of days between two transactions.
  func bookedDays(from first: Date, to last: Date) -> Int {
    let days = [first, last].map { zone.ofDay($0).day(at: $0) }
    return Int(days[1].since(days[0]).components.seconds / 86_400)
  }

  /// Returns the time of a transaction without seconds, or its day where it was recorded with a day alone.
  func booked(_ instant: Date) -> String {
    zone.ofDay(instant) == zone ? minute(instant) : bookedDay(instant)
  }

  /// Returns a price in the format of ``NumberFormat``, with ``digits`` decimals if they are set.
  func price(_ value: Decimal) -> String { NumberFormat.price(value, digits: digits) }

  /// Returns the prices of a column of money, with the same decimals from 1 up.
  func prices(_ values: [Decimal?]) -> [TextTable.Cell] {
    let least = NumberFormat.decimals(ofColumn: values.compactMap(\.self))
    return values.map { $0.map { .init(NumberFormat.price($0, digits: digits, least: least)) } ?? "-" }
  }

  /// Returns the change of a price in the same format, with its sign.
  func priceChange(_ value: Decimal) -> String { NumberFormat.priceChange(value, digits: digits) }

  /// Returns the text in the colour of its role; empty text stays empty.
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
