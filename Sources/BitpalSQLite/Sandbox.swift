import BitpalModel
import CSQLite

/// A connection in memory that may read JSON and nothing else, for SQL that comes from a file.
///
/// An authorizer refuses what is not a SELECT over JSON while the statement is compiled; steps and time are bounded while
/// it runs. It is not `Sendable`: one reading, one sandbox.
package final class Sandbox {
  private let handle: OpaquePointer
  private let guardian = SandboxGuard()
  private let budget: Budget

  /// The largest text or result, in bytes: twice the largest body that a transport accepts.
  private static let lengthLimit: Int32 = 16 << 20

  package init(budget: Budget = .standard) throws(Failure) {
    self.budget = budget
    var opened: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_MEMORY
    guard sqlite3_open_v2(":memory:", &opened, flags, nil) == SQLITE_OK, let opened else {
      sqlite3_close_v2(opened)
      throw .failed("out of memory")
    }
    handle = opened
    sqlite3_extended_result_codes(handle, 1)
    // What a query has to keep meanwhile stays in memory: no statement of a file makes files.
    sqlite3_exec(handle, "PRAGMA temp_store = MEMORY", nil, nil, nil)
    // SQLite declares these tables when they are first named, which is a write to its own catalogue.
    sqlite3_exec(handle, "SELECT 1 FROM json_each('[]'), json_tree('[]')", nil, nil, nil)
    sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, Self.lengthLimit)
    sqlite3_limit(handle, SQLITE_LIMIT_SQL_LENGTH, 256 << 10)
    sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, 0)
    sqlite3_limit(handle, SQLITE_LIMIT_EXPR_DEPTH, 200)
    SandboxFunctions.register(on: handle)
    let context = Unmanaged.passUnretained(guardian).toOpaque()
    sqlite3_set_authorizer(
      handle,
      { context, action, first, second, _, _ in
        guard let context else { return SQLITE_DENY }
        let guardian = Unmanaged<SandboxGuard>.fromOpaque(context).takeUnretainedValue()
        let mayRun = guardian.authorize(
          action, first.map { String(cString: $0) }, second.map { String(cString: $0) })
        return mayRun ? SQLITE_OK : SQLITE_DENY
      }, context)
    sqlite3_progress_handler(
      handle, Int32(SandboxGuard.stride),
      { context in
        guard let context else { return 1 }
        return Unmanaged<SandboxGuard>.fromOpaque(context).takeUnretainedValue().mayGoOn() ? 0 : 1
      }, context)
  }

  deinit {
    sqlite3_close_v2(handle)
  }

  /// Compiles one SELECT.
  package func prepare(_ sql: String) throws(Failure) -> SandboxStatement {
    guardian.reset(budget)
    let (word, start) = Self.firstWord(of: sql)
    guard word.isEmpty || ["SELECT", "WITH", "VALUES"].contains(word) else { throw .forbidden(word, offset: start) }
    var statement: OpaquePointer?
    var rest = 0
    var sql = sql
    let code = sql.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { characters in
        var tail: UnsafePointer<CChar>?
        let code = sqlite3_prepare_v3(
          handle, characters.baseAddress, Int32(clamping: characters.count), 0, &statement, &tail)
        if let tail, let start = characters.baseAddress { rest = start.distance(to: tail) }
        return code
      }
    }
    guard code == SQLITE_OK else {
      let offset = Int(sqlite3_error_offset(handle))
      let place = offset >= 0 ? offset : nil
      if let refusal = guardian.refusal { throw .forbidden(refusal, offset: place) }
      throw .syntax(String(cString: sqlite3_errmsg(handle)), offset: place)
    }
    guard let statement else { throw .syntax("the statement is empty", offset: nil) }
    let compiled = SandboxStatement(handle: statement, sandbox: self)
    let tail = Array(sql.utf8.dropFirst(rest))
    if let extra = tail.firstIndex(where: { $0 > 0x20 && $0 != UInt8(ascii: ";") }) {
      throw .forbidden("a second statement", offset: rest + extra)
    }
    guard sqlite3_stmt_readonly(statement) != 0, sqlite3_column_count(statement) > 0 else {
      throw .forbidden("anything but a SELECT", offset: nil)
    }
    return compiled
  }

  /// The first word of a statement, in capitals, and the byte where it begins; comments are passed over.
  private static func firstWord(of sql: String) -> (word: String, start: Int) {
    let bytes = Array(sql.utf8)
    var index = 0
    while index < bytes.count {
      if bytes[index] <= 0x20 {
        index += 1
      } else if bytes[index...].starts(with: "--".utf8) {
        index = bytes[index...].firstIndex(of: 0x0A) ?? bytes.count
      } else if bytes[index...].starts(with: "/*".utf8) {
        index =
          bytes.indices.dropFirst(index + 2).first { bytes[$0...].starts(with: "*/".utf8) }.map { $0 + 2 }
          ?? bytes.count
      } else {
        break
      }
    }
    let word = bytes[index...].prefix { (0x41...0x5A).contains($0 & 0xDF) }
    return (String(decoding: word, as: UTF8.self).uppercased(), index)
  }

  /// Starts the budget of a run.
  func startBudget() {
    guardian.reset(budget)
  }

  /// Why the last call failed.
  func failure(body: UnsafeBufferPointer<UInt8>) -> Failure {
    if let exhaustion = guardian.exhaustion { return .overBudget(exhaustion) }
    let message = String(cString: sqlite3_errmsg(handle))
    // SQLite 3.40 has no code of its own for this.
    return message == "malformed JSON" ? .notJSON(start: Self.start(of: body)) : .failed(message)
  }

  static func start(of body: UnsafeBufferPointer<UInt8>) -> String {
    body.isEmpty ? "nothing" : String(decoding: body.prefix(80), as: UTF8.self).printable(limit: 60)
  }
}
