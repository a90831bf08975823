/// Sizes for people.
enum ByteText {
  /// In the largest binary unit, with one decimal above bytes: `512 B`, `1.5 KiB`, `64.0 MiB`.
  static func text(_ bytes: Int) -> String {
    for (unit, shift) in [("GiB", 30), ("MiB", 20), ("KiB", 10)] where bytes >= 1 << shift {
      let tenths = ((bytes >> (shift - 10)) * 10) >> 10
      return "\(tenths / 10).\(tenths % 10) \(unit)"
    }
    return "\(bytes) B"
  }
}
