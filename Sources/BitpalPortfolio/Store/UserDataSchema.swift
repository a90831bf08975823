import BitpalModel
import BitpalSQLite

/// The tables of the user's data file.
struct UserDataSchema: Sendable {
  /// The number `bPuD` in ASCII, by which `file` and SQLite distinguish the user's data from other databases.
  static let applicationID: Int32 = 0x6250_7544

  /// The migrations from each version to the next; never changed once shipped.
  let steps: [String]

  /// The tables of this version.
  static let current = UserDataSchema(steps: [
    """
    CREATE TABLE portfolio (name TEXT PRIMARY KEY, currency TEXT NOT NULL) STRICT;
    CREATE TABLE trade (
      sequence INTEGER PRIMARY KEY AUTOINCREMENT,  -- the order of those of one instant
      portfolio TEXT NOT NULL REFERENCES portfolio (name),
      id TEXT NOT NULL,
      coin TEXT NOT NULL,
      type TEXT NOT NULL CHECK (type IN ('buy', 'sell')),
      amount TEXT NOT NULL,                        -- numbers are text: every digit counts
      price TEXT NOT NULL,
      fee TEXT NOT NULL,
      date INTEGER NOT NULL,                       -- milliseconds since 1970
      notes TEXT,
      UNIQUE (portfolio, id)
    ) STRICT;
    CREATE INDEX trade_by_coin ON trade (portfolio, coin);
    CREATE TABLE watchlist (
      coin TEXT PRIMARY KEY,
      date_added INTEGER NOT NULL,                 -- milliseconds since 1970
      sort_order INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    """,
    """
    CREATE TEMP TABLE former_portfolio AS SELECT * FROM portfolio;
    CREATE TEMP TABLE former_trade AS SELECT * FROM trade;
    DROP TABLE trade;
    DROP TABLE portfolio;
    CREATE TABLE portfolio (name TEXT PRIMARY KEY, currency TEXT NOT NULL, method TEXT NOT NULL) STRICT;
    CREATE TABLE trade (
      sequence INTEGER PRIMARY KEY AUTOINCREMENT,  -- the order of those of one instant
      portfolio TEXT NOT NULL REFERENCES portfolio (name) ON UPDATE CASCADE,
      id TEXT NOT NULL,
      coin TEXT NOT NULL,
      type TEXT NOT NULL CHECK (type IN ('buy', 'sell', 'receive', 'send')),
      amount TEXT NOT NULL,                        -- numbers are text: every digit counts
      price TEXT,                                  -- none for what was sent without a value
      fee TEXT NOT NULL,
      date INTEGER NOT NULL,                       -- milliseconds since 1970
      notes TEXT,
      label TEXT,
      joined TEXT,                                 -- the same for those that happened together
      UNIQUE (portfolio, id)
    ) STRICT;
    INSERT INTO portfolio SELECT name, currency, 'average' FROM former_portfolio;
    INSERT INTO trade
      SELECT sequence, portfolio, id, coin, type, amount, price, fee, date, notes, NULL, NULL FROM former_trade;
    DROP TABLE former_trade;
    DROP TABLE former_portfolio;
    CREATE INDEX trade_by_coin ON trade (portfolio, coin);
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
      PRIMARY KEY (change, sequence)
    ) STRICT;
    """,
    rebuilding("NULL"),
    rebuilding(
      "bitpal_checksum(id, coin, type, amount, price, fee, date, notes, label, joined, total)",
      tradeColumn: "checksum INTEGER NOT NULL,                   -- bitpal_checksum from id to total\n  ",
      formerColumn: "checksum INTEGER NOT NULL,\n  "),
  ])

  /// Returns the statements that recreate the tables of transactions with one more column at the end.
  ///
  /// - Parameters:
  ///   - value: The SQL for the value of the new column in the existing rows.
  ///   - tradeColumn: The definition of the column in `trade`; empty when the new column is `total` itself.
  ///   - formerColumn: The definition of the column in `former`, likewise.
  private static func rebuilding(_ value: String, tradeColumn: String = "", formerColumn: String = "") -> String {
    """
    CREATE TEMP TABLE kept_trade AS SELECT * FROM trade;
    CREATE TEMP TABLE kept_former AS SELECT * FROM former;
    CREATE TEMP TABLE kept_sequence AS SELECT seq FROM sqlite_sequence WHERE name = 'trade';
    DROP TABLE former;
    DROP TABLE trade;
    CREATE TABLE trade (
      sequence INTEGER PRIMARY KEY AUTOINCREMENT,  -- the order of those of one instant
      portfolio TEXT NOT NULL REFERENCES portfolio (name) ON UPDATE CASCADE,
      id TEXT NOT NULL,
      coin TEXT NOT NULL,
      type TEXT NOT NULL CHECK (type IN ('buy', 'sell', 'receive', 'send')),
      amount TEXT NOT NULL,                        -- numbers are text: every digit counts
      price TEXT,                                  -- none for what was sent without a value
      fee TEXT NOT NULL,
      date INTEGER NOT NULL,                       -- milliseconds since 1970
      notes TEXT,
      label TEXT,
      joined TEXT,                                 -- the same for those that happened together
      total TEXT,                                  -- what all cost, where price is this divided by amount and rounded
      \(tradeColumn)UNIQUE (portfolio, id)
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
      \(formerColumn)PRIMARY KEY (change, sequence)
    ) STRICT;
    INSERT INTO trade SELECT *, \(value) FROM kept_trade;
    INSERT INTO former SELECT *, \(value) FROM kept_former;
    DELETE FROM sqlite_sequence WHERE name = 'trade';
    INSERT INTO sqlite_sequence SELECT 'trade', seq FROM kept_sequence;
    DROP TABLE kept_trade;
    DROP TABLE kept_former;
    DROP TABLE kept_sequence;
    CREATE INDEX trade_by_coin ON trade (portfolio, coin);
    """
  }

  /// The migrations of an older file to these tables.
  var migrations: SQLiteMigrations {
    SQLiteMigrations(applicationID: Self.applicationID, steps: steps)
  }
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
    case SQLiteMigrations.Failure.newer(let found, let known):
      BitpalError.dataFile(
        path: path,
        reason:
          "was written by a newer bitpal (its format is \(found), this version knows \(known)); it is left untouched")
    case SQLiteMigrations.Failure.foreign:
      BitpalError.dataFile(path: path, reason: "is not a data file of bitpal; it is left untouched")
    case let row as DamagedTransaction:
      BitpalError.dataFile(
        path: path, reason: "is damaged: \(row.message)" + (isBackup ? "" : "; \(advice(row, path))"))
    case let error as SQLiteError:
      BitpalError.dataFile(path: path, reason: reason(error, isBackup))
    default:
      failure
    }
  }

  /// Returns the advice for a damaged row, with the copy that has the row undamaged where there is one.
  static func advice(_ row: DamagedTransaction, _ path: String) -> String {
    guard let copy = row.soundCopy(beside: path) else {
      return "\"bitpal portfolio restore FILE\" brings a backup back"
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
      "is damaged (\(message))" + (isBackup ? "" : "; \"bitpal portfolio restore FILE\" brings a backup back")
    case .inputOutput: "cannot be read or written (\(message)); nothing was changed"
    default: message
    }
  }
}
