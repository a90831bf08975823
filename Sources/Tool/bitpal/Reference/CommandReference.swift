import BitpalQueries

/// The page `docs/cli.md`, with every command and its options.
struct CommandReference {
  private let table: CommandTable

  init(_ table: CommandTable) {
    self.table = table
  }

  var text: String {
    let commands = table.shown.map(section)
    return """
      # Commands

      `make docs-cli` writes this page from the program; `bitpal help COMMAND` prints the same texts. Options may stand anywhere,
      `--name value` and `--name=value` are the same, and `--` ends them. The output is described in
      [output.md](output.md), variables and exit codes in [environment.md](environment.md).

      | command | |
      | --- | --- |
      \(table.shown.map { "| [`\($0.name)`](#\(anchor($0))) | \(MarkdownText.cell($0.summary)) |" }.joined(separator: "\n"))

      ## Options everywhere

      \(options(table.everywhere))

      \(commands.joined(separator: "\n\n"))

      """
  }

  /// Returns the anchor of a heading on the web: lower case, with a dash for each space.
  private func anchor(_ command: CommandSpec) -> String {
    command.name.replacing(" ", with: "-")
  }

  private func section(_ command: CommandSpec) -> String {
    let usage = ["bitpal", command.name, command.operandWord, "[OPTION…]"].compactMap(\.self)
    var parts = [
      "## \(command.name)", MarkdownText.cell(Self.sentence(command.summary)),
      "    " + usage.joined(separator: " "),
    ]
    parts += command.details.map(MarkdownText.cell)
    if !command.options.isEmpty { parts.append(options(command.options)) }
    parts.append(
      "```sh\n" + command.examples.map { "# \($0.does)\nbitpal \($0.command)" }.joined(separator: "\n") + "\n```")
    return parts.joined(separator: "\n\n")
  }

  private func options(_ options: [ParameterSpec]) -> String {
    let rows = options.map { option in
      let words = option.spellings.map { $0 + (option.valueWord.map { " \($0)" } ?? "") }
      return "| \(MarkdownText.code(words.joined(separator: ", "))) | \(MarkdownText.cell(option.help)) |"
    }
    return "| option | |\n| --- | --- |\n" + rows.joined(separator: "\n")
  }

  /// Returns a summary as a sentence, with a capital and a full stop.
  static func sentence(_ summary: String) -> String {
    summary.prefix(1).uppercased() + summary.dropFirst() + "."
  }
}

/// A formatter of text for Markdown.
enum MarkdownText {
  /// Returns text for a cell of a table or a paragraph, with markup escaped.
  static func cell(_ text: String) -> String {
    text.replacing("|", with: "\\|").replacing("<", with: "\\<").replacing("*", with: "\\*").replacing("_", with: "\\_")
      .replacing("~", with: "\\~")
  }

  /// Returns text as code; words separated by a comma and a space are code one by one.
  static func code(_ text: String) -> String {
    text.split(separator: ", ").map { "`\($0.replacing("|", with: "\\|"))`" }.joined(separator: ", ")
  }
}
