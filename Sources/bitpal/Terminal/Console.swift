import BitpalFiles
import BitpalModel
import BitpalOutput
import BitpalService

/// Where a command speaks: answers on standard output, everything else on standard error.
struct Console: Sendable {
  /// How answers are written.
  var style: Style {
    var style = writing
    style.zone = zone.withLock { $0 }
    return style
  }

  /// By whose clocks tables show times: what the settings say, once they are read.
  let zone = Locked(ClockZone.utc)

  private let writing: Style

  /// Whether a person is looking at the answers.
  var isTerminal: Bool { output.isTerminal }

  /// Whether a person sees what is said.
  var isAttended: Bool { output.isTerminal || errors.isTerminal }

  /// Whether somebody still takes the answers; false after `| head`.
  var hasReader: Bool { output.hasReader }

  private var output: TextStream
  private let errors: TextStream
  private let errorStyle: Style
  private let isQuiet: Bool
  private let errorForm: ErrorForm

  /// What is going on, while it takes long; nil where nobody looks at standard error, or it has other things to tell.
  private let progress: ProgressLine?

  /// - Parameters:
  ///   - color: When to colour.
  ///   - isQuiet: Whether warnings and notices are swallowed.
  ///   - errorForm: How failures, warnings and notices are written.
  ///   - showsProgress: Whether long work may be told of, where standard error is a terminal.
  ///   - digits: The decimals of prices; nil for as many as they have.
  ///   - environment: For `NO_COLOR`, `TERM` and `COLUMNS`.
  init(
    output: TextStream, errors: TextStream, color: ColorChoice, isQuiet: Bool, errorForm: ErrorForm,
    showsProgress: Bool, digits: Int? = nil, environment: (String) -> String?
  ) {
    func isColored(_ output: TextStream) -> Bool {
      switch color {
      case .always: true
      case .never: false
      case .auto: output.isTerminal && (environment("NO_COLOR") ?? "").isEmpty && environment("TERM") != "dumb"
      }
    }
    self.output = output
    self.errors = errors
    self.isQuiet = isQuiet
    self.errorForm = errorForm
    writing = Style(
      isEnabled: isColored(output), digits: digits,
      width: output.isTerminal ? TerminalSize.current(environment)?.columns : nil)
    errorStyle = Style(isEnabled: isColored(errors))
    progress =
      showsProgress && !isQuiet && errorForm == .text && errors.isTerminal && environment("TERM") != "dumb"
      ? ProgressLine(errors, style: errorStyle) : nil
  }

  /// The same console with answers going elsewhere.
  func answering(_ output: TextStream) -> Console {
    var other = self
    other.output = output
    return other
  }

  /// Writes an answer.
  ///
  /// - Throws: ``BitpalError/dataFile(path:reason:)`` when it cannot be written.
  func answer(_ text: String) throws(BitpalError) {
    progress?.hide()
    do throws(FileFault) { try output.write(text) } catch { throw error.error(of: "standard output") }
  }

  /// Looks whether an answer can be written, for commands that change something before they answer.
  ///
  /// - Throws: ``BitpalError/dataFile(path:reason:)`` when it is known by now that it cannot.
  func checkOutput() throws(BitpalError) {
    do throws(FileFault) {
      try output.check()
    } catch {
      throw .dataFile(path: "standard output", reason: "\(error.reason); nothing was changed")
    }
  }

  /// Says that something was done whose answer cannot be written; with `-q` too.
  func answerLost(after change: String, _ error: BitpalError) {
    let text = "\(change.printable(limit: 600)), although the answer could not be written: \(error.message)"
    aside(
      errorForm == .json
        ? NoticeOutput(.warning, text).jsonLine : "\(errorStyle("bitpal: warning:", .warning)) \(text)\n")
  }

  /// Asks a question of somebody at the terminal; true where nobody is there to be asked.
  func confirms(_ question: String) -> Bool {
    guard errors.isTerminal, TextStream.isInputTerminal else { return true }
    aside("\(question.printable(limit: 600)) [y/N] ")
    let answer = (readLine() ?? "").lowercased()
    return answer == "y" || answer == "yes"
  }

  /// Writes text that is not an answer as it is.
  func aside(_ text: String) {
    progress?.hide()
    // Nobody is left to tell when standard error itself fails.
    try? errors.write(text)
  }

  /// Says why something has no answer, after the name of what was asked for when that was one of several.
  ///
  /// The faults of a file begin with the file's name, as compilers write them, so that editors find the place.
  func failure(_ error: BitpalError, subject: String? = nil) {
    if errorForm == .json {
      aside(ErrorOutput(error, coin: subject).jsonLine)
    } else if case .configuration = error {
      aside(error.description + "\n")
    } else {
      let subject = subject.map { "\($0.printable(limit: 80)): " } ?? ""
      aside("\(errorStyle("bitpal:", .bad)) \(subject)\(error.description)\n")
    }
  }

  /// Says everything that is wrong with a file of the user's, before the error that says what follows from it.
  func faults(_ issues: [ConfigurationIssue]) {
    for issue in issues {
      let place = ([issue.file] + [issue.line, issue.column].compactMap { $0.map(String.init) }).joined(separator: ":")
      aside(
        errorForm == .json
          ? ErrorOutput(.dataFile(path: place, reason: issue.message)).jsonLine : issue.description + "\n")
    }
  }

  /// Says what is odd about an answer; not with `-q`.
  func warning(_ text: String) {
    tell(.warning, text, style: errorStyle("bitpal: warning:", .warning))
  }

  /// Says what was done differently from what was asked; not with `-q`.
  func notice(_ text: String) {
    tell(.note, text, style: errorStyle("bitpal:", .quiet))
  }

  private func tell(_ level: NoticeOutput.Level, _ text: String, style: String) {
    guard !isQuiet else { return }
    aside(
      errorForm == .json ? NoticeOutput(level, text).jsonLine : "\(style) \(text.printable(limit: 600))\n")
  }

  /// Tells of work that may take long and of which no event tells; see ``progressTrace``.
  func working(_ words: String) {
    progress?.begin(words)
  }

  /// What makes of the steps in the life of answers a line that says what is going on; silent where there is none.
  var progressTrace: Trace {
    guard let progress else { return .silent }
    return Trace { progress.note($0) }
  }

  /// Tells a step in the life of an answer.
  func trace(_ event: TraceEvent) {
    aside(errorStyle("* " + TraceText.text(of: event).printable(), .quiet) + "\n")
  }
}

extension Console {
  /// Warns of what is odd about answers, each thing once: stale ones with age and reason, rows left out.
  func warn<Value>(about answers: [Sourced<Value>], name: (Value) -> String) {
    var stale: [(state: String, names: [String])] = []
    var warnings: [String] = []
    for answer in answers {
      if let words = answer.freshness.text {
        let reason =
          if case .stale(_, let cause) = answer.freshness { cause.words } else { "by the time of \(answer.source)" }
        let state = "\(words) (\(reason))"
        if let index = stale.firstIndex(where: { $0.state == state }) {
          stale[index].names.append(name(answer.value))
        } else {
          stale.append((state, [name(answer.value)]))
        }
      }
      for text in answer.warnings.map(\.description) where !warnings.contains(text) { warnings.append(text) }
    }
    for (state, names) in stale { warning("\(Self.short(names)): \(state)") }
    for text in warnings { warning(text) }
  }

  /// Says why coins have no answer, each cause once.
  func tell(_ failures: [CoinFailure]) {
    var causes: [(error: BitpalError, coins: [String])] = []
    for failure in failures {
      if let index = causes.firstIndex(where: { $0.error == failure.error }) {
        causes[index].coins.append(failure.coin)
      } else {
        causes.append((failure.error, [failure.coin]))
      }
    }
    for (error, coins) in causes {
      if errorForm == .json {
        for coin in coins { self.failure(error, subject: coin) }
      } else {
        self.failure(error, subject: Self.short(coins))
      }
    }
  }

  private static func short(_ names: [String]) -> String {
    names.prefix(3).joined(separator: ", ") + (names.count > 3 ? " and \(names.count - 3) more" : "")
  }
}
