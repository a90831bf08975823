import BitpalModel
import CSQLite

/// The SQL function `number(text)`, which converts a number in the source's format to JSON's format.
///
/// Integers, JSON numbers and empty texts are returned unchanged, but for a plus sign, which is left out, and a zero that lacks
/// before a point. A text in another format than the declared one has no
/// result, so that `1.234` is never misread. A second argument names the column in the message.
struct SandboxNumberFunction {
  static let name = "number"

  func run(_ call: SandboxCall) {
    guard call.type(0) == SQLITE_TEXT, let text = call.text(0) else { return call.result(argument: 0) }
    JSONEscape.withContent(of: text) { content, isQuoted in
      guard let marks = call.guardian.marks ?? Self.incomplete(content), isQuoted || !call.isJSON(0),
        !text.elementsEqual("null".utf8),
        !content.isEmpty
      else {
        return call.result(argument: 0)
      }
      guard let plain = marks.plain(content) else {
        if call.guardian.marks == nil { return call.result(argument: 0) }
        let column = call.text(1).map { String(decoding: $0, as: UTF8.self) } ?? Self.name
        let problem = ColumnProblem.wrong(
          column: column, expected: "a number like \(marks.example)",
          found: String(decoding: text.prefix(80), as: UTF8.self).printable(limit: 60))
        return call.fail(problem.description)
      }
      plain.withUnsafeBufferPointer { call.result($0) }
    }
  }

  /// Returns the notation of a number that JSON lacks: with a plus sign, or without a zero before the point; nil for any other.
  private static func incomplete(_ text: UnsafeBufferPointer<UInt8>) -> NumberMarks? {
    let digits = text.first.map { "+-".utf8.contains($0) } == true ? text.dropFirst() : text[...]
    return text.first == UInt8(ascii: "+") || digits.first == UInt8(ascii: ".") ? plain : nil
  }

  private static let plain = NumberMarks(example: "1.5")
}
