import Bitpal
import BitpalConfig
import BitpalModel
import BitpalNetwork
import BitpalReplay

/// A command of the tool.
///
/// Each command has a file with its description, its parsing and its action. It exists by its line in
/// `CommandList.swift`; the parser, help, manual, completions and reference are derived from there.
///
/// ```swift
/// struct GreetCommand: Command {
///   static let name = "greet"
///   static let spec = CommandSpec(name, "greet a coin", operands: .one("COIN"), examples: [.init("greet bitcoin", "")])
///   let coin: String
///
///   init(_ arguments: Invocation.Arguments) throws(BitpalError) { coin = try arguments.onlyOperand("COIN") }
///
///   func run(_ session: Session) throws -> ExitStatus {
///     try session.console.answer("Hello, \(coin)\n")
///     return .answered
///   }
/// }
/// ```
protocol Command: Sendable {
  /// The words that call the command, such as `price` or `config show`.
  static var name: String { get }

  /// The name, the operands and the purpose; created only when needed, because those of all commands take longer than
  /// reading the settings.
  static var spec: CommandSpec { get }

  /// Parses the words after the name, without I/O.
  ///
  /// - Throws: ``BitpalError/usage(_:hint:)`` for words that the command does not accept.
  init(_ arguments: Invocation.Arguments) throws(BitpalError)

  /// Runs the command, and returns the exit status.
  ///
  /// - Throws: `BitpalError` without an answer.
  func run(_ session: Session) async throws -> ExitStatus
}

/// The context of every command: the global options, the streams, the environment; and, when needed, the settings and
/// the service.
struct Session: Sendable {
  /// The options of every command.
  let options: GlobalOptions
  let console: Console

  /// The variables and folders; commands read them only here.
  let environment: Environment

  /// The recorder of requests and responses; nil without a recording.
  var recorder: ExchangeRecorder?

  /// The network and the clock of a test; nil for those of the machine.
  var surroundings: Assembly.Surroundings?

  /// The warnings that were printed in this run; a command within a command shares them.
  var warned = Locked<Set<String>>([])

  /// The settings that this run has read; a command within a command shares them.
  private let known = Locked<Settings?>(nil)

  /// Whether texts for people keep to ASCII.
  var wantsASCII: Bool { console.wantsASCII }

  /// The marks of numbers in tables: those of `--locale`, otherwise those of a locale that `LC_ALL` or `LC_NUMERIC` names.
  ///
  /// `LANG` alone does not count, because scripts read tables in spite of all advice.
  var marks: DigitMarks {
    guard options.format == .table else { return .standard }
    let named = ["LC_ALL", "LC_NUMERIC"].lazy.compactMap { environment.value($0) }.first { !$0.isEmpty }
    return options.marks ?? named.flatMap(DigitMarks.of(locale:)) ?? .standard
  }

  /// Whether the answer is a text for people at a terminal.
  var isAttended: Bool { console.isTerminal && options.format == .table }

  /// The number of rows of a list that fit the screen below its head; nil without a terminal, and for other formats than
  /// a table.
  var screenRows: Int? {
    guard isAttended else { return nil }
    // The line of sources, an empty one, the titles, a notice and the prompt.
    return TerminalSize.current { environment.value($0) }.map { max(5, $0.rows - 6) }
  }

  /// Returns the settings in force, which are read once per run: what is trusted is what was looked at.
  ///
  /// Warnings about the settings file are printed once per run.
  ///
  /// - Parameter isSilent: Whether warnings are suppressed: a status bar reads settings every few seconds.
  /// - Throws: ``BitpalError/configuration(_:)`` or ``BitpalError/usage(_:hint:)``.
  func settings(isSilent: Bool = false) throws(BitpalError) -> Settings {
    if let settings = known.withLock({ $0 }) { return settings }
    let settings = try settings(loader, isSilent: isSilent)
    known.withLock { $0 = settings }
    return settings
  }

  /// Returns the settings of a loader; their time zone applies to all later tables.
  ///
  /// - Throws: ``BitpalError/configuration(_:)`` or ``BitpalError/usage(_:hint:)``.
  func settings(_ loader: SettingsLoader, isSilent: Bool = false) throws(BitpalError) -> Settings {
    let settings = try loader.load()
    console.zone.withLock { $0 = settings.timeZone }
    for warning in settings.warnings {
      if isSilent { warned.withLock { _ = $0.insert(warning) } } else { warnOnce(warning) }
    }
    return settings
  }

  /// Returns the coins of pairs such as `btc-usd`, and the settings with the currency of the pairs.
  ///
  /// - Throws: ``BitpalError/usage(_:hint:)`` for different currencies, also those of `--currency` and of a pair.
  func separating(
    _ coins: [String], _ settings: Settings, _ service: PriceService
  ) throws(BitpalError) -> (coins: [String], settings: Settings) {
    let (coins, currency) = try service.separated(coins, currency: options.currency)
    return (coins, currency.map { settings.showing(currency: $0.lowercased()) } ?? settings)
  }

  /// Prints a warning once per run.
  private func warnOnce(_ text: String) {
    if warned.withLock({ $0.insert(text).inserted }) { console.warning(text) }
  }

  /// Prints warnings about the settings, for commands that need no price service.
  ///
  /// - Parameter withheld: The settings for this command that are not used because their file is not trusted.
  func showWarnings(of settings: Settings, withheld: [String]) {
    if let notice = settings.refusal(of: withheld) { console.warning(notice.description) }
  }

  /// Renews the trust in the working folder after a command has changed its files, if it was trusted before and nothing
  /// else has changed.
  ///
  /// - Parameters:
  ///   - settings: The settings as the command read them.
  ///   - written: The files that the command wrote.
  /// - Throws: `BitpalError.configuration` when the settings cannot be read or the folder cannot be trusted,
  ///   `BitpalError.dataFile` when trust cannot be stored.
  func renewTrust(in settings: Settings, written: FolderContent.WrittenFile...) throws(BitpalError) {
    // What this command has written itself is read again.
    known.withLock { $0 = nil }
    guard let before = settings.trustedContent, let content = try loader.content() else { return }
    if let changed = content.change(since: before, except: written) {
      console.warning(
        "\(changed.printable(limit: 200)) has changed meanwhile, so that the folder is trusted no longer; "
          + "look at it, then \"bitpal trust\"")
    } else {
      try TrustedFolders(environment: environment).renew(content, from: before)
    }
  }

  /// The loader of the settings, with the options of this run.
  var loader: SettingsLoader {
    SettingsLoader(
      environment: environment,
      overrides: SettingsOverrides(
        configPath: options.config, provider: options.provider, currency: options.currency, timeZone: options.timeZone))
  }

  /// Returns the services for the settings.
  ///
  /// - Parameter trace: Receives the steps of every answer; nil for the trace on standard error.
  func assembly(_ settings: Settings, trace: Trace? = nil) -> Assembly {
    var assembly = Assembly(
      settings: settings, environment: environment, now: options.now, trace: trace ?? self.trace,
      warn: { warnOnce($0) })
    assembly.recorder = recorder
    assembly.surroundings = surroundings
    return assembly
  }

  /// Writes an answer in the requested format.
  ///
  /// - Throws: `BitpalError` when standard output cannot be written.
  func show(_ view: some View) throws(BitpalError) {
    let text = view.text(options.format, style: console.style)
    try console.answer(options.format == .table && wantsASCII ? text.inASCII : text)
  }

  /// Writes the answer of a command that has changed something.
  ///
  /// A script that sees a failure repeats the command. So a failure of the answer alone is reported on standard error,
  /// and the command still succeeds.
  ///
  /// - Parameter change: The change, in a word or a sentence.
  func confirm(_ view: some View, _ change: String) {
    do throws(BitpalError) { try show(view) } catch { console.answerLost(after: change, error) }
  }

  /// Writes the answer of a command that has changed something, as one sentence.
  func confirm(_ fact: FactView) { confirm(fact, fact.sentence) }

  /// Runs a command within the time limits of its options for the network and for waiting on a budget; equal requests of
  /// its questions are sent once.
  ///
  /// - Throws: The errors of the body.
  func withDeadline<Value>(_ body: () async throws -> Value) async throws -> Value {
    try await Deadline.independent(
      options.timeout ?? Deadline.standard,
      patience: options.patience(isAttended: console.isAttended), on: SystemTime()
    ) {
      try await SharedResponses.within { try await body() }
    }
  }

  /// Runs one of several questions of a command within a time limit of its own; with `--timeout`, all share that limit.
  ///
  /// - Throws: The errors of the body.
  func withOwnDeadline<Value>(_ body: () async throws -> Value) async throws -> Value {
    try await options.timeout == nil ? withDeadline(body) : body()
  }

  private var trace: Trace {
    options.isVerbose ? Trace { [console] in console.trace($0) } : console.progressTrace
  }
}
