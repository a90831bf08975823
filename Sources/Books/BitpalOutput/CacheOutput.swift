package import BitpalCache
import BitpalJSON

/// The shape `bitpal.cache/1`: the contents of the cache in figures.
package struct CacheOutput: FieldShape {
  package let statistics: PriceCache.Statistics

  /// The state of the cache that machines share; nil for none.
  package let fleet: FleetStanding?

  package init(_ statistics: PriceCache.Statistics, fleet: FleetStanding?) {
    self.statistics = statistics
    self.fleet = fleet
  }

  /// The number of entries of all operations.
  package var entries: Int { statistics.operations.reduce(0) { $0 + $1.entries } }

  package static let shape = Shape<Self>(
    "bitpal.cache/1", "The content of the cache.",
    [
      Field("path", .text("The path; null for none on the disk.")) { $0.statistics.path },
      Field("entries", .count("The number of answers.")) { $0.entries },
      Field("bytes", .count("The size of the answers in bytes.")) {
        $0.statistics.operations.reduce(0) { $0 + $1.bytes }
      },
      Field("disk_bytes", .count("The size of the files in bytes, with the other data in them.")) {
        $0.statistics.diskBytes
      },
      Field("disk_limit", .count("The largest size of the answers on the disk, in bytes.")) {
        $0.statistics.diskLimit
      },
      Field("memory_limit", .count("The largest size of the answers in memory, in bytes.")) {
        $0.statistics.memoryLimit
      },
      Field("listed_coins", .count("The number of coins in the cached lists.")) { $0.statistics.coins },
      Field("oldest", .instant("The time at which the oldest answer was fetched.")) { $0.statistics.oldest },
      Field("newest", .instant("The time at which the newest answer was fetched.")) { $0.statistics.newest },
      .list("operations", "Figures by kind of answer.", rowFields) { $0.rowSubjects },
      .object(
        "fleet", "The server that several machines share; null without a fleet.", FleetStanding.fields, orNull: \.fleet),
    ])

  package static let rowFields: Fields<PriceCache.OperationUsage> = [
    Field("operation", .text("A kind of answer.")) { $0.operation },
    Field("entries", .count("The number of them.")) { $0.entries },
    Field("bytes", .count("Their size in bytes.")) { $0.bytes },
  ]

  package var rowSubjects: [PriceCache.OperationUsage] { statistics.operations }
}

/// The state of the server that several machines share, and the number of its answers and budgets.
package struct FleetStanding: Hashable, Sendable {
  /// The state of the server.
  package enum Word: String, CaseIterable, Sendable {
    case up
    case down

    /// The server answers but accepts no writes, as a replica does.
    case readOnly = "read_only"

    /// The server was not asked.
    case unknown
  }

  /// The address of the server, without a password.
  package let address: String
  package let standing: Word

  /// The number of answers on the server; nil when it did not state it.
  package let answers: Int?

  /// The number of budgets on the server; nil when it did not state it.
  package let budgets: Int?

  /// The reason why the server is not up; nil when it is.
  package let reason: String?

  package init(_ address: String, _ standing: Word, answers: Int? = nil, budgets: Int? = nil, reason: String? = nil) {
    self.address = address
    self.standing = standing
    self.answers = answers
    self.budgets = budgets
    self.reason = reason
  }

  fileprivate static let fields: Fields<FleetStanding> = [
    Field("address", .text("The address of its server.")) { $0.address },
    Field("standing", .word(Word.allCases.map(\.rawValue), "The state of the server.")) { $0.standing.rawValue },
    Field("answers", .count("The number of answers that it keeps.")) { $0.answers },
    Field("budgets", .count("The number of request budgets that it keeps.")) { $0.budgets },
    Field("reason", .text("The reason why it is not up.")) { $0.reason },
  ]
}
