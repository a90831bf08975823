import BitpalSQLite

/// The tables of the cache file.
enum CacheSchema {
  /// `bPal` in ASCII: how `file` and SQLite tell a cache of ours from other databases.
  static let migrations = SQLiteMigrations(
    applicationID: 0x6250_616C,
    steps: [
      """
      CREATE TABLE entry (
        provider TEXT NOT NULL, operation TEXT NOT NULL, coin TEXT NOT NULL, currency TEXT NOT NULL,
        range TEXT NOT NULL,
        fetched_at INTEGER NOT NULL,  -- milliseconds since 1970, our clock
        source TEXT NOT NULL,
        bytes INTEGER NOT NULL,       -- of the payload
        payload TEXT NOT NULL,        -- JSON, numbers as strings
        PRIMARY KEY (provider, operation, coin, currency, range)
      );
      CREATE INDEX entry_by_age ON entry (fetched_at, bytes);
      CREATE TABLE coin_list (provider TEXT PRIMARY KEY, fetched_at INTEGER NOT NULL, source TEXT NOT NULL);
      CREATE TABLE coin (
        provider TEXT NOT NULL, id TEXT NOT NULL, symbol TEXT NOT NULL, name TEXT NOT NULL,
        PRIMARY KEY (provider, id)
      ) WITHOUT ROWID;
      CREATE INDEX coin_by_symbol ON coin (provider, symbol);
      """
    ])
}
