/// The completion script for bash.
///
/// It needs bash 4 and nothing else, so it works without the package bash-completion.
///
/// Words that the tool was asked for come from coin lists and files of others. `compgen -W` *expands* its words, command
/// substitutions included, so it is given only words of our own; what was asked for is compared and quoted, never
/// evaluated.
struct BashCompletion {
  private let table: CommandTable

  init(_ table: CommandTable) {
    self.table = table
  }

  var text: String {
    """
    # Completion of bitpal for bash; made by "bitpal completion bash".

    _bitpal_ask() {
      local word rest
      while IFS=$'\\t' read -r word rest; do
        [[ $word == "$2"* ]] || continue
        printf -v word %q "$word"
        COMPREPLY+=("$word")
      done < <(command bitpal generate "$1" ${2:+"$2"} 2>/dev/null)
    }

    _bitpal_words() {
      mapfile -t COMPREPLY < <(compgen -W "$1" -- "$2")
    }

    _bitpal_files() {
      compopt -o filenames
      mapfile -t COMPREPLY < <(compgen -f -- "$1")
    }

    _bitpal() {
      local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} word command count i
      local -a typed=()
      COMPREPLY=()
      # bash splits --option=value into three words.
      [[ $cur == "=" ]] && cur=
      [[ $prev == "=" ]] && prev=${COMP_WORDS[COMP_CWORD - 2]}
      for ((i = 1; i < COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]}
        case $word in
          --) return ;;
          \(table.spellingsWithValue.joined(separator: " | ")))
            [[ ${COMP_WORDS[i + 1]} == "=" ]] && ((i++))
            ((i++))
            ;;
          -* | =) ;;
          *) typed+=("$word") ;;
        esac
      done
      command=${typed[0]}
      count=$((${#typed[@]} - 1))
      case $command in
        \(table.groups.map(\.name).joined(separator: " | ")))
          if ((count > 0)); then
            command+=" ${typed[1]}"
            ((count--))
          fi
          ;;
      esac
      case "$command $prev" in
    \(values)
      esac
      if [[ $cur == -* ]]; then
        case $command in
    \(options)
        esac
        return
      fi
      if ((${#typed[@]} == 0)); then
        _bitpal_words "\(table.firstWords.joined(separator: " "))" "$cur"
        return
      fi
      case "$command $count" in
    \(operands)
      esac
    }

    complete -F _bitpal bitpal

    """
  }

  private var values: String {
    var lines: [String] = []
    func add(_ option: OptionSpec, of command: String) {
      guard let action = CompletionSource(valueOf: option).map(action) else { return }
      lines.append(
        "    " + option.spellings.map { "\(command)\" \($0)\"" }.joined(separator: " | ") + ") \(action); return ;;")
    }
    // What a command has of its own goes before what is everywhere.
    for command in table.shown {
      for option in command.options { add(option, of: "\"\(command.name)\"") }
    }
    for option in table.everywhere { add(option, of: "*") }
    return lines.joined(separator: "\n")
  }

  private var options: String {
    let everywhere = table.everywhere.map(\.name.spelling)
    let lines = table.shown.filter { !$0.options.isEmpty }.map { command in
      let own = command.options.map(\.name.spelling)
      let words = own + everywhere.filter { !own.contains($0) }
      return "      \"\(command.name)\") _bitpal_words \"\(words.joined(separator: " "))\" \"$cur\" ;;"
    }
    return (lines + ["      *) _bitpal_words \"\(everywhere.joined(separator: " "))\" \"$cur\" ;;"])
      .joined(separator: "\n")
  }

  private var operands: String {
    var lines = table.groups.map { group in
      let words = table.commands(of: group).compactMap(\.words.last)
      return "    \"\(group.name) 0\") _bitpal_words \"\(words.joined(separator: " "))\" \"$cur\" ;;"
    }
    lines.append("    \"help 0\") _bitpal_words \"\(table.firstWords.joined(separator: " "))\" \"$cur\" ;;")
    for command in table.shown {
      for (index, operand) in command.completedOperands.enumerated() where operand.source != .nothing {
        let count = operand.isRepeated ? "\"*" : "\(index)\""
        lines.append("    \"\(command.name) \(count)) \(action(operand.source)) ;;")
      }
    }
    return lines.joined(separator: "\n")
  }

  private func action(_ source: CompletionSource) -> String {
    switch source {
    case .nothing: ":"
    case .files: "_bitpal_files \"$cur\""
    case .words(let words): "_bitpal_words \"\(words.joined(separator: " "))\" \"$cur\""
    case .asked(let words): "_bitpal_ask \(words.rawValue) \"$cur\""
    }
  }
}
