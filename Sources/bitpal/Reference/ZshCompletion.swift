import BitpalModel

/// The completion script for zsh.
struct ZshCompletion {
  private let table: CommandTable

  init(_ table: CommandTable) {
    self.table = table
  }

  var text: String {
    """
    #compdef bitpal
    # Completion of bitpal for zsh; made by "bitpal completion zsh".

    _bitpal_ask() {
      local -a rows
      rows=("${(@f)$(command bitpal generate $1 ${PREFIX:+$PREFIX} 2>/dev/null)}")
      rows=("${(@)rows//\\\\/\\\\\\\\}")
      rows=("${(@)rows//:/\\\\:}")
      rows=("${(@)rows/$'\\t'/:}")
      _describe -t $1 $1 rows
    }

    _bitpal() {
      local curcontext=$curcontext state line
      local -A opt_args
      local -a everywhere commands
      everywhere=(
    \(table.everywhere.flatMap(specifications).map { "    \($0)" }.joined(separator: "\n"))
      )
      _arguments -C -S "${everywhere[@]}" '1: :->command' '*::: :->argument'
      case $state in
        command)
          commands=(
    \(firstWords)
          )
          _describe -t commands command commands
          ;;
        argument)
          words=($line[1] "${words[@]}")
          ((CURRENT += 1))
          curcontext=${curcontext%:*:*}:bitpal-$line[1]:
          case $line[1] in
    \(table.shown.filter { $0.words.count == 1 }.map { arguments(of: $0, word: $0.name) }.joined(separator: "\n"))
    \(table.groups.map { "        \($0.name)) _bitpal_\($0.name) ;;" }.joined(separator: "\n"))
          esac
          ;;
      esac
    }

    \(table.groups.map(function).joined(separator: "\n"))
    if [[ $funcstack[1] == _bitpal ]]; then
      _bitpal "$@"
    else
      compdef _bitpal bitpal
    fi

    """
  }

  private var firstWords: String {
    table.firstWords.map { word in
      return "        " + described(word, table.summary(ofFirstWord: word))
    }.joined(separator: "\n")
  }

  private func function(_ group: CommandGroup) -> String {
    let commands = table.commands(of: group)
    let words = commands.map { "        " + described($0.words.last ?? "", $0.summary) }
    let cases = commands.map { arguments(of: $0, word: $0.words.last ?? "") }
    return """
      _bitpal_\(group.name)() {
        local curcontext=$curcontext state line
        local -A opt_args
        local -a commands
        _arguments -C -S "${everywhere[@]}" '1: :->command' '*::: :->argument'
        case $state in
          command)
            commands=(
      \(words.joined(separator: "\n"))
            )
            _describe -t commands command commands
            ;;
          argument)
            words=($line[1] "${words[@]}")
            ((CURRENT += 1))
            case $line[1] in
      \(cases.joined(separator: "\n"))
            esac
            ;;
        esac
      }

      """
  }

  /// The branch that completes a command's own arguments.
  private func arguments(of command: CommandSpec, word: String) -> String {
    // What the command describes itself is taken out of what is everywhere, or it would be offered twice.
    var everywhere = "\"${everywhere[@]}\""
    for option in command.options where table.everywhere.contains(where: { $0.name == option.name }) {
      everywhere = "\"${(@)everywhere:#*\(option.name.spelling)*}\""
    }
    var words = ["_arguments -S", everywhere] + command.options.flatMap(specifications)
    words += command.completedOperands.map { operand in
      "'\(operand.isRepeated ? "*" : ""):\(escaped(operand.word)):\(action(operand.source))'"
    }
    return "        \(word))\n          " + words.joined(separator: " \\\n            ") + "\n          ;;"
  }

  /// The option as `_arguments` wants it: once for each spelling.
  private func specifications(_ option: OptionSpec) -> [String] {
    let value = CompletionSource(valueOf: option).map { ":\(escaped(option.valueWord ?? "")):\(action($0))" } ?? ""
    let help = "[\(escaped(option.help))]\(value)'"
    let long = option.name.spelling + (option.takesValue ? "=" : "")
    // The list before a spelling names what it excludes: the other spelling of itself.
    guard let short = option.short else { return ["'\(long)\(help)"] }
    let both = "'(-\(short) \(option.name.spelling))"
    return ["\(both)-\(short)\(option.takesValue ? "+" : "")\(help)", "\(both)\(long)\(help)"]
  }

  private func action(_ source: CompletionSource) -> String {
    switch source {
    case .nothing: " "
    case .files: "_files"
    case .words(let words): "(\(words.joined(separator: " ")))"
    case .asked(let words): " _bitpal_ask \(words.rawValue)"
    }
  }

  private func described(_ word: String, _ summary: String) -> String {
    ShellWord.quoted("\(word):\(summary)")
  }

  /// Without what `_arguments` or the quotes around it would take for its own.
  private func escaped(_ text: String) -> String {
    ShellWord.escaped(text).replacing(":", with: "\\:").replacing("[", with: "\\[")
      .replacing("]", with: "\\]")
  }
}
