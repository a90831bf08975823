import BitpalQueries

/// A renderer of the help texts from the command table, 80 columns wide.
struct HelpText: Sendable {
  private let table: CommandTable

  init(_ table: CommandTable) {
    self.table = table
  }

  /// The short help for a command line without a command.
  var short: String {
    """
    Usage: bitpal COMMAND [OPTION…]
    \(Self.wrapped("Commands: " + table.firstWords.joined(separator: ", "), indent: 10))
    Try "bitpal price bitcoin", or "bitpal help" for more.

    """
  }

  /// Returns the help on a topic, with a line end.
  func text(on topic: HelpTopic) -> String {
    switch topic {
    case .everything: everything
    case .options:
      sections(["bitpal: options of every command", "Options:\n" + rows(table.everywhere.map(optionRow))])
    case .group(let name): table.groups.first { $0.name == name }.map(group) ?? everything
    case .command(let name): table.command(name).map(command) ?? everything
    }
  }

  private var everything: String {
    let commands = table.sections.map { section in (section.title, lines(of: section)) }
    let width = columns(commands.flatMap(\.1))
    return sections(
      [
        "bitpal: what a coin costs and how it moved",
        "Usage: bitpal COMMAND [ARGUMENT…] [OPTION…]\n       bitpal COIN…  (the same as: bitpal price COIN…)",
      ] + commands.map { title, lines in "\(title):\n" + rows(lines, width) } + [
        "More:\n"
          + rows(
            [("help COMMAND", "help on a command or a group"), ("help options", "the options of every command")], width),
        "Examples:\n"
          + examples([
            .init("price bitcoin ethereum", "two prices"),
            .init("chart bitcoin --range 1W", "how a week went"),
            .init("config init", "a settings file to start from"),
          ]),
        """
        Exit status: 0 answered, 1 some coins were not, 2 usage, 3 configuration,
        4 network or source unavailable, 5 rate limited, 6 unreadable answer,
        7 data file, 8 sources disagree, 130 interrupted.
        """,
      ])
  }

  /// Returns the lines of a section: a command each, and one for all commands of a group.
  private func lines(of section: CommandSection) -> [(String, String)] {
    var lines: [(String, String)] = []
    for spec in section.types.map({ $0.spec }) where !spec.isHidden {
      guard let group = table.groups.first(where: { $0.name == spec.words.first }) else {
        lines.append((([spec.name] + [spec.operandWord].compactMap(\.self)).joined(separator: " "), spec.summary))
        continue
      }
      guard spec.name == table.commands(of: group).first?.name else { continue }
      let members = table.commands(of: group).compactMap(\.words.last).joined(separator: ", ")
      lines.append((group.name, "\(group.summary): \(members)"))
    }
    return lines
  }

  private func group(_ group: CommandGroup) -> String {
    let commands = table.commands(of: group)
    let first = commands.first
    let operand = first?.operandWord.map { " " + $0 } ?? ""
    return sections([
      "bitpal \(group.name): \(group.summary)",
      "Usage: bitpal \(group.name) COMMAND [OPTION…]",
      "Commands:\n" + rows(commands.map { ($0.name, $0.summary) }),
      Self.wrapped(
        "\"bitpal \(group.name)\(operand)\" alone is \"bitpal \(first?.name ?? group.name)\(operand)\". "
          + "\"bitpal help \(group.name) COMMAND\" describes each."),
    ])
  }

  private func command(_ command: CommandSpec) -> String {
    let usage = ["bitpal", command.name, command.operandWord, "[OPTION…]"].compactMap(\.self)
    var parts = [
      "bitpal \(command.name): \(command.summary)",
      "Usage: " + usage.joined(separator: " "),
    ]
    parts += command.details.map { Self.wrapped($0) }
    if !command.options.isEmpty { parts.append("Options:\n" + rows(command.options.map(optionRow))) }
    parts.append("See \"bitpal help options\" for the options of every command.")
    parts.append("Examples:\n" + examples(command.examples))
    return sections(parts)
  }

  private func sections(_ parts: [String]) -> String {
    parts.joined(separator: "\n\n") + "\n"
  }

  private func examples(_ examples: [CommandSpec.Example]) -> String {
    examples.map { "  # \($0.does)\n  bitpal \($0.command)" }.joined(separator: "\n")
  }

  private func optionRow(_ option: ParameterSpec) -> (String, String) {
    let short = option.short.map { "-\($0), " } ?? "    "
    return (short + option.spelling + (option.valueWord.map { " \($0)" } ?? ""), option.help)
  }

  /// Returns the width of the left of two columns, which is limited so that enough of the 80 columns remain.
  private func columns(_ rows: [(left: String, right: String)]) -> Int {
    let limit = 28
    return rows.map(\.left.count).filter { $0 <= limit }.max() ?? limit
  }

  /// Returns two columns; a left cell that is too wide has its right cell on the next line.
  ///
  /// - Parameter width: The width of the left column; nil for that of its cells.
  private func rows(_ rows: [(left: String, right: String)], _ width: Int? = nil) -> String {
    let widest = width ?? columns(rows)
    let indent = widest + 4
    return rows.map { left, right in
      let text = Self.wrapped(right, indent: indent)
      if left.count > widest { return "  " + left + "\n" + String(repeating: " ", count: indent) + text }
      return "  " + left + String(repeating: " ", count: indent - 2 - left.count) + text
    }.joined(separator: "\n")
  }

  /// Returns the text with line breaks before column 80; every line but the first begins with `indent` spaces.
  private static func wrapped(_ text: String, indent: Int = 0) -> String {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      if !line.isEmpty, indent + line.count + 1 + word.count > 79 {
        lines.append(line)
        line = ""
      }
      line += (line.isEmpty ? "" : " ") + word
    }
    lines.append(line)
    return lines.joined(separator: "\n" + String(repeating: " ", count: indent))
  }
}

/// A topic of the help.
enum HelpTopic: Hashable, Sendable {
  case everything

  /// The options of every command.
  case options
  case group(String)
  /// A command, by its name.
  case command(String)
}
