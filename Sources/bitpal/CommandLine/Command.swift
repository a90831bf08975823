import BitpalConfig
import BitpalModel
import BitpalReplay
import BitpalService

/// Something the tool can do.
///
/// A command is a file: what is to be known about it, how it understands its words, what it does. It exists by its line in
/// `CommandList.swift`; parser, help, manual, completions and reference are made from there.
protocol Command: Sendable {
  /// How it is called, what it takes and what it is for.
  static var spec: CommandSpec { get }

  /// Understands the words after its name; no I/O yet.
  ///
  /// - Throws: ``BitpalError/usage(_:hint:)``.
  init(_ arguments: Invocation.Arguments) throws(BitpalError)

  /// Does it.
  ///
  /// - Throws: `BitpalError` when there is no answer at all.
  func run(_ session: Session) async throws -> ExitStatus
}

/// What every command is given: the options everywhere, the streams, the environment; and, when asked, what they lead to.
struct Session: Sendable {
  /// What was asked of every command.
  let options: GlobalOptions
  let console: Console

  /// Variables and folders; no command reads them past it.
  let environment: Environment

  /// Keeps what goes over the wire; nil unless something is being recorded.
  var recorder: ExchangeRecorder?

  /// The settings in force.
  ///
  /// Their warnings are told by the price service, or by ``tellWarnings(of:)``.
  ///
  /// - Throws: ``BitpalError/configuration(_:)`` or ``BitpalError/usage(_:hint:)``.
  func settings() throws(BitpalError) -> Settings {
    try settings(loader)
  }

  /// The same by another loader; what they say of people's clocks holds for every table from then on.
  func settings(_ loader: SettingsLoader) throws(BitpalError) -> Settings {
    let settings = try loader.load()
    console.zone.withLock { $0 = settings.timeZone }
    return settings
  }

  /// Tells what is odd about the settings, for commands that need no price service.
  ///
  /// - Parameter withheld: What settings that are not trusted say of what the command does, and do not get.
  func tellWarnings(of settings: Settings, withheld: [String]) {
    for warning in settings.warnings { console.warning(warning) }
    if let notice = settings.refusal(of: withheld) { console.warning(notice.description) }
  }

  /// Trusts the working folder anew after a command has changed its files, where it was trusted before.
  func renewTrust(in settings: Settings) throws(BitpalError) {
    guard settings.file?.discovery == .currentDirectory, settings.trust == .trusted,
      let content = try loader.content()
    else { return }
    try TrustedFolders(environment: environment).add(content)
  }

  /// Reads the settings.
  var loader: SettingsLoader {
    SettingsLoader(
      environment: environment,
      overrides: SettingsOverrides(
        configPath: options.config, provider: options.provider, currency: options.currency, timeZone: options.timeZone))
  }

  /// Everything the settings lead to.
  func assembly(_ settings: Settings) -> Assembly {
    Assembly(
      settings: settings, environment: environment, now: options.now, trace: trace,
      warn: { [console] in console.warning($0) }, recorder: recorder)
  }

  /// Writes an answer in the form asked for.
  func show(_ view: some View) throws(BitpalError) {
    try console.answer(view.text(options.format, style: console.style))
  }

  /// Writes the answer of a command that has changed something.
  ///
  /// A script that is told of a failure does the command again. So when only the answer fails, that is told on standard
  /// error and the command has succeeded.
  ///
  /// - Parameter change: What was done, in a word or a sentence.
  func confirm(_ view: some View, _ change: String) {
    do throws(BitpalError) { try show(view) } catch { console.answerLost(after: change, error) }
  }

  /// The same for a sentence.
  func confirm(_ fact: FactView) { confirm(fact, fact.sentence) }

  private var trace: Trace {
    options.isVerbose ? Trace { [console] in console.trace($0) } : .silent
  }
}
