import BitpalModel

/// The `bitpal completion` command, which prints the completion script of a shell.
struct CompletionCommand: Command {
  static let name = "completion"
  static let spec = CommandSpec(
    name, "print a script that completes commands, options and coins", operands: .one("bash|zsh|fish"),
    details: [
      "Prints a script. Coins are completed from the cached coin list and the aliases, never from the network; "
        + "\"bitpal search\" fills the list.",
      "For bash: add  eval \"$(bitpal completion bash)\"  to ~/.bashrc. For zsh: write it to a file _bitpal in a folder "
        + "of $fpath. For fish: write it to ~/.config/fish/completions/bitpal.fish. \"make install\" does all three.",
    ],
    examples: [
      .init("completion bash", "a script for bash"),
      .init("completion fish > ~/.config/fish/completions/bitpal.fish", "for fish, for good"),
    ])

  private let text: String

  init(_ arguments: Invocation.Arguments) throws(BitpalError) {
    let shell = try arguments.onlyOperand("bash|zsh|fish")
    guard let script = CompletionScript(rawValue: shell) else {
      throw .usage("no completion for \"\(shell)\"", hint: "the shells are bash, zsh and fish")
    }
    text = script.text
  }

  func run(_ session: Session) throws -> ExitStatus {
    try session.console.answer(text)
    return .answered
  }
}
