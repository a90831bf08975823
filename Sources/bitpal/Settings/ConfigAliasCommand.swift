import BitpalConfig
import BitpalModel
import BitpalOutput
import BitpalService

/// What `bitpal config alias NAME COIN` does: it adds the alias to the settings file in force.
struct ConfigAliasCommand: Command {
  static let spec = CommandSpec(
    "config alias", "add a short name for a coin to the settings file", operands: .exactly(["NAME", "COIN"]),
    details: [
      "The file in force is changed by that one entry under aliases:; its comments and layout stay. A file that would "
        + "not read as expected afterwards is left as it is."
    ],
    examples: [.init("config alias usdt tether", "usdt means tether from now on, although others share the symbol")])

  private let name: String
  private let coin: String
  private let policy: FetchPolicy

  init(_ arguments: Invocation.Arguments) throws(BitpalError) {
    guard let name = arguments.operands.first, let coin = arguments.operands.last else {
      throw .usage("config alias needs NAME COIN")
    }
    // Aliases are looked up in lower case.
    self.name = name.lowercased()
    self.coin = coin
    policy = arguments.options.policy
  }

  func run(_ session: Session) async throws -> ExitStatus {
    try session.console.checkOutput()
    let settings = try session.settings()
    guard let file = settings.file else {
      throw BitpalError.usage(
        "there is no settings file to add an alias to", hint: "\"bitpal config init\" writes one")
    }
    try settings.demandTrust(for: "aliases")
    // The id is written, so that the alias means this coin also when another one takes the ticker.
    let coin = try await session.assembly(settings).priceService().resolve(coin, policy: policy)
    let edit = try AliasEditor(file: file.name).add(name, for: coin, in: file.path)
    // The change is the user's own: a folder that was trusted stays so.
    try session.renewTrust(in: settings)
    session.confirm(
      FactView(
        sentence(edit.previous, coin, file.name),
        .aliasAdded(name, coin: coin, previous: edit.previous, file: file.path)))
    return .answered
  }

  private func sentence(_ previous: String?, _ coin: String, _ file: String) -> String {
    let name = name.printable(limit: 80)
    let coin = coin.printable(limit: 80)
    switch previous {
    case nil: return "added to \(file): \(name) is \(coin)"
    case coin?: return "\(file) says so already: \(name) is \(coin)"
    case let previous?: return "changed in \(file): \(name) is \(coin), and no longer \(previous.printable(limit: 80))"
    }
  }
}
