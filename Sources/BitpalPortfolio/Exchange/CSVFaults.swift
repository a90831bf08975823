public import BitpalModel

/// Everything that is wrong with a CSV file; nothing of it has been imported.
public struct CSVFaults: Error, Hashable, Sendable {
  /// One issue a fault, with line and column, in the order of the file.
  public let issues: [ConfigurationIssue]
}

extension CSVFaults: CustomStringConvertible {
  /// One line a fault, with the line of the file below it.
  public var description: String { issues.map(\.description).joined(separator: "\n") }
}
