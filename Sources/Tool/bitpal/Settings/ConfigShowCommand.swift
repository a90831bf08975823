import BitpalConfig
import BitpalOutput

/// The `bitpal config show` command, which shows every value in force.
struct ConfigShowCommand: Command {
  static let name = "config show"
  static let spec = CommandSpec(
    name, "every setting in force, and its origin",
    details: ["Keys are shown only as set or not set."],
    examples: [
      .init("config show", "value and origin, line by line"),
      .init("config show --provider coingecko", "what a flag would change"),
    ])

  init(_ arguments: Invocation.Arguments) {}

  func run(_ session: Session) throws -> ExitStatus {
    let settings = try session.settings()
    session.showWarnings(of: settings, withheld: settings.withheldKeys)
    try session.show(ConfigView(settings))
    return .answered
  }
}

/// The values in force, with the origin of each.
struct ConfigView: View {
  let output: SettingsOutput
  private let widest: Int

  /// Shows the settings whose keys begin with `prefix`, by default all.
  init(_ settings: Settings, below prefix: String = "") {
    let entries = settings.entries.filter { $0.key.hasPrefix(prefix) }
    output = .settings(entries.map { ($0.key, $0.value, $0.origin.description) })
    widest = 400
  }

  /// Shows the values in force of a provider.
  ///
  /// Its queries are long, so a table cuts them at 80 columns; other formats carry them whole.
  init(provider entries: [SettingEntry]) {
    output = .provider(entries.map { ($0.key, $0.value, $0.origin.description) })
    widest = 80
  }

  func table(style: Style) -> String {
    var table = TextTable([
      .init("KEY", narrowest: 24), .init("VALUE", widest: widest, narrowest: 16), .init("ORIGIN", narrowest: 14),
    ])
    for entry in output.entries { table.add([.init(entry.key), .init(entry.value), .init(entry.origin, .quiet)]) }
    return table.text(style: style)
  }
}
