package import BitpalModel
import CSQLite

/// A SELECT from a file, compiled in its sandbox.
package final class SandboxStatement {
  private let handle: OpaquePointer
  private let sandbox: Sandbox

  init(handle: OpaquePointer, sandbox: Sandbox) {
    self.handle = handle
    self.sandbox = sandbox
  }

  deinit {
    sqlite3_finalize(handle)
  }

  /// The names of the result columns, in their order.
  package private(set) lazy var columns: [String] = {
    (0..<sqlite3_column_count(handle)).map { column in
      sqlite3_column_name(handle, column).map { String(cString: $0) } ?? ""
    }
  }()

  /// The names of the parameters, with their colon, in their order; empty for those without a name.
  package private(set) lazy var parameters: [String] = {
    let count = sqlite3_bind_parameter_count(handle)
    guard count > 0 else { return [] }
    return (1...count).map { index in
      sqlite3_bind_parameter_name(handle, index).map { String(cString: $0) } ?? ""
    }
  }()

  /// Runs the statement over a body and calls `row` for each row of the result.
  ///
  /// - Parameters:
  ///   - body: The value of `:body`.
  ///   - values: The values of the other parameters, by name with the colon.
  ///   - marks: The number format of the texts that `number` reads; nil for JSON's format.
  ///   - row: Called with one row after the other; the row is valid only during the call.
  /// - Throws: ``Sandbox/Failure``, or the errors of `row`.
  package func forEach(
    in body: [UInt8], values: [String: String], marks: NumberMarks? = nil, _ row: (SandboxRow) throws -> Void
  ) throws {
    sandbox.guardian.marks = marks
    try sandbox.run(over: body) { try forEach(in: $0, values, row) }
  }

  /// Runs the statement over tables that hold `count` bytes and calls `row` for each row of the result.
  ///
  /// - Throws: ``Sandbox/Failure``, or the errors of `row`.
  func forEach(
    overTablesOf count: Int, budget: Sandbox.Budget, marks: NumberMarks?, _ row: (SandboxRow) throws -> Void
  ) throws {
    sandbox.guardian.marks = marks
    let body = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
    try sandbox.run(overTablesOf: count, budget) { try forEach(in: body, [:], row) }
  }

  private func forEach(
    in body: UnsafeBufferPointer<UInt8>, _ values: [String: String], _ row: (SandboxRow) throws -> Void
  ) throws {
    defer {
      sqlite3_reset(handle)
      sqlite3_clear_bindings(handle)
    }
    for (index, name) in parameters.enumerated() {
      try check(name == ":body" ? bind(index + 1, body) : bind(index + 1, values[name]), body: body)
    }
    let current = SandboxRow(handle: handle, guardian: sandbox.guardian)
    while true {
      switch sqlite3_step(handle) {
      case SQLITE_ROW:
        try row(current)
        sandbox.guardian.countOutput(Sandbox.Budget.rowBytes)
        guard sandbox.guardian.exhaustion == nil else { throw sandbox.failure(body: body) }
      case SQLITE_DONE: return
      default: throw sandbox.failure(body: body)
      }
    }
  }

  private func bind(_ index: Int, _ bytes: UnsafeBufferPointer<UInt8>) -> Int32 {
    bytes.withMemoryRebound(to: CChar.self) { characters in
      bitpal_bind_borrowed_text(handle, Int32(clamping: index), characters.baseAddress, UInt64(characters.count))
    }
  }

  private func bind(_ index: Int, _ value: String?) -> Int32 {
    guard var value else { return sqlite3_bind_null(handle, Int32(clamping: index)) }
    return value.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { characters in
        bitpal_bind_text(handle, Int32(clamping: index), characters.baseAddress, UInt64(characters.count))
      }
    }
  }

  private func check(_ code: Int32, body: UnsafeBufferPointer<UInt8>) throws(Sandbox.Failure) {
    guard code == SQLITE_OK else { throw sandbox.failure(body: body) }
  }
}
