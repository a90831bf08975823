/// A text as one word of a shell's command line: `'it'\''s'` where it must be quoted.
struct ShellWord: CustomStringConvertible {
  let description: String

  init(_ text: String) {
    let isPlain = !text.isEmpty && text.utf8.allSatisfy { Self.plain.contains($0) }
    description = isPlain ? text : "'" + text.replacing("'", with: "'\\''") + "'"
  }

  private static let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:@%+=,".utf8)
}
