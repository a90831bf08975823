import BitpalModel

/// Sandboxes that stay open between readings, each with the statements it has compiled.
///
/// Opening one and compiling a SELECT in it costs about as much as reading a single quote. Whoever reads takes one out and
/// puts it back, so that two may read at once and no lock is held meanwhile.
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

  /// As many as are kept when several read at once.
  private static let idleLimit = 4

  private let idle: Locked<[Lane]>

  /// A pool that begins with one sandbox.
  package init(_ first: Lane) {
    idle = Locked([first])
  }

  /// Runs a SELECT over a body; see ``SandboxStatement/forEach(in:values:_:)``.
  package func forEach(
    _ sql: String, in body: [UInt8], values: [String: String], _ row: (SandboxRow) throws -> Void
  ) throws {
    let lane = try idle.withLock { $0.popLast() } ?? Lane()
    defer {
      idle.withLock { if $0.count < Self.idleLimit { $0.append(lane) } }
    }
    try lane.prepare(sql).forEach(in: body, values: values, row)
  }
}
