import BitpalConfig
import BitpalJSON
import BitpalModel
import BitpalOutput

/// What `bitpal trust remove [FOLDER]` does.
struct TrustRemoveCommand: Command {
  static let spec = CommandSpec(
    "trust remove", "trust a folder no longer", operands: .optional("FOLDER"),
    details: ["FOLDER is the working folder by default; it need not be there any more."],
    examples: [.init("trust remove", "the working folder"), .init("trust remove ~/prices", "another one")])

  private let folder: String?

  init(_ arguments: Invocation.Arguments) {
    folder = arguments.operands.first
  }

  func run(_ session: Session) throws -> ExitStatus {
    let folder = session.folder(folder)
    guard try TrustedFolders(environment: session.environment).remove(folder) else {
      throw BitpalError.usage("\(folder) is not trusted", hint: "\"bitpal trust list\" shows what is")
    }
    try session.show(
      FactView("trusted no longer: \(folder)", .trustRemoved(folder: folder)))
    return .answered
  }
}
