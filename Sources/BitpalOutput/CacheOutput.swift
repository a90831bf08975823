package import BitpalCache
package import BitpalJSON

/// `bitpal.cache/1`: what the cache holds.
package struct CacheOutput: OutputShape {
  package let statistics: PriceCache.Statistics

  package init(_ statistics: PriceCache.Statistics) {
    self.statistics = statistics
  }

  /// How many entries there are of all operations.
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
    ]
  }
}

extension FactsOutput {
  /// `bitpal.cache_clear/1`: how many answers, or request budgets, were removed.
  package static func cacheCleared(_ count: Int) -> FactsOutput {
    FactsOutput(.cacheClear, ["removed": .integer(count)])
  }
}

extension OutputSchema {
  static let cache = OutputSchema(
    "bitpal.cache/1", "What the cache holds.",
    [
      "path": .text("Where it is; null for none on the disk.").orNull,
      "entries": .count("How many answers there are."), "bytes": .count("How large the answers are."),
      "disk_bytes": .count("How large the files are, with what else is in them."),
      "disk_limit": .count("How large the answers on the disk may become."),
      "memory_limit": .count("How large those in memory may become."),
      "listed_coins": .count("How many coins the cached lists have."),
      "oldest": .instant("When the oldest answer was fetched.").orNull,
      "newest": .instant("When the newest answer was fetched.").orNull,
      "operations": .list(
        .object([
          "operation": .text("A kind of answer."), "entries": .count("How many there are."),
          "bytes": .count("How large they are."),
        ]), "By kind of answer."),
    ])

  static let cacheClear = OutputSchema(
    "bitpal.cache_clear/1", "That the cache was cleared, or request budgets forgotten.",
    ["removed": .count("How many of them.")])
}
