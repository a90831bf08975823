import BitpalModel
import CSQLite

/// The SQL function `number(text)`, which converts a number in the source's format to JSON's format.
///
/// Integers, JSON numbers and empty texts are returned unchanged. A text in another format than the declared one has no
/// result, so that `1.234` is never misread. A second argument names the column in the message.
struct SandboxNumberFunction {
  static let name = "number"

  func run(_ call: SandboxCall) {
    guard call.type(0) == SQLITE_TEXT, let text = call.text(0) else { return call.result(argument: 0) }
    JSONEscape.withContent(of: text) { content, isQuoted in
      guard let marks = call.guardian.marks, isQuoted || !call.isJSON(0), !text.elementsEqual("null".utf8),
        !content.isEmpty
      else {
        return call.result(argument: 0)
      }
      guard let plain = marks.plain(content) else {
        let column = call.text(1).map { String(decoding: $0, as: UTF8.self) } ?? Self.name
        let problem = ColumnProblem.wrong(
          column: column, expected: "a number like \(marks.example)",
          found: String(decoding: text.prefix(80), as: UTF8.self).printable(limit: 60))
        return call.fail(problem.description)
      }
      plain.withUnsafeBufferPointer { call.result($0) }
    }
  }
}
