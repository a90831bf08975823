import BitpalModel

@testable import bitpal

/// The example in the comment of `Command`; in a file without Testing, which has an `ExitStatus` too.
struct GreetCommand: Command {
  static let name = "greet"
  static let spec = CommandSpec(name, "greet a coin", operands: .one("COIN"), examples: [.init("greet bitcoin", "")])
  let coin: String

  init(_ arguments: Invocation.Arguments) throws(BitpalError) { coin = try arguments.onlyOperand("COIN") }

  func run(_ session: Session) throws -> ExitStatus {
    try session.console.answer("Hello, \(coin)\n")
    return .answered
  }
}
