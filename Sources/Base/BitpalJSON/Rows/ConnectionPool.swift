import BitpalFiles
package import BitpalModel

/// A pool of objects that are costly to open and stay open between readings.
///
/// A reader takes one out and puts it back, so that several can read at once and no lock is held meanwhile.
final class ConnectionPool<Connection>: Sendable {
  private struct Kept: @unchecked Sendable {
    // Sendable holds because a lane has one owner at a time: it is handed over under the pool's lock, and its owner
    // alone uses it until it is put back.
    let connection: Connection
  }

  private let limit: Int
  private let idle: Locked<[Kept]>

  /// Creates a pool.
  ///
  /// - Parameters:
  ///   - limit: The most lanes that are kept.
  ///   - first: The lanes that it begins with.
  init(keeping limit: Int, _ first: [Connection] = []) {
    self.limit = limit
    idle = Locked(first.map { Kept(connection: $0) })
  }

  /// Runs `body` with a lane of its own; `make` opens one when none is idle.
  ///
  /// - Throws: The errors of `make` and `body`.
  func withConnection<Result>(or make: () throws -> Connection, _ body: (Connection) throws -> Result) throws -> Result
  {
    let kept = try idle.withLock { $0.popLast() } ?? Kept(connection: make())
    defer {
      idle.withLock { if $0.count < limit { $0.append(kept) } }
    }
    return try body(kept.connection)
  }
}

/// A pool of JSON readers that stay open between readings, each with its compiled statements.
///
/// Opening one takes about as long as reading ten quotes.
package final class JSONRowsPool: Sendable {
  private let connections = ConnectionPool<JSONRows>(keeping: 2)

  package init() {}

  /// Runs `body` with a reader of its own.
  ///
  /// Its statements are kept: the SQL must be one of few texts, with varying values bound as parameters.
  ///
  /// - Throws: The errors of `body`, and of opening a reader.
  package func withRows<Result>(_ body: (JSONRows) throws -> Result) throws -> Result {
    try connections.withConnection(or: JSONRows.init, body)
  }
}

/// A pool of sandboxes that stay open between readings, each with its compiled statements.
///
/// Opening one and compiling a SELECT in it costs about as much as reading a single quote.
package final class SandboxPool: Sendable {
  /// A sandbox and its statements by their SQL.
  package final class Connection: @unchecked Sendable {
    // Sendable holds because a lane has one owner at a time: it is handed over under the pool's lock, and its owner
    // alone uses it until it is put back.
    private let sandbox: Sandbox
    private var statements: [String: SandboxStatement] = [:]

    /// Opens a sandbox without statements.
    ///
    /// - Throws: ``Sandbox/Failure/failed(_:)`` when SQLite cannot open a database in memory.
    package init() throws(Sandbox.Failure) {
      sandbox = try Sandbox()
    }

    /// Returns the compiled SELECT, which is kept for the next reading.
    ///
    /// - Throws: ``Sandbox/Failure`` for SQL that cannot be compiled or is not allowed.
    package func prepare(_ sql: String) throws(Sandbox.Failure) -> SandboxStatement {
      if let statement = statements[sql] { return statement }
      let statement = try sandbox.prepare(sql)
      statements[sql] = statement
      return statement
    }
  }

  private let connections: ConnectionPool<Connection>

  /// Creates an empty pool.
  package init() {
    connections = ConnectionPool(keeping: 4)
  }

  /// Creates a pool with one sandbox.
  package init(_ first: Connection) {
    connections = ConnectionPool(keeping: 4, [first])
  }

  /// Runs a SELECT over a body; see ``SandboxStatement/forEach(in:values:marks:_:)``.
  ///
  /// - Throws: ``Sandbox/Failure``, or the errors of `row`.
  package func forEach(
    _ sql: String, in body: [UInt8], values: [String: String], marks: NumberMarks? = nil,
    _ row: (SandboxRow) throws -> Void
  ) throws {
    try connections.withConnection(or: Connection.init) {
      try $0.prepare(sql).forEach(in: body, values: values, marks: marks, row)
    }
  }
}
