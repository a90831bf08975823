import Bitpal
import BitpalConfig
import BitpalModel
import BitpalOutput
import BitpalQueries

/// The `bitpal config alias` command, which lists the aliases, or sets or removes one in the preferences.
struct ConfigAliasCommand: Command {
  static let name = "config alias"
  static let spec = CommandSpec(
    name, "short names for coins: list them, set one, remove one", operands: .any("NAME COIN"),
    options: [ParameterSpec("remove", .flag, "remove the alias NAME")],
    details: [
      "An alias goes to preferences.yaml beside the settings file, or in the user's folder where no settings file "
        + "exists. That file is bitpal's own: it is sorted, replaced whole, and read after the settings, so an alias in both "
        + "means what preferences.yaml says. The settings file itself is never changed.",
      "Without operands every alias in force is listed with its origin.",
    ],
    examples: [
      .init("config alias usdt tether", "usdt means tether from now on, although others share the symbol"),
      .init("config alias usdt --remove", "no longer"),
      .init("config alias", "all aliases, and where they are written"),
    ])

  /// The action on the aliases.
  private enum Action: Sendable {
    case list
    case set(String, coin: String)
    case remove(String)
  }

  private let action: Action
  private let policy: FetchPolicy

  init(_ arguments: Invocation.Arguments) throws(BitpalError) {
    // Aliases are looked up in lower case.
    let name = arguments.operands.first?.lowercased() ?? ""
    switch (arguments.operands.count, arguments.raw.has("remove")) {
    case (0, false): action = .list
    case (1, true) where !name.isEmpty: action = .remove(name)
    case (2, false) where ["remove", "rm", "delete", "unset"].contains(name):
      throw .usage("\(name) is a verb", hint: "did you mean \"bitpal config alias \(arguments.operands[1]) --remove\"?")
    case (2, false) where ["add", "set", "list", "show"].contains(name):
      throw .usage(
        "\(name) is a verb", hint: "\"bitpal config alias NAME COIN\" sets one, without NAME COIN all are listed")
    case (2, false) where !name.isEmpty: action = .set(name, coin: arguments.operands[1])
    default:
      throw .usage(
        "config alias needs NAME COIN, or NAME --remove", hint: "for example: bitpal config alias usdt tether")
    }
    policy = arguments.options.policy
  }

  func run(_ session: Session) async throws -> ExitStatus {
    try session.console.checkOutput()
    let settings = try session.settings()
    switch action {
    case .list:
      session.showWarnings(of: settings, withheld: settings.withheldKeys)
      try session.show(ConfigView(settings, below: "aliases."))
      return .answered
    case .set(let name, let coin):
      try settings.demandTrust(for: "aliases")
      // The id is written, so that the alias means this coin even if another one takes the ticker later.
      let coin = try await session.assembly(settings).priceService().resolve(coin, policy: policy)
      let (file, replaced) = try change(name, to: coin, settings, session)
      // An alias of the settings file with the same meaning changes nothing.
      let previous = replaced ?? settings.aliases[name].flatMap { $0 == coin ? nil : $0 }
      session.confirm(
        FactView(
          sentence(name, previous, coin, file.name),
          DoneOutput(
            Self.name, about: name,
            ["coin": coin, "previous": previous, "file": file.path])))
    case .remove(let name):
      try settings.demandTrust(for: "aliases")
      let (file, previous) = try change(name, to: nil, settings, session)
      guard let previous else { throw missing(name, in: file, settings) }
      session.confirm(
        FactView(
          "removed from \(file.name): \(name.printable(limit: 80)), which was \(previous.printable(limit: 80))",
          DoneOutput(
            Self.name, about: name, ["coin": String?.none, "previous": previous, "file": file.path])))
    }
    return .answered
  }

  /// Changes an alias in the preferences, and keeps the folder trusted, because the change is the user's own.
  private func change(
    _ name: String, to coin: String?, _ settings: Settings, _ session: Session
  ) throws(BitpalError) -> (file: SettingsFile, previous: String?) {
    guard let file = settings.preferences else {
      throw .dataFile(path: "preferences.yaml", reason: "HOME is not set, so the folder for it is unknown")
    }
    let change = try PreferencesFile(file).set(["aliases", name], to: coin)
    if let after = change.after {
      try session.renewTrust(in: settings, written: .init(file.path, before: change.before, after: after))
    }
    return (file, change.previous)
  }

  private func missing(_ name: String, in file: SettingsFile, _ settings: Settings) -> BitpalError {
    let shown = name.printable(limit: 80)
    if let entry = settings.entries.first(where: { $0.key.lowercased() == "aliases.\(name)" }) {
      return .usage("\(shown) is an alias in \(entry.origin), which this command does not change; remove it there")
    }
    let nearest = NearestName.match(name, among: settings.aliases.keys.sorted())
    return .usage("\(file.name) has no alias \(shown)", hint: nearest.map { "did you mean \"\($0)\"?" })
  }

  private func sentence(_ name: String, _ previous: String?, _ coin: String, _ file: String) -> String {
    let name = name.printable(limit: 80)
    let coin = coin.printable(limit: 80)
    switch previous?.printable(limit: 80) {
    case nil: return "added to \(file): \(name) is \(coin)"
    case coin?: return "\(file) says so already: \(name) is \(coin)"
    case let previous?: return "changed in \(file): \(name) is \(coin), and no longer \(previous)"
    }
  }
}
