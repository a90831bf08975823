/// The settings of a fleet: machines that share answers and budgets on one Redis.
package struct FleetSettings: Hashable, Sendable {
  /// The address of its Redis.
  package var address: FleetAddress

  /// The largest number of machines, within ``possibleMembers``; while Redis does not answer, each machine uses only
  /// its share of a budget.
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

  /// The possible numbers of machines: a fleet has at least two, and a share below a thousandth of a budget is useless.
  package static let possibleMembers = 2...1000

  /// The default number of machines.
  package static let standardMembers = 2

  /// The default beginning of the names of keys.
  package static let standardPrefix = "bitpal"

  /// Returns whether a text is a valid prefix of keys: `bitpal` followed by letters, digits, `-`, `_` and `.`, or that
  /// in braces, which a Redis Cluster takes for the part that selects the node of a key.
  ///
  /// A removal of all keys under a prefix therefore never affects another program.
  package static func isPrefix(_ text: String) -> Bool {
    let isBraced = text.hasPrefix("{") && text.hasSuffix("}")
    let name = isBraced ? text.dropFirst().dropLast() : text[...]
    return name.hasPrefix(standardPrefix) && name.utf8.count <= 60
      && name.utf8.allSatisfy { $0.isASCIILetterOrDigit || "-_.".utf8.contains($0) }
  }
}
