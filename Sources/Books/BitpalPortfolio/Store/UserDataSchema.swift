import BitpalFiles
import BitpalModel

/// The tables of the user's data file.
enum UserDataSchema {
  /// The tables, with the application id `bPuD` in ASCII, by which `file` and SQLite distinguish the user's data from
  /// other databases.
  ///
  /// An index for the coins would hide rows from sums when it is damaged. For a list behind `IN`, SQLite would make a table
  /// for each row that is inserted.
  static let current = SQLiteSchema(
    applicationID: 0x6250_7544, version: 6,
    statements: """
      CREATE TABLE portfolio (name TEXT PRIMARY KEY, currency TEXT NOT NULL, method TEXT NOT NULL) STRICT;
      CREATE TABLE trade (
        sequence INTEGER PRIMARY KEY AUTOINCREMENT,  -- the order of those of one instant
        portfolio TEXT NOT NULL REFERENCES portfolio (name) ON UPDATE CASCADE,
        id TEXT NOT NULL,
        coin TEXT NOT NULL,
        type TEXT NOT NULL CHECK (type = 'buy' OR type = 'sell' OR type = 'receive' OR type = 'send'),
        amount TEXT NOT NULL,                        -- numbers are text: every digit counts
        price TEXT,                                  -- none for what was sent without a value
        fee TEXT NOT NULL,
        date INTEGER NOT NULL,                       -- milliseconds since 1970
        notes TEXT,
        label TEXT,
        joined TEXT,                                 -- the same for those that happened together
        total TEXT,                                  -- what all cost, where price is this divided by amount and rounded
        checksum INTEGER NOT NULL,                   -- bitpal_checksum from id to total
        UNIQUE (portfolio, id)
      ) STRICT;
      CREATE TABLE watchlist (
        coin TEXT PRIMARY KEY,
        date_added INTEGER NOT NULL,                 -- milliseconds since 1970
        sort_order INTEGER NOT NULL DEFAULT 0,
        group_name TEXT,
        note TEXT
      ) STRICT;
      CREATE TABLE change (                          -- what can be taken back, the last first
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        portfolio TEXT NOT NULL,
        kind TEXT NOT NULL CHECK (kind IN ('add', 'replace', 'remove', 'delete')),
        date INTEGER NOT NULL,                       -- milliseconds since 1970
        first INTEGER,                               -- the sequences that it added
        last INTEGER,
        currency TEXT,                               -- of a portfolio that it deleted
        method TEXT
      ) STRICT;
      CREATE TABLE former (                          -- what a change replaced or removed
        change INTEGER NOT NULL REFERENCES change (number) ON DELETE CASCADE,
        sequence INTEGER NOT NULL,
        portfolio TEXT NOT NULL,
        id TEXT NOT NULL,
        coin TEXT NOT NULL,
        type TEXT NOT NULL,
        amount TEXT NOT NULL,
        price TEXT,
        fee TEXT NOT NULL,
        date INTEGER NOT NULL,
        notes TEXT,
        label TEXT,
        joined TEXT,
        total TEXT,
        checksum INTEGER NOT NULL,
        PRIMARY KEY (change, sequence)
      ) STRICT;
      CREATE TABLE seal (                            -- what the other tables held after the last write
        part TEXT PRIMARY KEY,
        rows INTEGER NOT NULL,
        checksum INTEGER NOT NULL
      ) STRICT;
      """)
}

/// The translation of SQLite's failures into errors of the user's data file.
enum UserDataFailure {
  /// Returns a failure as an error of the file, or any other error unchanged.
  ///
  /// - Parameters:
  ///   - failure: The failure.
  ///   - path: The file.
  ///   - isBackup: Whether the file is a backup, for which advice to restore one is left out.
  static func error(for failure: any Error, path: String, isBackup: Bool = false) -> any Error {
    switch failure {
    case SQLiteSchema.Failure.newer(let found, let known):
      BitpalError.dataFile(
        path: path,
        reason:
          "was written by a newer bitpal (its format is \(found), this version knows \(known)); it is left untouched")
    case SQLiteSchema.Failure.older(let found, let known):
      BitpalError.dataFile(
        path: path,
        reason:
          "was written by a bitpal from before its first release (its format is \(found), this version knows \(known)); "
          + "it is left untouched; export the portfolios with that bitpal, and import them into a new file")
    case SQLiteSchema.Failure.foreign:
      BitpalError.dataFile(path: path, reason: "is not a data file of bitpal; it is left untouched")
    case let broken as BrokenSeal:
      BitpalError.dataFile(
        path: path,
        reason: "is damaged: \(broken.message)"
          + (isBackup ? "; --accept-damage takes it as it is" : "; \(advice)"))
    case let row as DamagedTransaction:
      BitpalError.dataFile(
        path: path,
        reason: "is damaged: \(row.message)"
          + (isBackup ? "; --accept-damage takes it as it is" : "; \(advice(row, path))"))
    case let error as SQLiteError:
      BitpalError.dataFile(path: path, reason: reason(error, isBackup))
    default:
      failure
    }
  }

  /// The advice for a damaged file.
  private static let advice = "\"bitpal portfolio restore FILE\" brings a backup back"

  /// Returns the advice for a damaged row, with the copy that has the row undamaged where there is one.
  static func advice(_ row: DamagedTransaction, _ path: String) -> String {
    guard let copy = row.soundCopy(beside: path) else {
      return advice
    }
    return "\(copy) has it whole: bitpal portfolio restore \(ShellWord(copy))"
  }

  private static func reason(_ error: SQLiteError, _ isBackup: Bool) -> String {
    let message = error.message.isEmpty ? "SQLite code \(error.code.rawValue)" : error.message
    return switch error.code.primary {
    case .readOnly: "cannot be written (\(message)); nothing was changed"
    case .full: "the disk is full; nothing was changed"
    case .cannotOpen: "cannot be opened (\(message))"
    case .busy: "another program is writing to it; nothing was changed"
    case .corrupt, .notADatabase:
      "is damaged (\(message))" + (isBackup ? "" : "; \(advice)")
    case .inputOutput: "cannot be read or written (\(message)); nothing was changed"
    default: message
    }
  }
}
