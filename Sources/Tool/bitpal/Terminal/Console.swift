import Bitpal
import BitpalFiles
import BitpalModel
import BitpalOutput

/// The output of a command: answers on standard output, everything else on standard error.
struct Console: Sendable {
  /// The colours, number formats, width and time zone of answers.
  var style: Style {
    var style = writing
    style.zone = zone.withLock { $0 }
    return style
  }

  /// The time zone of tables: UTC until the settings are read.
  let zone = Locked(ClockZone.utc)

  private let writing: Style

  /// Whether answers go to a terminal.
  var isTerminal: Bool { output.isTerminal }

  /// Whether texts for people keep to ASCII: the locale is not one of UTF-8, as that of cron.
  ///
  /// Without any locale, which POSIX takes for the locale C, only a terminal gets ASCII.
  let wantsASCII: Bool

  /// Whether output is a terminal whose screen can be redrawn in place.
  let canRedraw: Bool

  /// Whether answers or messages go to a terminal.
  var isAttended: Bool { output.isTerminal || errors.isTerminal }

  /// Whether answers still have a reader; false after `| head` has ended.
  var hasReader: Bool { output.hasReader }

  private var output: TextStream
  private let errors: TextStream
  private let errorStyle: Style
  private let isQuiet: Bool
  private let errorForm: ErrorForm

  /// Whether messages keep to ASCII: on a terminal alone.
  private let errorsWantASCII: Bool

  /// The progress line; nil without a terminal at standard error, and with `-q`, `-v` or `--errors json`.
  private let progress: ProgressLine?

  /// Creates a console.
  ///
  /// - Parameters:
  ///   - color: The condition under which output is coloured.
  ///   - isQuiet: Whether warnings and notices are suppressed.
  ///   - errorForm: The format of failures, warnings and notices.
  ///   - showsProgress: Whether long work may have a progress line if standard error is a terminal.
  ///   - digits: The number of decimals of prices; nil for as many as they have.
  ///   - environment: The lookup of `NO_COLOR`, `TERM`, `COLUMNS` and the names of the locale.
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
    canRedraw = output.isTerminal && environment("TERM") != "dumb"
    self.isQuiet = isQuiet
    self.errorForm = errorForm
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap(environment).first { !$0.isEmpty }?.lowercased()
    let lacksSigns = locale.map { !$0.contains("utf-8") && !$0.contains("utf8") }
    wantsASCII = lacksSigns ?? output.isTerminal
    errorsWantASCII = errors.isTerminal && errorForm == .text && lacksSigns ?? true
    writing = Style(
      isEnabled: isColored(output), digits: digits,
      width: output.isTerminal ? TerminalSize.current(environment)?.columns : nil)
    errorStyle = Style(isEnabled: isColored(errors))
    progress =
      showsProgress && !isQuiet && errorForm == .text && errors.isTerminal && environment("TERM") != "dumb"
      ? ProgressLine(errors, style: errorStyle, isASCII: errorsWantASCII) : nil
  }

  /// Returns the same console with another stream for answers.
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

  /// Checks that an answer can be written, for commands that change something before they answer.
  ///
  /// - Throws: ``BitpalError/dataFile(path:reason:)`` when standard output is closed or cannot be written.
  func checkOutput() throws(BitpalError) {
    do throws(FileFault) {
      try output.check()
    } catch {
      throw .dataFile(path: "standard output", reason: "\(error.reason); nothing was changed")
    }
  }

  /// Warns that a change was made although its answer could not be written; with `-q` too.
  func answerLost(after change: String, _ error: BitpalError) {
    let text = "\(change.printable(limit: 600)), although the answer could not be written: \(error.message)"
    aside(
      errorForm == .json
        ? NoticeOutput(.warning, text).jsonLine : "\(errorStyle("bitpal: warning:", .warning)) \(text)\n")
  }

  /// Asks a question at the terminal, and returns whether the answer is yes; true without a terminal.
  func confirms(_ question: String) -> Bool {
    guard errors.isTerminal, TextStream.isInputTerminal else { return true }
    aside("\(question.printable(limit: 600)) [y/N] ")
    let answer = (readLine() ?? "").lowercased()
    return answer == "y" || answer == "yes"
  }

  /// Writes a text to standard error unchanged.
  func aside(_ text: String) {
    progress?.hide()
    // A failure of standard error itself cannot be reported anywhere.
    try? errors.write(errorsWantASCII ? text.inPlainASCII : text)
  }

  /// Reports a failure, after the name of the coin when it was one of several.
  ///
  /// The faults of a file begin with the file's name, as compilers write them, so that editors find the place.
  func failure(_ error: BitpalError, subject: String? = nil) {
    if errorForm == .json {
      aside(ErrorOutput(error, coin: subject).jsonLine)
    } else if case .configuration = error {
      aside(error.description + "\n")
    } else {
      let subject = subject.map { "\($0.printable(limit: 80)): " } ?? ""
      aside(line("bitpal:", .bad, subject + error.description))
    }
  }

  /// Reports every fault of a file, before the error that states the consequence.
  func faults(_ issues: [ConfigurationIssue]) {
    for issue in issues {
      let place = ([issue.file] + [issue.line, issue.column].compactMap { $0.map(String.init) }).joined(separator: ":")
      aside(
        errorForm == .json
          ? ErrorOutput(.dataFile(path: place, reason: issue.message)).jsonLine : issue.description + "\n")
    }
  }

  /// Warns of an irregularity of an answer; not with `-q`.
  func warning(_ text: String) {
    tell(.warning, text, "bitpal: warning:", .warning)
  }

  /// Reports that something was done differently from what was asked; not with `-q`.
  func notice(_ text: String) {
    tell(.note, text, "bitpal:", .quiet)
  }

  private func tell(_ level: NoticeOutput.Level, _ text: String, _ head: String, _ role: Style.Role) {
    guard !isQuiet else { return }
    aside(
      errorForm == .json ? NoticeOutput(level, text).jsonLine : line(head, role, text.printable(limit: 600)))
  }

  /// Returns a message after its head with a line end; on a terminal in lines as wide as it, broken between words.
  private func line(_ head: String, _ role: Style.Role, _ text: String) -> String {
    var lines = ["\(head) \(text)"]
    if errors.isTerminal {
      let columns = max(20, ProgressLine.columns)
      lines = lines[0].split(separator: "\n", omittingEmptySubsequences: false).flatMap {
        String($0).wrapped(toWidth: columns)
      }
    }
    let message = lines.joined(separator: "\n")
    return errorStyle(head, role) + message.dropFirst(head.count) + "\n"
  }

  /// Shows the progress line for work that emits no trace events; see ``progressTrace``.
  func working(_ message: String) {
    progress?.begin(message)
  }

  /// Shows in the progress line which of several questions of a command is asked.
  func working(_ number: Int, of count: Int, _ message: String) {
    progress?.begin(number, of: count, message)
  }

  /// Whether long work has a progress line.
  var showsProgress: Bool { progress != nil }

  /// The trace that keeps the progress line up to date; silent without a progress line.
  var progressTrace: Trace {
    guard let progress else { return .silent }
    return Trace(counting: { progress.note($0) })
  }

  /// Writes a step of an answer to standard error, for `-v`.
  func trace(_ event: TraceEvent) {
    aside(errorStyle("* " + TraceText.text(of: event).printable(), .quiet) + "\n")
  }
}

extension Console {
  /// Warns of stale answers with age and reason, and of rows that were left out, each warning once.
  func warn<Value>(about answers: [Sourced<Value>], name: (Value) -> String) {
    var stale: [(reason: String, ages: [String], names: [String])] = []
    var warnings: [String] = []
    for answer in answers {
      if let message = answer.freshness.text {
        let reason =
          switch answer.freshness {
          case .stale(_, let cause): cause.message
          case .outdated where (answer.value as? Coin)?.isUntraded == true:
            "nothing is traded at \(answer.source)"
              + (WellKnownCoins.successor(ofID: answer.about.coin).map { "; it was exchanged for \($0)" } ?? "")
          default: "by the time of \(answer.source)"
          }
        if let index = stale.firstIndex(where: { $0.reason == reason }) {
          stale[index].names.append(name(answer.value))
          if !stale[index].ages.contains(message) { stale[index].ages.append(message) }
        } else {
          stale.append((reason, [message], [name(answer.value)]))
        }
      }
      for text in answer.warnings.map(\.description) where !warnings.contains(text) { warnings.append(text) }
    }
    for (reason, ages, names) in stale {
      warning("\(Self.short(names)): \(Self.short(ages)) (\(reason))")
    }
    for text in warnings { warning(text) }
  }

  /// Reports the coins without an answer, each cause once.
  func tell(_ failures: [CoinFailure]) {
    var causes: [(error: BitpalError, coins: [String])] = []
    for failure in failures {
      if let index = causes.firstIndex(where: { $0.error == failure.error }) {
        if errorForm == .json || !causes[index].coins.contains(failure.coin) {
          causes[index].coins.append(failure.coin)
        }
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

  /// Reports days that were left out on request.
  func tell(leftOut failures: [BitpalError]) {
    for failure in failures { notice("days were left out: \(failure.description)") }
  }

  /// Returns the first three of some names, and the number of others.
  private static func short(_ names: [String]) -> String {
    names.prefix(3).joined(separator: ", ") + (names.count > 3 ? " and \(names.count - 3) more" : "")
  }
}
