import BitpalModel
import BitpalOutput
import BitpalReplay
import FoundationEssentials
import Glibc

/// The implementation of `bitpal record NAME --check`.
extension RecordCommand {
  /// Returns the command that a recording states as its origin, after a notice that prints it.
  ///
  /// A recording may come from others, so its commands are not trusted: they may ask a source, and nothing else.
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
  private static let shaping: Set<String> = [
    "currency", "format", "digits", "tz", "sort", "spark", "ascii", "range", "type", "candle", "width", "height",
    "points",
    "rows", "on", "from", "to", "limit",
  ]

  /// Asks the source again, and shows the changes in the shape of its answers.
  ///
  /// - Throws: `BitpalError` for a recording that cannot be read, or that does not name a command which only asks; the
  ///   error of the command when it received no answer.
  func compare(_ session: Session) async throws -> ExitStatus {
    let recording = try HARReader.open(folder)
    let head = recording.head
    let recorded = ([head.command] + head.appended).filter { !$0.isEmpty }
    var commands = [words]
    if words.isEmpty {
      commands = try (recorded.isEmpty ? [[]] : recorded).map { words throws(BitpalError) in
        try recordedWords(words, session.console)
      }
    }
    let recorder = ExchangeRecorder()
    let nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC)
    defer { close(nowhere) }
    let console = session.console.answering(TextStream(descriptor: nowhere))
    for words in commands {
      do {
        _ = try await perform(words, session, recorder, at: Self.instant(of: session), console: console)
      } catch let error as BitpalError {
        // The exchanges before the failure are compared all the same.
        if recorder.exchanges.isEmpty { throw error }
      }
    }
    let comparison = try ShapeComparison(recording, with: recorder.exchanges)
    try session.show(ShapeView(output: RecordingCheckOutput(comparison, name: name)))
    return comparison.isCompatible && comparison.compared > 0 ? .answered : .partlyAnswered
  }
}

/// The changes in the shape of a source's answers since they were recorded.
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
