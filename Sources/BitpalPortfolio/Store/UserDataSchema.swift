import BitpalSQLite

/// The tables of the user's data file.
struct UserDataSchema: Sendable {
  /// `bPuD` in ASCII: how `file` and SQLite tell the user's data from other databases, the cache among them.
  static let applicationID: Int32 = 0x6250_7544

  /// What leads from each version to the next; never changed once shipped.
  let steps: [String]

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
    """
  ])

  var migrations: SQLiteMigrations {
    SQLiteMigrations(applicationID: Self.applicationID, steps: steps)
  }
}
