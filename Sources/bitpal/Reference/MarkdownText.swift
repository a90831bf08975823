/// Text made safe for Markdown.
enum MarkdownText {
  /// Text in a cell of a table or a paragraph, without what would be markup.
  static func cell(_ text: String) -> String {
    text.replacing("|", with: "\\|").replacing("<", with: "\\<").replacing("*", with: "\\*").replacing("_", with: "\\_")
      .replacing("~", with: "\\~")
  }

  /// Text as code; words with commas between are code one by one.
  static func code(_ text: String) -> String {
    text.split(separator: ", ").map { "`\($0.replacing("|", with: "\\|"))`" }.joined(separator: ", ")
  }
}
