import BitpalSQLite

/// The tables of the cache file.
enum CacheSchema {
  /// The migrations of the schema, with the application id `bPal` in ASCII: `file` and SQLite tell our cache by it from
  /// other databases.
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
      """,
      // The search keys of a coin are computed once, when the list is stored; the lists are fetched again for them.
      """
      DROP TABLE coin;
      DELETE FROM coin_list;
      CREATE TABLE coin (
        provider TEXT NOT NULL, id TEXT NOT NULL, symbol TEXT NOT NULL, name TEXT NOT NULL,
        keys TEXT NOT NULL,           -- see CoinSearch.keys
        name_key TEXT NOT NULL,       -- the name as it is sorted
        PRIMARY KEY (provider, id)
      ) WITHOUT ROWID;
      CREATE INDEX coin_by_symbol ON coin (provider, symbol);
      """,
      // All processes share the cool-down of a source that keeps failing.
      """
      CREATE TABLE source_failure (
        provider TEXT PRIMARY KEY, failures INTEGER NOT NULL,
        last_at INTEGER NOT NULL,     -- milliseconds since 1970, our clock
        reason TEXT NOT NULL
      ) WITHOUT ROWID;
      """,
      // That is now kept with the counts of requests, which no command clears as a side effect.
      "DROP TABLE source_failure;",
      // A damaged row does not count as an answer; rows without a checksum are fetched again.
      """
      DROP TABLE entry;
      DROP TABLE coin;
      DELETE FROM coin_list;
      CREATE TABLE entry (
        provider TEXT NOT NULL, operation TEXT NOT NULL, coin TEXT NOT NULL, currency TEXT NOT NULL,
        range TEXT NOT NULL,
        fetched_at INTEGER NOT NULL,  -- milliseconds since 1970, our clock
        source TEXT NOT NULL,
        bytes INTEGER NOT NULL,       -- of the payload
        payload TEXT NOT NULL,        -- JSON, numbers as strings
        checksum INTEGER NOT NULL,    -- bitpal_checksum of the columns before
        PRIMARY KEY (provider, operation, coin, currency, range)
      );
      CREATE INDEX entry_by_age ON entry (fetched_at, bytes);
      CREATE TABLE coin (
        provider TEXT NOT NULL, id TEXT NOT NULL, symbol TEXT NOT NULL, name TEXT NOT NULL,
        keys TEXT NOT NULL,           -- see CoinSearch.keys
        name_key TEXT NOT NULL,       -- the name as it is sorted
        checksum INTEGER NOT NULL,    -- bitpal_checksum of provider, id, symbol and name
        PRIMARY KEY (provider, id)
      ) WITHOUT ROWID;
      CREATE INDEX coin_by_symbol ON coin (provider, symbol);
      """,
    ])
}
