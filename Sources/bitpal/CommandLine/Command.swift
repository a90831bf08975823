import BitpalConfig
import BitpalModel
import BitpalReplay
import BitpalService

/// Something the tool can do.
///
/// A command is a file: what is to be known about it, how it understands its words, what it does. It exists by its line in
/// `CommandList.swift`; parser, help, manual, completions and reference are made from there.
protocol Command: Sendable {
  /// The words that call it: `price`, `config show`.
  static var name: String { get }

  /// The name, the operands and the purpose; made only when needed, because those of all commands cost more than
  /// reading the settings.
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

/// The context of every command: the global options, the streams, the environment; and, when needed, the settings and
/// the service.
struct Session: Sendable {
  /// The options of every command.
  let options: GlobalOptions
  let console: Console

  /// Variables and folders; no command reads them past it.
  let environment: Environment

  /// Keeps what goes over the wire; nil unless something is being recorded.
  var recorder: ExchangeRecorder?

  /// The network and the clock of a test; nil for those of the machine.
  var surroundings: Assembly.Surroundings?

  /// The warnings that were printed in this run; a command within a command shares them.
  var warned = Locked<Set<String>>([])

  /// The settings in force.
  ///
  /// What is odd about where they come from is told, once in a run.
  ///
  /// - Parameter isSilent: Whether it is not to be told: a status bar reads settings every few seconds.
  /// - Throws: ``BitpalError/configuration(_:)`` or ``BitpalError/usage(_:hint:)``.
  func settings(isSilent: Bool = false) throws(BitpalError) -> Settings {
    try settings(loader, isSilent: isSilent)
  }

  /// The same by another loader; what they say of people's clocks holds for every table from then on.
  func settings(_ loader: SettingsLoader, isSilent: Bool = false) throws(BitpalError) -> Settings {
    let settings = try loader.load()
    console.zone.withLock { $0 = settings.timeZone }
    for warning in settings.warnings {
      if isSilent { warned.withLock { _ = $0.insert(warning) } } else { warnOnce(warning) }
    }
    return settings
  }

  /// Warns of what was not warned of before in this run.
  private func warnOnce(_ text: String) {
    if warned.withLock({ $0.insert(text).inserted }) { console.warning(text) }
  }

  /// Prints warnings about the settings, for commands that need no price service.
  ///
  /// - Parameter withheld: The settings for this command that are not used because their file is not trusted.
  func tellWarnings(of settings: Settings, withheld: [String]) {
    if let notice = settings.refusal(of: withheld) { console.warning(notice.description) }
  }

  /// Trusts the working folder again after a command has changed its files, where it was trusted before and nothing else
  /// has changed.
  ///
  /// - Parameters:
  ///   - settings: The settings as the command read them.
  ///   - written: The files that the command wrote.
  func renewTrust(in settings: Settings, written: FolderContent.WrittenFile...) throws(BitpalError) {
    guard let before = settings.trustedContent, let content = try loader.content() else { return }
    if let changed = content.change(since: before, except: written) {
      console.warning(
        "\(changed.printable(limit: 200)) has changed meanwhile, so that the folder is trusted no longer; "
          + "look at it, then \"bitpal trust\"")
    } else {
      try TrustedFolders(environment: environment).renew(content, from: before)
    }
  }

  /// Reads the settings.
  var loader: SettingsLoader {
    SettingsLoader(
      environment: environment,
      overrides: SettingsOverrides(
        configPath: options.config, provider: options.provider, currency: options.currency, timeZone: options.timeZone))
  }

  /// Returns the services for the settings.
  ///
  /// - Parameter trace: Told the steps of every answer; nil for standard error.
  func assembly(_ settings: Settings, trace: Trace? = nil) -> Assembly {
    var assembly = Assembly(
      settings: settings, environment: environment, now: options.now, trace: trace ?? self.trace,
      warn: { warnOnce($0) }, recorder: recorder)
    assembly.surroundings = surroundings
    return assembly
  }

  /// Writes an answer in the form asked for.
  func show(_ view: some View) throws(BitpalError) {
    try console.answer(view.text(options.format, style: console.style))
  }

  /// Writes the answer of a command that has changed something.
  ///
  /// A script that sees a failure repeats the command. So when only the answer fails, that is reported on standard
  /// error and the command has succeeded.
  ///
  /// - Parameter change: The change, in a word or a sentence.
  func confirm(_ view: some View, _ change: String) {
    do throws(BitpalError) { try show(view) } catch { console.answerLost(after: change, error) }
  }

  /// The same for a sentence.
  func confirm(_ fact: FactView) { confirm(fact, fact.sentence) }

  /// Runs a command within the time that its options give the network and the wait for a budget.
  func withDeadline<Value>(_ body: () async throws -> Value) async throws -> Value {
    try await Deadline.independent(
      options.timeout ?? Deadline.standard,
      patience: options.patience(isAttended: console.isAttended), on: SystemTime(), body)
  }

  /// Runs one of several questions of a command within a time of its own, unless `--timeout` says how long all may take.
  func withOwnDeadline<Value>(_ body: () async throws -> Value) async throws -> Value {
    try await options.timeout == nil ? withDeadline(body) : body()
  }

  private var trace: Trace {
    options.isVerbose ? Trace { [console] in console.trace($0) } : console.progressTrace
  }
}
