package import BitpalModel
import BitpalSQLite

/// What is costly to open and stays open between readings.
///
/// Whoever reads takes one out and puts it back, so that two may read at once and no lock is held meanwhile.
final class LanePool<Lane>: Sendable {
  private struct Kept: @unchecked Sendable {
    // Sendable holds because a lane has one owner at a time: it is handed over under the pool's lock, and whoever takes it
    // out uses it alone until it is put back.
    let lane: Lane
  }

  private let limit: Int
  private let idle: Locked<[Kept]>

  /// - Parameters:
  ///   - limit: How many are kept when several read at once.
  ///   - first: The lanes that it begins with.
  init(keeping limit: Int, _ first: [Lane] = []) {
    self.limit = limit
    idle = Locked(first.map { Kept(lane: $0) })
  }

  /// Runs `body` with a lane that nobody else uses meanwhile; `make` opens one when none is idle.
  func withLane<Result>(or make: () throws -> Lane, _ body: (Lane) throws -> Result) throws -> Result {
    let kept = try idle.withLock { $0.popLast() } ?? Kept(lane: make())
    defer {
      idle.withLock { if $0.count < limit { $0.append(kept) } }
    }
    return try body(kept.lane)
  }
}

/// Readers of JSON that stay open between readings, each with the statements it has compiled.
///
/// Opening one takes about as long as reading ten quotes.
package final class JSONRowsPool: Sendable {
  private let lanes = LanePool<JSONRows>(keeping: 2)

  package init() {}

  /// Runs `body` with a reader that nobody else uses meanwhile.
  ///
  /// Its statements are kept: the SQL must be one of few texts, with what changes bound as a parameter.
  package func withRows<Result>(_ body: (JSONRows) throws -> Result) throws -> Result {
    try lanes.withLane(or: JSONRows.init, body)
  }
}

/// Sandboxes that stay open between readings, each with the statements it has compiled.
///
/// Opening one and compiling a SELECT in it costs about as much as reading a single quote.
package final class SandboxPool: Sendable {
  /// A sandbox and its statements by their SQL.
  package final class Lane: @unchecked Sendable {
    // Sendable holds because a lane has one owner at a time: it is handed over under the pool's lock, and whoever takes it
    // out uses it alone until it is put back.
    private let sandbox: Sandbox
    private var statements: [String: SandboxStatement] = [:]

    package init() throws(Sandbox.Failure) {
      sandbox = try Sandbox()
    }

    /// The compiled SELECT, kept for the next reading.
    package func prepare(_ sql: String) throws(Sandbox.Failure) -> SandboxStatement {
      if let statement = statements[sql] { return statement }
      let statement = try sandbox.prepare(sql)
      statements[sql] = statement
      return statement
    }
  }

  private let lanes: LanePool<Lane>

  /// A pool that begins with none.
  package init() {
    lanes = LanePool(keeping: 4)
  }

  /// A pool that begins with one sandbox.
  package init(_ first: Lane) {
    lanes = LanePool(keeping: 4, [first])
  }

  /// Runs a SELECT over a body; see ``SandboxStatement/forEach(in:values:_:)``.
  package func forEach(
    _ sql: String, in body: [UInt8], values: [String: String], marks: NumberMarks? = nil,
    _ row: (SandboxRow) throws -> Void
  ) throws {
    try lanes.withLane(or: Lane.init) { try $0.prepare(sql).forEach(in: body, values: values, marks: marks, row) }
  }
}
