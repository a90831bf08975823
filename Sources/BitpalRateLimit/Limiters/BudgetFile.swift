package import BitpalSQLite

/// The file with the request budgets of all processes.
package enum BudgetFile {
  /// What an examination says of the file; nothing is changed by it.
  package static func health(of path: String) -> DatabaseHealth {
    DatabaseHealth(path: path, migrations: BudgetRow.migrations)
  }
}
