import BitpalFiles
import BitpalModel
import Glibc

/// A bound in bytes on the files of the lower tier, including the write-ahead log and its index.
///
/// A sixteenth is for the log, which is written back into the database and truncated whenever it has grown beyond that.
/// The rest is the page limit of the database: SQLite refuses further pages, and then the answers fetched longest ago
/// are removed.
struct DiskBound: Hashable, Sendable {
  /// The smallest bound that has room for the tables and a few answers; a smaller limit counts as this one.
  static let smallest = 512 << 10

  /// The size of the log's index (SQLite's WAL format, section 2.1: blocks of 32 KiB, one for 4,062 pages).
  private static let indexBytes = 32 << 10

  /// The largest size of a log that a process leaves to the next: 64 KiB, 15 pages, which are read in 30 us.
  static let logLeftAtClose = 64 << 10

  /// The largest size of all files together.
  let bytes: Int

  init(bytes: Int) {
    self.bytes = max(bytes, Self.smallest)
  }

  private var logBytes: Int { bytes / 16 }

  /// The largest size of the database alone, in bytes.
  var databaseBytes: Int { bytes - logBytes - Self.indexBytes }

  /// Sets the bounds, which apply to this connection; a database that is too large for them is shrunk.
  ///
  /// - Throws: The error of SQLite.
  func impose(on connection: SQLiteConnection) throws {
    let page = max(512, try connection.integer("PRAGMA page_size") ?? 4096)
    let pages = Int64(databaseBytes) / page
    try connection.execute(
      "PRAGMA journal_size_limit = \(logBytes); PRAGMA wal_autocheckpoint = \(Int64(logBytes) / page)")
    let setPages = "PRAGMA max_page_count = \(pages)"
    // The pragma answers with the number of pages there are when it is above the limit.
    guard let count = try connection.integer(setPages), count > pages else { return }
    try connection.transaction { try Self.free(count - pages / 8 * 7, in: connection) }
    try connection.execute("VACUUM")
    _ = try connection.integer(setPages)
  }

  /// Returns the number of further attempts for a transaction that does not fit: 2, or 0 when the disk itself is full.
  func attempts(at path: String) -> Int { Self.isDiskFull(path) ? 0 : 2 }

  /// Makes room within a transaction that did not fit: an eighth of the database, which is mostly enough, then all of
  /// it.
  ///
  /// - Parameter attempt: The number of the attempt, from 1.
  /// - Throws: The error of SQLite.
  func makeRoom(in connection: SQLiteConnection, attempt: Int) throws {
    let pages = try connection.integer("PRAGMA max_page_count") ?? 0
    try Self.free(attempt == 1 ? pages / 8 : pages, in: connection)
  }

  /// Removes answers, those fetched longest ago first, until enough pages are free; when that is not enough, coin lists
  /// too.
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

  /// Returns the row ids of the answers fetched longest ago that take `bytes` together, at least one if there is one.
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

  /// Returns whether the disk has less than 256 KiB left, so that SQLite's error must mean the disk.
  private static func isDiskFull(_ path: String) -> Bool {
    var status = statvfs()
    guard statvfs(path, &status) == 0 else { return false }
    return UInt(status.f_bavail) * status.f_frsize < 256 << 10
  }

  /// Writes the log back and truncates it when it exceeds its share: after a large write, or after a process that died.
  func trimLog(of connection: SQLiteConnection, path: String) {
    guard let log = try? FileStatus(path + "-wal"), log.size > logBytes else { return }
    // A process that is reading keeps the log as it is; the next writer tries again.
    let patience = connection.busyTimeout
    connection.busyTimeout = .zero
    _ = try? connection.integer("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.busyTimeout = patience
  }
}
