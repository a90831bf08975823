import BitpalModel

/// One thing `bitpal doctor` has looked at.
struct DoctorFinding: Equatable, Sendable {
  /// The meaning of the finding for the user.
  enum Verdict: String, Sendable {
    /// As it should be.
    case good

    /// Worth knowing; nothing is wrong.
    case note

    /// Something does not work as it could; prices can be had all the same.
    case warning

    /// bitpal cannot be used so.
    case bad
  }

  /// Under which heading it stands.
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

  /// Under which heading it stands.
  let topic: Topic

  /// The subject: `libcurl`, `cache`, the id of a provider.
  let subject: String
  let verdict: Verdict

  /// The finding, on one line.
  let message: String

  /// The command that fixes it; nil when nothing needs a fix, or no command fixes it.
  let fix: String?

  /// The status with which a run that has found this ends.
  let status: ExitStatus

  /// Something that is as it should be.
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
  /// The words of an error on one line: of a file's faults the first, and how many more there are.
  static func message(of error: any Error) -> String {
    guard let error = error as? BitpalError else { return "\(error)" }
    guard case .configuration(let issues) = error, let first = issues.first else { return error.description }
    return message(of: first) + (issues.count > 1 ? " (and \(issues.count - 1) more)" : "")
  }

  /// Returns the text of an error and, apart from it, the command with which its message ends where it has one.
  static func advice(of error: any Error) -> (message: String, command: String?) {
    let message = message(of: error)
    guard let end = message.ranges(of: "; run: ").last else { return (message, nil) }
    return (String(message[..<end.lowerBound]), String(message[end.upperBound...]))
  }

  /// A fault and its place, without the line it is in.
  static func message(of issue: ConfigurationIssue) -> String {
    let place = [issue.line, issue.column].compactMap { $0.map { ":\($0)" } }.joined()
    return "\(issue.file)\(place): \(issue.message)"
  }
}
