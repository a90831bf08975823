import BitpalConfig
import BitpalOutput

/// The `bitpal trust list` command.
struct TrustListCommand: Command {
  static let name = "trust list"
  static let spec = CommandSpec(
    name, "the folders that are trusted, and which have changed",
    examples: [
      .init("trust list", "a line each"),
      .init("trust list --format json", "the same for a program"),
    ])

  init(_ arguments: Invocation.Arguments) {}

  func run(_ session: Session) throws -> ExitStatus {
    let folders = try TrustedFolders(environment: session.environment).all()
    let states = folders.map { folder -> (path: String, state: TrustOutput.State) in
      let content = (try? session.content(of: folder.path)) ?? nil
      return (folder.path, content.map { $0.digest == folder.digest ? .trusted : .changed } ?? .gone)
    }
    try session.show(TrustView(output: TrustOutput(states)))
    return .answered
  }
}

/// The trusted folders and their states.
struct TrustView: View {
  let output: TrustOutput

  func table(style: Style) -> String {
    var table = TextTable([.init("FOLDER", widest: 400, narrowest: 20), .init("STATE")])
    for folder in output.folders {
      table.add([.init(folder.path), .init(folder.state.rawValue, folder.state == .trusted ? .good : .warning)])
    }
    return table.text(style: style)
  }
}
