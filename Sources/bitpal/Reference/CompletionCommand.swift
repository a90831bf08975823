import BitpalModel

/// What `bitpal completion` does.
struct CompletionCommand: Command {
  private let text: String

  init(_ arguments: Invocation.Arguments) throws(BitpalError) {
    let shell = try arguments.onlyOperand("bash|zsh|fish")
    switch shell {
    case "bash": text = BashCompletion(.bitpal).text
    case "zsh": text = ZshCompletion(.bitpal).text
    case "fish": text = FishCompletion(.bitpal).text
    default:
      throw .usage("there is no completion for \"\(shell)\"", hint: "there is one for bash, zsh and fish")
    }
  }

  func run(_ session: Session) throws -> ExitStatus {
    try session.console.answer(text)
    return .answered
  }
}
