import BitpalModel
import FoundationEssentials

extension RawArguments {
  /// A number given as an option.
  func number(_ option: OptionName) throws(BitpalError) -> Decimal? {
    try value(option).map { text throws(BitpalError) in try Self.number(text, option.spelling) }
  }

  /// A number given as a word.
  static func number(_ text: String, _ name: String) throws(BitpalError) -> Decimal {
    do throws(DecimalError) {
      return try Decimal(strict: text)
    } catch {
      throw .usage("\(name): \(error)")
    }
  }

  /// An instant given as an option.
  func instant(_ option: OptionName) throws(BitpalError) -> Date? {
    try value(option).map { text throws(BitpalError) in
      guard let instant = Date(utcText: text) else {
        throw .usage(
          "\(option.spelling): \"\(text)\" is not an instant", hint: "write it like 2025-01-15 or 2025-01-15T10:30:00Z")
      }
      return instant
    }
  }

  /// A day given as an option, in UTC.
  func day(_ option: OptionName) throws(BitpalError) -> Date? {
    try value(option).map { text throws(BitpalError) in
      // An instant within a day would be taken for a day, and its close for the price of that instant.
      guard text.count == 10, let day = Date(utcText: text) else {
        throw .usage("\(option.spelling): \"\(text)\" is not a day", hint: "write it like 2025-01-14")
      }
      return day
    }
  }
}
