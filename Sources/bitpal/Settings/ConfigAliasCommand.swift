import BitpalConfig
import BitpalModel
import BitpalOutput
import BitpalQueries
import BitpalService

/// The `bitpal config alias NAME COIN` command, which adds an alias to the settings file in force, or removes it.
struct ConfigAliasCommand: Command {
  static let name = "config alias"
  static let spec = CommandSpec(
    name, "add a short name for a coin to the settings, or remove one", operands: .some("NAME COIN"),
    options: [ParameterSpec("remove", .flag, "remove the alias NAME")],
    details: [
      "The file in force is changed by that one entry under aliases:; its comments and layout stay. A file that would "
        + "not read as expected afterwards is left as it is. Without a file, the user's own is created."
    ],
    examples: [
      .init("config alias usdt tether", "usdt means tether from now on, although others share the symbol"),
      .init("config alias usdt --remove", "no longer"),
    ])

  /// The change of an alias.
  private enum Change: Sendable {
    case add(coin: String)
    case remove
  }

  private let name: String
  private let change: Change
  private let policy: FetchPolicy

  init(_ arguments: Invocation.Arguments) throws(BitpalError) {
    let isRemoval = arguments.raw.has("remove")
    guard let name = arguments.operands.first, arguments.operands.count == (isRemoval ? 1 : 2) else {
      throw .usage(
        "config alias needs NAME COIN, or NAME --remove", hint: "for example: bitpal config alias usdt tether")
    }
    // Aliases are looked up in lower case.
    self.name = name.lowercased()
    change = isRemoval ? .remove : .add(coin: arguments.operands[1])
    policy = arguments.options.policy
  }

  func run(_ session: Session) async throws -> ExitStatus {
    try session.console.checkOutput()
    let settings = try session.settings()
    switch change {
    case .add(let coin):
      try settings.demandTrust(for: "aliases")
      // The id is written, so that the alias means this coin even if another one takes the ticker later.
      let coin = try await session.assembly(settings).priceService().resolve(coin, policy: policy)
      let file = try settings.file ?? session.loader.beginFile(isNew: false)
      let edit = try AliasEditor(file: file.name).add(name, for: coin, in: file.path)
      // The change is the user's own, so a folder that was trusted stays trusted.
      try session.renewTrust(
        in: settings, written: .init(file.path, before: edit.original, after: Array(edit.text.utf8)))
      session.confirm(
        FactView(
          sentence(edit.previous, coin, file.name),
          .aliasAdded(name, coin: coin, previous: edit.previous, file: file.path)))
    case .remove:
      guard let file = settings.file else {
        throw BitpalError.usage("no settings file exists, so \(name.printable(limit: 80)) is not an alias")
      }
      try settings.demandTrust(for: "aliases")
      let edit = try AliasEditor(file: file.name).remove(name, in: file.path)
      guard let previous = edit.previous else {
        let nearest = NearestName.match(name, among: settings.aliases.keys.sorted())
        throw BitpalError.usage(
          "\(file.name) has no alias \(name.printable(limit: 80))", hint: nearest.map { "did you mean \"\($0)\"?" })
      }
      try session.renewTrust(
        in: settings, written: .init(file.path, before: edit.original, after: Array(edit.text.utf8)))
      session.confirm(
        FactView(
          "removed from \(file.name): \(name.printable(limit: 80)), which was \(previous.printable(limit: 80))",
          .aliasRemoved(name, previous: previous, file: file.path)))
    }
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
