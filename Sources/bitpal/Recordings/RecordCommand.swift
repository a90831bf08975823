import BitpalConfig
import BitpalModel
import BitpalNetwork
import BitpalOutput
import BitpalReplay
import FoundationEssentials
import Glibc

/// What `bitpal record NAME -- COMMAND…` does: runs a command and keeps what goes over the wire.
struct RecordCommand: Command {
  static let spec = CommandSpec(
    "record", "save what a command gets over the wire, to replay it offline", operands: .some("NAME -- COMMAND"),
    options: [
      OptionSpec(.replace, help: "record anew over a recording that is there"),
      OptionSpec(.check, help: "ask again and tell what changed in shape; nothing is written"),
    ],
    details: [
      "The command runs with an empty cache, so that everything it needs is asked for and kept: requests and answers go "
        + "to Fixtures/NAME (or to NAME itself when it is a path) as HAR 1.2, without keys. A failure is recorded too. "
        + "\"recording:NAME\" is then a provider wherever one can be named; time stands at the instant of the recording.",
      "With --check values are ignored: fields that are gone or of another type are exit status 1, new ones are only "
        + "told. Without a command the one that made the recording is run again.",
    ],
    examples: [
      .init("record demo -p coingecko -- price bitcoin ethereum", "two prices, kept"),
      .init("record demo --check", "does the source still answer in that shape?"),
    ])

  /// What is done with a recording that is there already.
  private enum Existing: Sendable {
    case keep, replace, compare
  }

  private let name: String
  private let words: [String]
  private let existing: Existing

  /// The options of this command, for the one that is run.
  private let inherited: [String]

  init(_ arguments: Invocation.Arguments) throws(BitpalError) {
    name = arguments.operands.first ?? ""
    words = Array(arguments.operands.dropFirst())
    inherited = arguments.raw.given.filter { ![.replace, .check].contains($0.name) }.map { option in
      option.name.spelling + (option.value.map { "=" + $0 } ?? "")
    }
    switch (arguments.raw.has(.replace), arguments.raw.has(.check)) {
    case (true, true):
      throw .usage("--replace and --check contradict each other", hint: "give one of them")
    case (true, false): existing = .replace
    case (false, true): existing = .compare
    case (false, false): existing = .keep
    }
    if words.isEmpty, existing != .compare {
      throw .usage("record needs a command after NAME", hint: "bitpal record \(name) -- price bitcoin")
    }
  }

  func run(_ session: Session) async throws -> ExitStatus {
    switch existing {
    case .compare: try await compare(session)
    case .keep, .replace: try await record(session)
    }
  }

  /// A plain name is kept with the others in `Fixtures`; anything else is a path.
  private var folder: String {
    name.contains("/") ? name : ProviderSpecification.recordingsFolder + "/" + name
  }

  // MARK: Recording

  private func record(_ session: Session) async throws -> ExitStatus {
    switch (HARWriter.place(folder), existing) {
    case (.recording, .keep):
      throw BitpalError.usage(
        "there is a recording in \(folder) already",
        hint: "--replace records it anew, --check tells whether the source still answers in the same shape")
    case (.other, _):
      throw BitpalError.usage("\(folder) is not a recording, so nothing is written there", hint: "give another name")
    case (.free, _), (.recording, _): break
    }
    let recorder = ExchangeRecorder()
    let instant = Self.instant(of: session)
    let outcome: Result<ExitStatus, any Error>
    do {
      outcome = .success(try await perform(words, session, recorder, at: instant, console: session.console))
    } catch let error as BitpalError where !recorder.exchanges.isEmpty {
      // A failure is worth replaying too.
      outcome = .failure(error)
    }
    let exchanges = recorder.exchanges
    guard !exchanges.isEmpty else {
      session.console.failure(.usage("nothing went over the wire, so nothing was recorded"))
      return .partlyAnswered
    }
    try HARWriter.write(
      exchanges, to: folder, recordedAt: instant, provider: recorder.provider, command: words,
      redaction: Redaction(recorder.secrets))
    let count = exchanges.count == 1 ? "1 exchange" : "\(exchanges.count) exchanges"
    session.console.notice(
      "recorded \(count) in \(folder); to replay: bitpal -p recording:\(name) \(words.joined(separator: " "))")
    return try outcome.get()
  }

  /// Time stands still while a recording is made, as it will when it is replayed.
  private static func instant(of session: Session) -> Date {
    session.options.now ?? Date(milliseconds: SystemTime().now.milliseconds / 1000 * 1000)
  }

  /// Runs the words as a command of its own.
  private func perform(
    _ words: [String], _ session: Session, _ recorder: ExchangeRecorder, at instant: Date, console: Console
  ) async throws -> ExitStatus {
    let now = OptionName.now.spelling + "=" + instant.iso8601
    let raw = RawArguments(inherited + [now] + words, table: .bitpal)
    guard case .run(let command, let arguments) = try Invocation(raw, table: .bitpal), command != RecordCommand.self
    else {
      throw BitpalError.usage(
        "\"\(words.joined(separator: " "))\" is no command that can be recorded",
        hint: "bitpal record \(name) -- price bitcoin")
    }
    let inner = Session(
      options: arguments.options, console: console, environment: session.environment, recorder: recorder)
    let deadline = arguments.options.timeout.map { SystemTime().monotonic + $0 } ?? Deadline.current
    return try await Deadline.$current.withValue(deadline) {
      try await command.init(arguments).run(inner)
    }
  }

  // MARK: Comparing

  /// The command that the recording says made it, said aloud.
  ///
  /// Recordings are made to be passed on, so these are somebody else's words: they may ask a source, and nothing more.
  private func recordedWords(_ words: [String], _ console: Console) throws(BitpalError) -> [String] {
    let own = "name the command yourself: bitpal record \(name) --check -- price bitcoin"
    guard !words.isEmpty else { throw .usage("the recording does not say which command made it", hint: own) }
    let line = "bitpal " + words.map { ShellWord($0).description }.joined(separator: " ")
    let raw = RawArguments(words, table: .bitpal)
    guard
      case .run(let command, _)? = try? Invocation(raw, table: .bitpal), command.spec.isQuestion,
      raw.given.allSatisfy({ Self.shaping.contains($0.name) })
    else {
      throw .usage(
        "the recording says that it was made by \(line.printable(limit: 200)), which does more than ask", hint: own)
    }
    console.notice("asking again: \(line)")
    return words
  }

  /// The options that only shape a question or its answer: none of them names a file or another source.
  private static let shaping: Set<OptionName> = [
    .currency, .format, .digits, .timeZone, .sort, .spark, .ascii, .range, .type, .candle, .width, .height, .points,
    .rows, .on,
    .from, .to,
    .limit,
  ]

  private func compare(_ session: Session) async throws -> ExitStatus {
    let recording = try HARReader.open(folder)
    let words = try self.words.isEmpty ? recordedWords(recording.head.command, session.console) : self.words
    let recorder = ExchangeRecorder()
    let nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC)
    defer { close(nowhere) }
    let console = Console(
      output: TextStream(descriptor: nowhere), errors: TextStream(descriptor: 2), color: session.options.color,
      isQuiet: session.options.isQuiet, environment: { session.environment.value($0) })
    do {
      _ = try await perform(words, session, recorder, at: Self.instant(of: session), console: console)
    } catch let error as BitpalError {
      // What came before the failure is compared all the same.
      if recorder.exchanges.isEmpty { throw error }
    }
    let comparison = try ShapeComparison(recording, with: recorder.exchanges)
    try session.show(ShapeView(output: RecordingCheckOutput(comparison, name: name)))
    return comparison.isCompatible && comparison.compared > 0 ? .answered : .partlyAnswered
  }
}

/// What changed in the shape of a source's answers since they were recorded.
struct ShapeView: View {
  let output: RecordingCheckOutput

  func table(style: Style) -> String {
    let comparison = output.comparison
    var text = "\(output.name): \(Self.answers(comparison.compared)) compared, "
    text +=
      comparison.changes.isEmpty ? "the same shape\n" : comparison.isCompatible ? "more fields\n" : "another shape\n"
    if !comparison.changes.isEmpty {
      var table = TextTable([
        .init("ENTRY", .right), .init("CHANGE"), .init("FIELD", narrowest: 12), .init("BEFORE", narrowest: 8),
        .init("AFTER", narrowest: 8),
      ])
      for change in comparison.changes {
        table.add([
          .init(String(change.entry)), .init(change.kind.rawValue, change.kind == .added ? .quiet : .bad),
          .init(change.field), .init(change.before ?? "-"), .init(change.after ?? "-"),
        ])
      }
      text += table.text(style: style)
    }
    if !comparison.unasked.isEmpty {
      text += "not asked for again: entries \(comparison.unasked.map(String.init).joined(separator: ", "))\n"
    }
    return text
  }

  private static func answers(_ count: Int) -> String { count == 1 ? "1 answer" : "\(count) answers" }
}
