import BitpalModel

extension Finding {
  /// The words of an error on one line: of a file's faults the first, and how many more there are.
  static func words(of error: any Error) -> String {
    guard let error = error as? BitpalError else { return "\(error)" }
    guard case .configuration(let issues) = error, let first = issues.first else { return error.description }
    return words(of: first) + (issues.count > 1 ? " (and \(issues.count - 1) more)" : "")
  }

  /// A fault and its place, without the line it is in.
  static func words(of issue: ConfigurationIssue) -> String {
    let place = [issue.line, issue.column].compactMap { $0.map { ":\($0)" } }.joined()
    return "\(issue.file)\(place): \(issue.message)"
  }
}
