/// The fleet that a machine belongs to: machines that share answers and budgets on one Redis.
package struct FleetSettings: Hashable, Sendable {
  /// The address of its Redis.
  package var address: FleetAddress

  /// The largest number of machines, out of ``possibleMembers``: while Redis does not answer, each keeps to its share
  /// of a budget.
  package var members: Int

  /// The absolute path of a PEM file with the authorities that may sign Redis's certificate; nil for those of the
  /// system.
  package var certificates: String?

  /// The beginning of the names of all keys, up to a colon; ``isPrefix(_:)`` says which texts are valid.
  package var prefix: String

  /// Creates settings of a fleet.
  package init(
    address: FleetAddress, members: Int = FleetSettings.standardMembers, certificates: String? = nil,
    prefix: String = FleetSettings.standardPrefix
  ) {
    self.address = address
    self.members = members
    self.certificates = certificates
    self.prefix = prefix
  }

  /// One machine is no fleet, and a share of a thousandth is next to nothing.
  package static let possibleMembers = 2...1000

  /// The number of machines that is assumed where none is set.
  package static let standardMembers = 2

  /// The beginning of the names of keys where none is set.
  package static let standardPrefix = "bitpal"

  /// Whether names of keys may begin with a text: `bitpal`, with letters, digits, `-`, `_` and `.` after it, or that in
  /// braces, which a Redis Cluster takes for the part that decides where a key is kept.
  ///
  /// So what is removed under a prefix is never another program's.
  package static func isPrefix(_ text: String) -> Bool {
    let isBraced = text.hasPrefix("{") && text.hasSuffix("}")
    let name = isBraced ? text.dropFirst().dropLast() : text[...]
    return name.hasPrefix(standardPrefix) && name.utf8.count <= 60
      && name.utf8.allSatisfy { $0.isASCIILetterOrDigit || "-_.".utf8.contains($0) }
  }
}
