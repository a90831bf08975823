package import BitpalCache
package import BitpalJSON

/// The shape `bitpal.cache/1`: the contents of the cache in figures.
package struct CacheOutput: OutputShape {
  package let statistics: PriceCache.Statistics

  /// The state of the cache that machines share; nil for none.
  package let fleet: FleetStanding?

  package init(_ statistics: PriceCache.Statistics, fleet: FleetStanding?) {
    self.statistics = statistics
    self.fleet = fleet
  }

  /// The number of entries of all operations.
  package var entries: Int { statistics.operations.reduce(0) { $0 + $1.entries } }

  package let schema = OutputSchema.cache

  package var columns: [String] { ["operation", "entries", "bytes"] }

  package var rows: [JSONObject] {
    statistics.operations.map {
      ["operation": .string($0.operation), "entries": .integer($0.entries), "bytes": .integer($0.bytes)]
    }
  }

  package var members: JSONObject {
    [
      "path": JSONValue(statistics.path), "entries": .integer(entries),
      "bytes": .integer(statistics.operations.reduce(0) { $0 + $1.bytes }),
      "disk_bytes": .integer(statistics.diskBytes), "disk_limit": .integer(statistics.diskLimit),
      "memory_limit": .integer(statistics.memoryLimit), "listed_coins": .integer(statistics.coins),
      "oldest": JSONValue(statistics.oldest), "newest": JSONValue(statistics.newest), "operations": rowsValue,
      "fleet": fleet.map { .object($0.json) } ?? .null,
    ]
  }
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

  fileprivate var json: JSONObject {
    [
      "address": .string(address), "standing": .string(standing.rawValue),
      "answers": answers.map { .integer($0) } ?? .null,
      "budgets": budgets.map { .integer($0) } ?? .null, "reason": JSONValue(reason),
    ]
  }
}

extension FactsOutput {
  /// Returns the shape `bitpal.cache_clear/1`: the number of removed answers, or request budgets.
  ///
  /// - Parameter fleet: The number of removed answers that several machines share; nil when they were not to be
  ///   removed.
  package static func cacheCleared(_ count: Int, fleet: Int? = nil) -> FactsOutput {
    FactsOutput(.cacheClear, ["removed": .integer(count), "fleet_removed": fleet.map { .integer($0) } ?? .null])
  }
}

extension OutputSchema {
  static let cache = OutputSchema(
    "bitpal.cache/1", "The content of the cache.",
    [
      "path": .text("The path; null for none on the disk.").orNull,
      "entries": .count("The number of answers."), "bytes": .count("The size of the answers in bytes."),
      "disk_bytes": .count("The size of the files in bytes, with the other data in them."),
      "disk_limit": .count("The largest size of the answers on the disk, in bytes."),
      "memory_limit": .count("The largest size of the answers in memory, in bytes."),
      "listed_coins": .count("The number of coins in the cached lists."),
      "oldest": .instant("The time at which the oldest answer was fetched.").orNull,
      "newest": .instant("The time at which the newest answer was fetched.").orNull,
      "operations": .list(
        .object([
          "operation": .text("A kind of answer."), "entries": .count("The number of them."),
          "bytes": .count("Their size in bytes."),
        ]), "Figures by kind of answer."),
      "fleet": .object(
        [
          "address": .text("The address of its server."),
          "standing": .word(FleetStanding.Word.allCases.map(\.rawValue), "The state of the server."),
          "answers": .count("The number of answers that it keeps.").orNull,
          "budgets": .count("The number of request budgets that it keeps.").orNull,
          "reason": .text("The reason why it is not up.").orNull,
        ], "The server that several machines share; null without a fleet."
      ).orNull,
    ])

  static let cacheClear = OutputSchema(
    "bitpal.cache_clear/1", "That the cache was cleared, or request budgets forgotten.",
    [
      "removed": .count("The number of them."),
      "fleet_removed": .count("The number of answers of the fleet; null where that was not asked for.")
        .orNull,
    ])
}
