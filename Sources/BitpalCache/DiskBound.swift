import BitpalFiles
import BitpalModel
import BitpalSQLite
import Glibc

/// Keeps the files of the lower tier, log and index included, within a number of bytes.
///
/// A sixteenth is for the log, which is written back into the database and cut whenever it has grown beyond that. The
/// database may have so many pages as fill the rest: SQLite itself refuses to take more, and then what was fetched longest
/// ago makes room.
struct DiskBound: Hashable, Sendable {
  /// Less than this is no room for the tables and a few answers; a smaller limit counts as this one.
  static let smallest = 512 << 10

  /// What the index of the log takes (SQLite's WAL format, section 2.1: blocks of 32 KiB, one for 4,062 pages).
  private static let indexBytes = 32 << 10

  /// The most bytes of all files together.
  let bytes: Int

  init(bytes: Int) {
    self.bytes = max(bytes, Self.smallest)
  }

  private var logBytes: Int { bytes / 16 }

  /// The most bytes of the database alone.
  var databaseBytes: Int { bytes - logBytes - Self.indexBytes }

  /// Sets the bounds, which hold for this connection; a file from a time of larger ones is made smaller.
  func impose(on connection: SQLiteConnection) throws {
    let page = max(512, try connection.integer("PRAGMA page_size") ?? 4096)
    let pages = Int64(databaseBytes) / page
    try connection.execute(
      "PRAGMA journal_size_limit = \(logBytes); PRAGMA wal_autocheckpoint = \(Int64(logBytes) / page)")
    let setPages = "PRAGMA max_page_count = \(pages)"
    // It answers with how many there are when those are more.
    guard let count = try connection.integer(setPages), count > pages else { return }
    try connection.transaction { try Self.free(count - pages / 8 * 7, in: connection) }
    try connection.execute("VACUUM")
    _ = try connection.integer(setPages)
  }

  /// How often a transaction that does not fit is worth another attempt; not when it is the disk that is full.
  func attempts(at path: String) -> Int { Self.isDiskFull(path) ? 0 : 2 }

  /// Makes room within a transaction that did not fit: an eighth of the database, which does for most, then all of it.
  ///
  /// - Parameter attempt: From 1.
  func makeRoom(in connection: SQLiteConnection, attempt: Int) throws {
    let pages = try connection.integer("PRAGMA max_page_count") ?? 0
    try Self.free(attempt == 1 ? pages / 8 : pages, in: connection)
  }

  /// Removes answers, those fetched longest ago first, until so many pages are free; when that does not do, coin lists.
  private static func free(_ pages: Int64, in connection: SQLiteConnection) throws {
    let page = try connection.integer("PRAGMA page_size") ?? 4096
    let delete = try connection.prepare("DELETE FROM entry WHERE rowid = ?1")
    while true {
      let missing = pages - (try connection.integer("PRAGMA freelist_count") ?? 0)
      guard missing > 0 else { return }
      let rows = try oldest(missing * page, in: connection)
      guard !rows.isEmpty else { return try connection.execute("DELETE FROM coin_list; DELETE FROM coin") }
      for row in rows {
        try delete.bind(1, row)
        try delete.run()
      }
    }
  }

  /// The answers fetched longest ago that take so many bytes together, one at least if there is one.
  private static func oldest(_ bytes: Int64, in connection: SQLiteConnection) throws -> [Int64] {
    let statement = try connection.prepare("SELECT rowid, bytes FROM entry ORDER BY fetched_at")
    var rows: [Int64] = []
    var left = bytes
    while left > 0, try statement.step() {
      rows.append(statement.integer(0))
      left -= statement.integer(1)
    }
    return rows
  }

  /// Whether the disk has so little left that SQLite must have meant that.
  private static func isDiskFull(_ path: String) -> Bool {
    var status = statvfs()
    guard statvfs(path, &status) == 0 else { return false }
    return UInt(status.f_bavail) * status.f_frsize < 256 << 10
  }

  /// Writes the log back and empties it when it takes more than its share: after much was written at once, or after a
  /// process that died.
  func trimLog(of connection: SQLiteConnection, path: String) {
    guard let log = try? FileStatus(path + "-wal"), log.size > logBytes else { return }
    // Whoever reads right now keeps it as it is; the next one to write tries again.
    let patience = connection.busyTimeout
    connection.busyTimeout = .zero
    _ = try? connection.integer("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.busyTimeout = patience
  }
}
