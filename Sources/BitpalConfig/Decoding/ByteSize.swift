/// A number of bytes as settings write it: `512`, `512KiB`, `16MiB`, `1GiB`.
struct ByteSize: Hashable, Sendable {
  let bytes: Int

  /// That many bytes.
  init(bytes: Int) {
    self.bytes = bytes
  }

  /// Reads the text; nil when it is no size or more than an `Int` holds.
  init?(_ text: String) {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    guard let count = Int(digits), let size = Self.units.first(where: { $0.name == text.dropFirst(digits.count) })
    else { return nil }
    let (bytes, overflow) = count.multipliedReportingOverflow(by: size.bytes)
    guard !overflow else { return nil }
    self.bytes = bytes
  }

  /// The text, in the largest unit that divides the number.
  var text: String {
    let unit = Self.units.first { bytes != 0 && bytes % $0.bytes == 0 }
    return unit.map { "\(bytes / $0.bytes)\($0.name)" } ?? "\(bytes)"
  }

  private static let units = [("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10), ("", 1)]
    .map { (name: $0.0, bytes: $0.1) }
}
