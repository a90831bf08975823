/// Finds where the elements of a JSON array lie in its text, without reading them.
///
/// It judges nothing: the text is one that SQLite has just written, so it is valid and has no white space between
/// elements. Of any other text it finds no part outside of it, and whoever reads the parts refuses what they hold.
enum JSONArrayText {
  private static let quote = UInt8(ascii: "\"")
  private static let backslash = UInt8(ascii: "\\")
  private static let comma = UInt8(ascii: ",")

  /// Appends the text of each element; nothing for what does not begin as an array.
  static func split(
    _ text: UnsafeBufferPointer<UInt8>, into parts: inout [UnsafeBufferPointer<UInt8>]
  ) {
    guard text.count > 2, text[0] == UInt8(ascii: "[") else { return }
    let end = text.count - 1
    var start = 1
    var index = 1
    var depth = 0
    while index < end {
      switch text[index] {
      case quote:
        index += 1
        while index < end, text[index] != quote { index += text[index] == backslash ? 2 : 1 }
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        depth += 1
      case UInt8(ascii: "]"), UInt8(ascii: "}"):
        depth -= 1
      case comma where depth == 0:
        parts.append(UnsafeBufferPointer(rebasing: text[start..<index]))
        start = index + 1
      default:
        break
      }
      index += 1
    }
    parts.append(UnsafeBufferPointer(rebasing: text[start..<end]))
  }
}
