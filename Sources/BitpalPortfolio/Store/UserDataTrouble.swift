import BitpalModel
import BitpalSQLite

/// What a failure means for the user's data file, in words.
enum UserDataTrouble {
  /// The failure as an error of the file; any other error as it is.
  ///
  /// - Parameter isBackup: The file is a backup, so that advice to restore one would not help.
  static func error(for failure: any Error, path: String, isBackup: Bool = false) -> any Error {
    switch failure {
    case SQLiteMigrations.Failure.newer(let found, let known):
      BitpalError.dataFile(
        path: path,
        reason:
          "was written by a newer bitpal (its format is \(found), this version knows \(known)); it is left untouched")
    case SQLiteMigrations.Failure.foreign:
      BitpalError.dataFile(path: path, reason: "is not a data file of bitpal; it is left untouched")
    case let error as SQLiteError:
      BitpalError.dataFile(path: path, reason: reason(error, isBackup))
    default:
      failure
    }
  }

  private static func reason(_ error: SQLiteError, _ isBackup: Bool) -> String {
    let words = error.message.isEmpty ? "SQLite code \(error.code.rawValue)" : error.message
    return switch error.code.primary {
    case .readOnly: "cannot be written (\(words)); nothing was changed"
    case .full: "the disk is full; nothing was changed"
    case .cannotOpen: "cannot be opened (\(words))"
    case .busy: "another program is writing to it; nothing was changed"
    case .corrupt, .notADatabase:
      "is damaged (\(words))" + (isBackup ? "" : "; \"bitpal portfolio restore FILE\" brings a backup back")
    case .inputOutput: "cannot be read or written (\(words)); nothing was changed"
    default: words
    }
  }
}
