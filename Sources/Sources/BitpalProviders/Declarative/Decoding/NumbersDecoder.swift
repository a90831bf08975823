import BitpalJSON
import BitpalModel
import FoundationEssentials

/// A decoder of the number format of an operation in a file of `kind: http`.
struct NumbersDecoder {
  /// The keys of an operation that this decoder reads.
  static let keys = ["number", "factor", "invert"]

  /// Returns the number format of the operation; the default is that of JSON.
  func decode(_ decoder: MappingDecoder) -> DeclaredNumbers {
    var numbers = DeclaredNumbers()
    numbers.marks = decoder["number"].flatMap { marks($0) }
    numbers.factor = decoder["factor"].flatMap { factor($0) }
    numbers.isInverted = decoder["invert"].flatMap { $0.bool() } ?? false
    return numbers
  }

  private func marks(_ value: DeclaredValue) -> NumberMarks? {
    guard let text = value.text("a number like \"1.234,56\"") else { return nil }
    return NumberMarks(example: text)
      ?? value.reject(
        "\(value.name) must be a number as the source writes it, with both marks, like \"1.234,56\", \"1 234,56\" or "
          + "\"1234,56\", not \"\(text.printable(limit: 60))\"")
  }

  private func factor(_ value: DeclaredValue) -> Decimal? {
    guard let text = value.text("a number like 0.01") else { return nil }
    guard let factor = try? Decimal(strict: text), factor > 0 else {
      return value.reject("\(value.name) must be a number above zero like 0.01, not \"\(text.printable(limit: 60))\"")
    }
    return factor
  }
}

extension DeclaredValue {
  /// Reads the format of times: a name, or a pattern.
  func timeFormat() -> DeclaredOperation.TimeFormat? {
    guard let declared = declaredText("seconds, milliseconds, iso8601 or a pattern like yyyy-MM-dd") else { return nil }
    let text = declared.text
    if let named = DeclaredOperation.TimeFormat.named.first(where: { $0.key == text }) { return named.value }
    do throws(TimePattern.Fault) {
      return .pattern(try TimePattern(text))
    } catch {
      // A word without `yy` is more likely a misspelled name than a pattern.
      let isWord = text.utf8.allSatisfy { $0.isASCIILetterOrDigit || $0 == UInt8(ascii: "_") }
      if isWord, !text.contains("yy") {
        return reject(
          "\(name) must be one of seconds, milliseconds, iso8601 or a pattern like \"dd.MM.yyyy HH:mm\", not "
            + "\"\(text.printable(limit: 60))\"")
      }
      return fail(declared.issue(error.message, at: error.offset))
    }
  }
}
