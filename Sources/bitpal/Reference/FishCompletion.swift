/// The completion script for fish.
struct FishCompletion {
  private let table: CommandTable

  init(_ table: CommandTable) {
    self.table = table
  }

  var text: String {
    let commands = table.firstWords.map { word in
      return line("__bitpal_at 0", "-a \(word)", table.summary(ofFirstWord: word))
    }
    let members = table.groups.flatMap { group in
      table.commands(of: group).map { command in
        line("__bitpal_at 0 \(group.name)", "-a \(command.words.last ?? "")", command.summary)
      }
    }
    let parts = [
      Self.functions(table.spellingsWithValue.joined(separator: " ")), "complete -c bitpal -f",
      commands.joined(separator: "\n"),
      members.joined(separator: "\n"), table.everywhere.map { option($0, condition: nil) }.joined(separator: "\n"),
      table.shown.filter { !$0.options.isEmpty || !$0.completedOperands.isEmpty }.map(command)
        .filter { !$0.isEmpty }.joined(separator: "\n"),
    ]
    return parts.joined(separator: "\n\n") + "\n"
  }

  /// What fish is given besides its words: to it `--option=value` is one word, which bash and zsh take apart
  /// themselves.
  private static func functions(_ valueOptions: String) -> String {
    """
    # Completion of bitpal for fish; made by "bitpal completion fish".

    # What the tool has to offer for the word under the cursor.
    function __bitpal_ask
        command bitpal generate $argv (commandline -ct | string replace -r '^--[^=]*=' '' | string match -r '.+') 2>/dev/null
    end

    # The words typed so far that are neither options nor their values.
    function __bitpal_typed
        set -l is_value 0
        for token in (commandline -opc)[2..-1]
            if test $is_value = 1
                set is_value 0
                continue
            end
            switch $token
                case \(valueOptions)
                    set is_value 1
                case '-*'
                case '*'
                    echo -- $token
            end
        end
    end

    # Whether the words typed so far are these.
    function __bitpal_in
        set -l typed (__bitpal_typed)
        set -l count (count $argv)
        test (count $typed) -ge $count; and test "$typed[1..$count]" = "$argv"
    end

    # Whether they are these and so many more.
    function __bitpal_at
        set -l typed (__bitpal_typed)
        test (count $typed) = (math (count $argv) - 1 + $argv[1]); or return 1
        test (count $argv) = 1; or __bitpal_in $argv[2..-1]
    end
    """
  }

  private func command(_ command: CommandSpec) -> String {
    var lines = command.options.map { option($0, condition: "__bitpal_in \(command.name)") }
    for (index, operand) in command.completedOperands.enumerated() where operand.source != .nothing {
      let name = command.name
      let condition = operand.isRepeated ? "__bitpal_in \(name)" : "__bitpal_at \(index) \(name)"
      lines.append("complete -c bitpal -n '\(condition)' \(words(operand.source))")
    }
    return lines.joined(separator: "\n")
  }

  private func option(_ option: OptionSpec, condition: String?) -> String {
    var words = option.short.map { "-s \($0) " } ?? ""
    words += "-l \(option.name.rawValue)"
    switch CompletionSource(valueOf: option) {
    case nil: break
    case .files: words += " -r -F"
    case .nothing: words += " -x"
    case let source?: words += " -x \(self.words(source))"
    }
    return line(condition, words, option.help)
  }

  private func words(_ source: CompletionSource) -> String {
    switch source {
    case .nothing: ""
    case .files: "-F"
    case .words(let words): "-a '\(words.joined(separator: " "))'"
    case .asked(let words): "-a '(__bitpal_ask \(words.rawValue))'"
    }
  }

  private func line(_ condition: String?, _ words: String, _ help: String) -> String {
    let condition = condition.map { "-n '\($0)' " } ?? ""
    let help = help.replacing("\\", with: "\\\\").replacing("'", with: "\\'")
    return "complete -c bitpal \(condition)\(words) -d '\(help)'"
  }
}
