package import BitpalSQLite

extension UserDataFile {
  /// What an examination says of the file; nothing is changed by it.
  package static func health(of path: String) -> DatabaseHealth {
    DatabaseHealth(path: path, migrations: UserDataSchema.current.migrations)
  }
}
