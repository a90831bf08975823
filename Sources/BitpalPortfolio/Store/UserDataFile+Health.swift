import BitpalFiles
package import BitpalSQLite

extension UserDataFile {
  /// What an examination says of the file; nothing is changed by it.
  package static func health(of path: String) -> DatabaseHealth {
    if let file = try? FileStatus(path), file.kind == .regular, file.size <= largestEmpty {
      return .damaged("it is empty")
    }
    return DatabaseHealth(path: path, migrations: UserDataSchema.current.migrations)
  }
}
