import BitpalSQLite

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

  /// A pool that begins with one sandbox.
  package init(_ first: Lane) {
    lanes = LanePool(keeping: 4, [first])
  }

  /// Runs a SELECT over a body; see ``SandboxStatement/forEach(in:values:_:)``.
  package func forEach(
    _ sql: String, in body: [UInt8], values: [String: String], _ row: (SandboxRow) throws -> Void
  ) throws {
    try lanes.withLane(or: Lane.init) { try $0.prepare(sql).forEach(in: body, values: values, row) }
  }
}
