/// A word under which several commands live; alone it means the first of them.
struct CommandGroup: Sendable {
  let name: String
  let summary: String

  init(_ name: String, _ summary: String) {
    self.name = name
    self.summary = summary
  }
}
