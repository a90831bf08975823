import BitpalModel

/// Readers of JSON that stay open between readings, each with the statements it has compiled.
///
/// Opening one takes about as long as reading ten quotes. Whoever reads takes one out and puts it back, so that two may
/// read at once and no lock is held meanwhile.
package final class JSONRowsPool: Sendable {
  private final class Lane: @unchecked Sendable {
    // Sendable holds because a lane has one owner at a time: it is handed over under the pool's lock, and whoever takes it
    // out uses it alone until it is put back.
    let rows: JSONRows

    init() throws(JSONRows.Failure) {
      rows = try JSONRows()
    }
  }

  /// As many as are kept when several read at once.
  private static let idleLimit = 2

  private let idle = Locked<[Lane]>([])

  package init() {}

  /// Runs `body` with a reader that nobody else uses meanwhile.
  ///
  /// Its statements are kept: the SQL must be one of few texts, with what changes bound as a parameter.
  package func withRows<Result>(_ body: (JSONRows) throws -> Result) throws -> Result {
    let lane = try idle.withLock { $0.popLast() } ?? Lane()
    defer {
      idle.withLock { if $0.count < Self.idleLimit { $0.append(lane) } }
    }
    return try body(lane.rows)
  }
}
