import BitpalModel
import BitpalQueries

/// The man page, in the macros of `man`.
struct ManualPage {
  private let table: CommandTable

  init(_ table: CommandTable) {
    self.table = table
  }

  var text: String {
    var lines = [
      ".\\\" Made from the program by \"make docs-cli\".",
      ".TH BITPAL 1 \"\" \"bitpal \(BitpalVersion.current)\" \"User Commands\"",
      ".SH NAME", "bitpal \\- what a coin costs and how it moved",
      ".SH SYNOPSIS", ".B bitpal", ".I COMMAND", "[\\fIARGUMENT\\fR…] [\\fIOPTION\\fR…]",
      ".SH DESCRIPTION",
      paragraph(
        "bitpal answers three questions: what does this coin cost, how did it move, and what is mine worth. The source of "
          + "the answers is chosen in a settings file, and any source can be recorded once and replayed offline."),
      paragraph(
        "Options may stand anywhere, \"--name value\" and \"--name=value\" are the same, and \"--\" ends them. Answers go to "
          + "standard output, everything else to standard error."),
      ".SH COMMANDS",
    ]
    lines += table.shown.flatMap(section)
    lines += [".SH OPTIONS EVERYWHERE"] + table.everywhere.flatMap(option)
    lines += [".SH ENVIRONMENT"] + EnvironmentVariable.all.flatMap { item(bold($0.name), $0.meaning) }
    lines += [".SH FILES"] + Self.files.flatMap { item(bold($0.0), $0.1) }
    lines += [".SH EXIT STATUS"] + ExitStatus.allCases.flatMap { item(bold("\($0.rawValue)"), $0.meaning) }
    return lines.joined(separator: "\n") + "\n"
  }

  private static let files = [
    ("~/.config/bitpal/config.yaml", "settings; \"bitpal config init\" writes one to start from"),
    ("./config.yaml", "settings of the current folder, when it says bitpal: 1; see \"bitpal trust\""),
    ("~/.local/share/bitpal/bitpal.db", "transactions and watchlist; \"bitpal portfolio backup FILE\" copies it"),
    ("~/.local/share/bitpal/providers", "provider files of your own"),
    ("~/.local/state/bitpal/trusted-folders", "the folders whose settings you trust"),
    ("~/.cache/bitpal", "answers and request budgets; may be deleted at any time"),
  ]

  private func section(_ command: CommandSpec) -> [String] {
    let usage = ["bitpal", command.name, command.operandWord].compactMap(\.self).joined(separator: " ")
    var lines = [".SS \"\(Self.escaped(usage))\"", Self.line(CommandReference.sentence(command.summary))]
    lines += command.details.map(paragraph)
    lines += command.options.flatMap(option)
    for example in command.examples {
      lines += [".PP", Self.line(CommandReference.sentence(example.does)), ".EX"]
      lines += [Self.line("    bitpal \(example.command)"), ".EE"]
    }
    return lines
  }

  private func option(_ option: ParameterSpec) -> [String] {
    let spellings = option.spellings.map(bold).joined(separator: ", ")
    let value = option.valueWord.map { " \\fI\(Self.escaped($0))\\fR" } ?? ""
    return item(spellings + value, option.help)
  }

  private func item(_ head: String, _ text: String) -> [String] {
    [".TP", head, Self.line(text)]
  }

  private func paragraph(_ text: String) -> String { ".PP\n" + Self.line(text) }

  private func bold(_ text: String) -> String { "\\fB\(Self.escaped(text))\\fR" }

  /// Returns a line of text; a text that begins like a roff request is escaped.
  private static func line(_ text: String) -> String {
    (text.hasPrefix(".") || text.hasPrefix("'") ? "\\&" : "") + escaped(text)
  }

  /// Returns text with the special characters of roff escaped; hyphens stay searchable and can be pasted.
  private static func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\e").replacing("-", with: "\\-").replacing("'", with: "\\(aq")
      .replacing("~", with: "\\(ti").replacing("^", with: "\\(ha").replacing("`", with: "\\(ga")
      .replacing("\"", with: "\\(dq")
  }
}
