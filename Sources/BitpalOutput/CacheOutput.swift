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

  package let schema = "bitpal.cache/1"

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
    FactsOutput("bitpal.cache_clear/1", ["removed": .integer(count)])
  }
}
