import Bitpal
import BitpalConfig
import BitpalJSON
import BitpalModel
import BitpalOutput
import BitpalQueries

/// The `bitpal config get KEY` command, which prints one value in force.
struct ConfigGetCommand: Command {
  static let name = "config get"
  static let spec = CommandSpec(
    name, "the value of one setting", operands: .one("KEY"),
    details: ["KEY is one of \"config show\"; a part of it, such as cache, shows all below it."],
    examples: [.init("config get currency", "the value alone"), .init("config get cache", "all values of a part")])

  private let key: String

  init(_ arguments: Invocation.Arguments) throws(BitpalError) { key = try arguments.onlyOperand("KEY") }

  func run(_ session: Session) throws -> ExitStatus {
    let settings = try session.settings()
    if let entry = settings.entries.first(where: { $0.key == key }), session.options.format == .table {
      try session.console.answer(entry.value.printable() + "\n")
      return .answered
    }
    let keys = settings.entries.map(\.key)
    guard keys.contains(where: { $0 == key || $0.hasPrefix(key + ".") }) else {
      throw BitpalError.unknownSetting(key, keys)
    }
    try session.show(ConfigView(settings, below: keys.contains(key) ? key : key + "."))
    return .answered
  }
}

/// The `bitpal config set KEY VALUE` command, which writes a setting to the preferences.
struct ConfigSetCommand: Command {
  static let name = "config set"
  static let spec = CommandSpec(
    name, "change a setting", operands: .exactly(["KEY", "VALUE"]),
    details: [
      "The value goes to preferences.yaml beside the settings file, or in the user's folder where no settings file "
        + "exists. That file is read after the settings, so its values count; the settings file itself is never "
        + "changed. A value that the settings could not have is refused, and nothing is written; so is a currency that "
        + "no source of the settings has.",
      "Several providers are separated by commas: config set provider coingecko,kraken.",
    ],
    examples: [
      .init("config set currency eur", "prices in euros from now on"),
      .init("config set chart.default_range 1W", "the range of charts"),
      .init("config set provider coingecko,kraken", "kraken where coingecko does not answer"),
    ])

  private let key: String
  private let value: String

  init(_ arguments: Invocation.Arguments) {
    (key, value) = (arguments.operands[0], arguments.operands[1])
  }

  func run(_ session: Session) throws -> ExitStatus {
    try PreferenceChange(session).set(key, to: value)
    return .answered
  }
}

/// The `bitpal config unset KEY` command, which removes a setting from the preferences.
struct ConfigUnsetCommand: Command {
  static let name = "config unset"
  static let spec = CommandSpec(
    name, "remove a setting that config set has written", operands: .one("KEY"),
    examples: [.init("config unset currency", "what the settings or the default say again")])

  private let key: String

  init(_ arguments: Invocation.Arguments) throws(BitpalError) { key = try arguments.onlyOperand("KEY") }

  func run(_ session: Session) throws -> ExitStatus {
    try PreferenceChange(session).set(key, to: nil)
    return .answered
  }
}

/// A change of the preferences by a command.
struct PreferenceChange {
  private let session: Session
  private let settings: Settings

  /// Creates a change for the settings in force.
  ///
  /// - Throws: `BitpalError` for settings that are invalid.
  init(_ session: Session) throws(BitpalError) {
    self.session = session
    settings = try session.settings()
  }

  /// Sets or removes a setting, and reports the file.
  ///
  /// - Throws: ``BitpalError/usage(_:hint:)`` for an unknown setting and for a value that it cannot have; the file is
  ///   unchanged then.
  func set(_ key: String, to value: String?) throws {
    try session.console.checkOutput()
    try settings.demandTrust(for: "settings")
    guard let file = settings.preferences else {
      throw BitpalError.dataFile(path: "preferences.yaml", reason: "HOME is not set, so the folder for it is unknown")
    }
    guard PreferencesFile.keys.contains(key) else {
      throw BitpalError.unknownSetting(key, Array(PreferencesFile.keys).sorted())
    }
    let previous = settings.entries.first { $0.key == key }?.value
    var value = value
    // A list as "config get" writes it.
    if PreferencesFile.lists.contains(key), let text = value, text.hasPrefix("["), text.hasSuffix("]") {
      value = String(text.dropFirst().dropLast()).replacing(", ", with: ",")
    }
    try check(value ?? "", of: key)
    let doubt = key == "currency" ? try value.flatMap(doubt(aboutCurrency:)) : nil
    let change = try PreferencesFile(file).set(key.split(separator: ".").map(String.init), to: value) {
      bytes throws(BitpalError) in try session.loader.check(preferences: bytes)
    }
    if let after = change.after {
      try session.renewTrust(in: settings, written: .init(file.path, before: change.before, after: after))
    }
    let name = file.name
    let sentence: String
    switch (value, change.previous) {
    case (nil, nil):
      throw BitpalError.usage("\(name) has no \(key)", hint: "\"bitpal config show\" says where it comes from")
    case (nil, let old?): sentence = "removed from \(name): \(key), which was \(old.printable(limit: 80))"
    case (let new?, let old) where new == old:
      sentence = "\(name) says so already: \(key) is \(new.printable(limit: 80))"
    case (let new?, _):
      sentence = "\(name): \(key) is \(new.printable(limit: 80))" + (previous.map { ", and no longer \($0)" } ?? "")
    }
    session.confirm(
      FactView(
        sentence,
        DoneOutput("config set", about: key, ["value": value, "previous": change.previous, "file": file.path])))
    if let doubt { session.console.warning(doubt) }
  }

  /// Refuses ids that no provider has, and a cache that is too small for its tables.
  private func check(_ value: String, of key: String) throws(BitpalError) {
    if key == "cache.disk", let bytes = ByteSize(value)?.bytes, bytes < 512 << 10 {
      throw .usage("cache.disk must be at least 512KiB, not \(value.printable(limit: 40))")
    }
    guard PreferencesFile.lists.contains(key) else { return }
    let catalog = ProviderCatalog(settings: settings)
    for id in value.split(separator: ",") where key != "convert" || id != "none" {
      do {
        _ = try catalog.provider(for: String(id))
      } catch .configuration(let issues) {
        throw .configuration(
          issues.map { $0.file == "provider" ? ConfigurationIssue(file: key, message: $0.message) : $0 })
      }
    }
  }

  /// Returns a warning about a currency that the sources in force do not name; nil for one in which prices are expected.
  ///
  /// - Throws: ``BitpalError/usage(_:hint:)`` for one in which no price can be expected.
  private func doubt(aboutCurrency text: String) throws(BitpalError) -> String? {
    // The check of the file refuses what is not a code, and a bad provider file says so at each price.
    guard let code = Currency.normalized(text), let service = try? session.assembly(settings).priceService() else {
      return nil
    }
    let prospect = service.prospect(ofPricesIn: code)
    if let refusal = prospect.refusal(of: code) { throw refusal }
    guard case .doubtful(let sources) = prospect else { return nil }
    // A code near a currency's is taken for a typing error, even where the sources do not list their currencies.
    if !CurrencyCoin.isKnownUnit(code), CurrencyCoin.nearest(to: code) != nil,
      let refusal = CurrencyProspect.none(sources: sources).refusal(of: code)
    {
      throw refusal
    }
    return "\(sources.joined(separator: ", ")) may not answer in \(code); \"bitpal price bitcoin\" shows it"
  }
}

extension PreferenceChange {
  /// Remembers the type of chart that was chosen at a terminal, in the user's own preferences; a failure changes nothing.
  ///
  /// Preferences beside settings that were found in the working folder are not written by a chart.
  static func remember(_ type: ChartType, _ settings: Settings, _ session: Session) {
    guard settings.file?.discovery != .currentDirectory, let file = settings.preferences,
      type != settings.chart.lastType ?? settings.chart.defaultType,
      (try? PreferencesFile(file).set(["chart", "last_type"], to: type.rawValue)) != nil
    else { return }
    session.console.notice("\(type.plural) are the default at a terminal from now on; --type changes it")
  }
}

extension BitpalError {
  /// Returns the error of a setting that does not exist, or cannot be set.
  fileprivate static func unknownSetting(_ key: String, _ keys: [String]) -> BitpalError {
    let isKey = key.lowercased().contains("key") || key.lowercased().contains("token")
    let nearest =
      NearestName.match(key, among: keys).map { "did you mean \"\($0)\"?" }
      ?? (key.hasPrefix("alias") ? "names of coins are set as in \"bitpal config alias xx bitcoin\"" : nil)
      ?? (isKey ? "keys are variables such as COINGECKO_API_KEY; \"bitpal doctor\" shows which are set" : nil)
    return .usage(
      "unknown setting \"\(key.printable(limit: 80))\"",
      hint: nearest ?? "there are: \(keys.prefix(24).joined(separator: ", "))")
  }
}
