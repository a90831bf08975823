import BitpalConfig
import BitpalModel
import BitpalNetwork
import BitpalOutput
import BitpalQueries
import BitpalReplay
import FoundationEssentials

/// The `bitpal record NAME -- COMMAND…` command, which runs a command and stores its network exchanges.
struct RecordCommand: Command {
  static let name = "record"
  static let spec = CommandSpec(
    name, "save what a command gets over the wire, to replay it offline", operands: .some("NAME -- COMMAND"),
    options: [
      ParameterSpec("append", .flag, "add to an existing recording"),
      ParameterSpec("replace", .flag, "replace an existing recording"),
      ParameterSpec("check", .flag, "ask again and report changes of shape; write nothing"),
      ParameterSpec("accept", .flag, "accept bodies that were changed by hand"),
    ],
    details: [
      "The command runs with an empty cache, so all its questions are requested and recorded: requests and answers go "
        + "to Fixtures/NAME (or to NAME itself if it is a path) as HAR 1.2, without keys. Failures are recorded too. "
        + "Afterwards \"recording:NAME\" is a provider in all commands and settings; its time stands still at the "
        + "instant of the recording.",
      "With --append the answers of several commands form one recording, and so one provider; the latest answer to a "
        + "question applies, and time stands still at the instant of the last command.",
      "With --check values are ignored: removed fields and fields of another type give exit status 1, new ones are "
        + "only reported. Without a command, the commands of the recording are run again.",
      "Each answer is a file in bodies/ with its SHA-256 in recording.har. After a manual change, --accept updates "
        + "the checksums and lists them.",
    ],
    examples: [
      .init("record demo -p coingecko -- price bitcoin ethereum", "two prices, kept"),
      .init("record demo --append -p coingecko -- chart bitcoin --range 1W", "and a week of one of them"),
      .init("record demo --check", "does the source still answer in that shape?"),
    ])

  /// The action for a recording that exists already.
  private enum Existing: Sendable {
    case keep, replace, append, compare, accept
  }

  let name: String
  let words: [String]
  private let existing: Existing

  /// The options of `record` itself, which the recorded command inherits.
  private let inherited: [String]

  init(_ arguments: Invocation.Arguments) throws(BitpalError) {
    name = arguments.operands.first ?? ""
    words = Array(arguments.operands.dropFirst())
    inherited = arguments.raw.given.filter { Self.modes[$0.name] == nil }.map { option in
      "--" + option.name + (option.value.map { "=" + $0 } ?? "")
    }
    if words.contains(where: { $0 == "--now" || $0.hasPrefix("--now=") }) {
      throw .usage(
        "--now is the time of the recording", hint: "bitpal --now TIME record \(name) -- COMMAND")
    }
    let modes = Self.modes.keys.filter { arguments.raw.has($0) }.map { "--" + $0 }.sorted()
    if modes.count > 1 {
      throw .usage("\(modes.joined(separator: " and ")) contradict each other", hint: "give one of them")
    }
    existing = Self.modes.first { arguments.raw.has($0.key) }?.value ?? .keep
    switch existing {
    case .keep, .replace, .append:
      if words.isEmpty {
        throw .usage(
          "record needs a command after NAME", hint: "bitpal record \(name.printable(limit: 40)) -- price bitcoin")
      }
    case .accept:
      if !words.isEmpty {
        throw .usage("record --accept takes no command", hint: "bitpal record \(name) --accept")
      }
    case .compare: break
    }
  }

  private static let modes: [String: Existing] = [
    "replace": .replace, "append": .append, "check": .compare, "accept": .accept,
  ]

  func run(_ session: Session) async throws -> ExitStatus {
    switch existing {
    case .compare: try await compare(session)
    case .accept: try accept(session)
    case .keep, .replace, .append: try await record(session)
    }
  }

  var folder: String { RecordingName(name).folder }

  // MARK: Recording

  private func record(_ session: Session) async throws -> ExitStatus {
    let hint =
      "--append adds to it, --replace records it again, --check reports whether the source still answers in the same shape"
    try RecordingName(name).beFree(elseHint: existing == .keep ? hint : nil)
    let recorder = ExchangeRecorder()
    let instant = Self.instant(of: session)
    let outcome: Result<ExitStatus, any Error>
    do {
      outcome = .success(try await perform(words, session, recorder, at: instant, console: session.console))
    } catch let error as BitpalError where !recorder.exchanges.isEmpty {
      // A failure is recorded too, because it can be replayed.
      outcome = .failure(error)
    }
    let exchanges = recorder.exchanges
    guard !exchanges.isEmpty else {
      session.console.failure(.usage("nothing went over the wire, so nothing was recorded"))
      return .partlyAnswered
    }
    let count = RecordingName.exchanges(exchanges.count)
    let redaction = Redaction(recorder.secrets)
    let done: String
    if existing == .append {
      let all = try HARWriter.append(
        exchanges, to: folder, recordedAt: instant, provider: recorder.provider, command: words, redaction: redaction)
      done =
        all == exchanges.count ? "recorded \(count) in \(folder)" : "added \(count) to \(folder), which has \(all)"
    } else {
      let isWritten = try HARWriter.write(
        exchanges, to: folder, recordedAt: instant, provider: recorder.provider, command: words, redaction: redaction,
        isReplacing: existing == .replace)
      // Another command may have recorded under this name meanwhile; it has reported that, and stays.
      if !isWritten { throw BitpalError.usage("there is a recording in \(folder) already", hint: hint) }
      done = "recorded \(count) in \(folder)"
    }
    session.console.notice("\(done); to replay: bitpal -p recording:\(name) \(words.joined(separator: " "))")
    return try outcome.get()
  }

  private func accept(_ session: Session) throws(BitpalError) -> ExitStatus {
    guard HARWriter.place(folder) == .recording else {
      throw .usage(
        "\(folder) contains no recording", hint: "bitpal record \(name.printable(limit: 40)) -- price bitcoin")
    }
    let changes = try BodyAcceptance.accept(folder)
    for change in changes where !change.isReadable {
      session.console.warning("\(change.file) is not JSON any more: it is replayed as an unreadable answer")
    }
    let files = changes.map(\.file).joined(separator: ", ")
    session.confirm(
      FactView(
        changes.isEmpty ? "\(folder): no body has changed" : "\(folder): took over \(files)",
        DoneOutput(
          Self.name, about: name,
          [
            "accepted": changes.map(\.file),
            "unreadable": changes.filter { !$0.isReadable }.map(\.file),
          ])))
    return .answered
  }

  /// Returns the instant of a recording, at which time stands still, as it will when the recording is replayed.
  static func instant(of session: Session) -> Date {
    session.options.now ?? SystemTime().now.startOfSecond
  }

  /// Runs the words as a command of its own, with its exchanges recorded.
  ///
  /// - Throws: ``BitpalError/usage(_:hint:)`` for words that are not a command, or are `record` itself; the errors of
  ///   the command.
  func perform(
    _ words: [String], _ session: Session, _ recorder: ExchangeRecorder, at instant: Date, console: Console
  ) async throws -> ExitStatus {
    let now = "--now=" + instant.iso8601
    let raw = RawArguments(inherited + [now] + words, table: .bitpal)
    guard case .run(let command, let arguments) = try Invocation(raw, table: .bitpal), command != RecordCommand.self
    else {
      throw BitpalError.usage(
        "\"\(words.joined(separator: " ").printable(limit: 80))\" cannot be recorded",
        hint: "bitpal record \(name.printable(limit: 40)) -- price bitcoin")
    }
    let inner = Session(
      options: arguments.options, console: console, environment: session.environment, recorder: recorder,
      warned: session.warned)
    return try await inner.withDeadline { try await command.init(arguments).run(inner) }
  }
}
