import BitpalRateLimit
package import BitpalSQLite

/// The file with the request budgets of all processes, which lies beside the cache.
package struct SharedBudgets: Sendable {
  /// The file.
  package let path: String

  /// The one that belongs to a cache file.
  package init(besideCache cache: String) {
    path = (cache.lastIndex(of: "/").map { String(cache[..<$0]) } ?? ".") + "/budgets.db"
  }

  /// What an examination says of the file; nothing is changed by it.
  package var health: DatabaseHealth { BudgetFile.health(of: path) }
}
