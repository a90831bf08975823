import BitpalModel

/// One finding of `bitpal doctor`.
struct DoctorFinding: Equatable, Sendable {
  /// The meaning of the finding for the user.
  enum Verdict: String, Sendable {
    /// The subject is in order.
    case good

    /// The finding is information; nothing is wrong.
    case note

    /// Something does not work fully, but prices are available.
    case warning

    /// bitpal cannot be used.
    case bad
  }

  /// The headings of findings, in their order.
  enum Topic: String, CaseIterable, Sendable {
    case libraries
    case files
    case data
    case providers
    case fleet
    case network
    case clock
    case terminal
  }

  /// The heading of the finding.
  let topic: Topic

  /// The subject: `libcurl`, `cache`, the id of a provider.
  let subject: String
  let verdict: Verdict

  /// The finding, on one line.
  let message: String

  /// The command that fixes it; nil when nothing needs a fix, or no command fixes it.
  let fix: String?

  /// The exit status of a run in which this is the first bad finding.
  let status: ExitStatus

  /// Creates a finding about a subject that is in order.
  init(_ topic: Topic, _ subject: String, _ message: String) {
    self.init(topic, subject, .good, message)
  }

  init(
    _ topic: Topic, _ subject: String, _ verdict: Verdict, _ message: String, fix: String? = nil,
    status: ExitStatus = .answered
  ) {
    self.topic = topic
    self.subject = subject
    self.verdict = verdict
    self.message = message
    self.fix = fix
    self.status = status
  }
}

extension DoctorFinding {
  /// Returns the message of an error on one line: for a file with several faults, the first one and the number of the
  /// others.
  static func message(of error: any Error) -> String {
    guard let error = error as? BitpalError else { return "\(error)" }
    guard case .configuration(let issues) = error, let first = issues.first else { return error.description }
    return message(of: first) + (issues.count > 1 ? " (and \(issues.count - 1) more)" : "")
  }

  /// Returns the message of an error, and separately the command after `; run:` at its end; nil without one.
  static func advice(of error: any Error) -> (message: String, command: String?) {
    let message = message(of: error)
    guard let end = message.ranges(of: "; run: ").last else { return (message, nil) }
    return (String(message[..<end.lowerBound]), String(message[end.upperBound...]))
  }

  /// Returns a fault and its place, without the excerpt of the file.
  static func message(of issue: ConfigurationIssue) -> String {
    let place = [issue.line, issue.column].compactMap { $0.map { ":\($0)" } }.joined()
    return "\(issue.file)\(place): \(issue.message)"
  }
}
