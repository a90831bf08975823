import BitpalFiles

/// The tables of the cache file.
enum CacheSchema {
  /// The tables, with the application id `bPal` in ASCII: `file` and SQLite distinguish our cache by it.
  ///
  /// A damaged row does not count as an answer: a row that differs from its checksum is fetched again.
  static let current = SQLiteSchema(
    applicationID: 0x6250_616C, version: 7,
    statements: """
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
      CREATE TABLE coin_list (
        provider TEXT PRIMARY KEY, fetched_at INTEGER NOT NULL, source TEXT NOT NULL,
        first INTEGER NOT NULL,       -- the place of its first coin; the others follow in the order of keys
        keys TEXT NOT NULL            -- see CoinSearch.keys
      );
      CREATE TABLE coin (
        place INTEGER PRIMARY KEY,
        provider TEXT NOT NULL, id TEXT NOT NULL, symbol TEXT NOT NULL, name TEXT NOT NULL,
        checksum INTEGER NOT NULL,    -- bitpal_checksum of provider, id, symbol and name
        UNIQUE (provider, id)
      );
      CREATE INDEX coin_by_symbol ON coin (provider, symbol);
      """)
}
