package import BitpalModel
import BitpalSQLite

extension PriceCache {
  /// The best matches of the cached coin list, in the order of ``CoinSearch``.
  package func search(_ search: CoinSearch, limit: Int, provider: String) -> [CoinListItem] {
    disk?.read { connection in
      let rows = try connection.cached(
        """
        SELECT id, symbol, name FROM coin WHERE provider = ?1 AND instr(keys, ?2) > 0
        ORDER BY instr(keys, ?4) = 0, instr(keys, ?3) = 0, name_key, id LIMIT ?5
        """)
      defer { rows.reset() }
      try rows.bind(1, provider)
      try rows.bind(2, search.key)
      try rows.bind(3, "\n\(search.key)")
      try rows.bind(4, "\n\(search.key)\n")
      try rows.bind(5, Int64(max(0, limit)))
      return try Self.items(rows)
    } ?? []
  }
}
