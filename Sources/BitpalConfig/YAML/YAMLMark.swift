/// A place in a YAML file.
struct YAMLMark: Hashable, Sendable {
  /// The line, counted from 1.
  let line: Int

  /// The column in Unicode scalars, counted from 1; ``YAMLSource`` turns it into characters.
  let column: Int

  /// The first character of a file.
  static let start = YAMLMark(line: 1, column: 1)
}
