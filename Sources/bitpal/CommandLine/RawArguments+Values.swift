import BitpalModel
import FoundationEssentials

extension RawArguments {
  /// Returns the decimal number that an option was given; nil when the option is absent.
  ///
  /// - Throws: ``BitpalError/usage(_:hint:)`` for a value that is not a decimal number.
  func number(_ option: OptionName) throws(BitpalError) -> Decimal? {
    try value(option).map { text throws(BitpalError) in try Self.number(text, option.spelling) }
  }

  /// Returns the decimal number in an operand.
  ///
  /// - Parameter name: The placeholder of the operand, for the message.
  /// - Throws: ``BitpalError/usage(_:hint:)`` for a text that is not a decimal number.
  static func number(_ text: String, _ name: String) throws(BitpalError) -> Decimal {
    do throws(DecimalError) {
      return try Decimal(strict: text)
    } catch {
      throw .usage("\(name): \(error)")
    }
  }

  /// Returns the instant that an option was given; nil when the option is absent.
  ///
  /// - Throws: ``BitpalError/usage(_:hint:)`` for a value that is not an instant or a day.
  func instant(_ option: OptionName) throws(BitpalError) -> Date? {
    try value(option).map { text throws(BitpalError) in
      guard let instant = Date(utcText: text) else {
        throw .usage(
          "\(option.spelling): \"\(text)\" is not an instant", hint: "write it like 2025-01-15 or 2025-01-15T10:30:00Z")
      }
      return instant
    }
  }

  /// Returns the start of the day, in UTC, that an option was given; nil when the option is absent.
  ///
  /// - Throws: ``BitpalError/usage(_:hint:)`` for a value that is not a day, also for an instant within one.
  func day(_ option: OptionName) throws(BitpalError) -> Date? {
    try value(option).map { text throws(BitpalError) in
      // An instant would be read as its day, and the close of that day as the price at the instant.
      guard text.count == 10, let day = Date(utcText: text) else {
        throw .usage("\(option.spelling): \"\(text)\" is not a day", hint: "write it like 2025-01-14")
      }
      return day
    }
  }
}
