package import BitpalSQLite

extension PriceCache {
  /// What an examination says of a cache file; nothing is changed by it.
  package static func health(of path: String) -> DatabaseHealth {
    DatabaseHealth(path: path, migrations: CacheSchema.migrations)
  }
}
