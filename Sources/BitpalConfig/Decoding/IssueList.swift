import BitpalModel

/// Collects what is wrong with a file, so that all of it is reported in one run.
final class IssueList {
  /// How many issues are kept; a file with more is not this program's, or its reader wants the first ones anyway.
  static let limit = 50

  private var issues: [ConfigurationIssue] = []

  /// How many there are.
  var count: Int { issues.count }

  /// Whether nothing is wrong.
  var isEmpty: Bool { issues.isEmpty }

  /// Adds an issue, unless there are already ``limit``; then it is not even made, for its place takes time to find.
  func add(_ issue: @autoclosure () -> ConfigurationIssue) {
    if issues.count < Self.limit { issues.append(issue()) }
  }

  /// Adds issues.
  func add(_ issues: [ConfigurationIssue]) {
    for issue in issues { add(issue) }
  }

  /// Drops all but the first `count`.
  func keep(first count: Int) {
    issues.removeLast(max(0, issues.count - count))
  }

  /// The issues file by file in the order of their first one, and in a file from top to bottom.
  var sorted: [ConfigurationIssue] {
    var files: [String: Int] = [:]
    for issue in issues where files[issue.file] == nil { files[issue.file] = files.count }
    func place(_ issue: ConfigurationIssue) -> (Int, Int, Int) {
      (files[issue.file] ?? 0, issue.line ?? 0, issue.column ?? 0)
    }
    return issues.sorted { place($0) < place($1) }
  }

  /// Throws what was collected.
  ///
  /// - Throws: ``/BitpalModel/BitpalError/configuration(_:)`` unless the list is empty.
  func check() throws(BitpalError) {
    guard isEmpty else { throw .configuration(sorted) }
  }
}
