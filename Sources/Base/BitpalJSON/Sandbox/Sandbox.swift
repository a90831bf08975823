import BitpalFiles
import BitpalModel
import CSQLite
import CSQLiteJSON

/// An in-memory connection that may only read JSON, for SQL that comes from a file.
///
/// While a statement is compiled, an authorizer refuses anything but a SELECT over JSON. While it runs, its steps, time
/// and memory are bounded, whatever the body. It is not `Sendable`: each reading has a sandbox of its own.
package final class Sandbox {
  private let handle: OpaquePointer
  private let budget: Budget
  let guardian = SandboxGuard()

  /// Opens a sandbox.
  ///
  /// - Parameter budget: The budget of each run over a body.
  /// - Throws: ``Failure/failed(_:)`` when SQLite cannot open a database in memory.
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
    // Temporary data stays in memory: no statement of a file creates files.
    sqlite3_exec(handle, "PRAGMA temp_store = MEMORY", nil, nil, nil)
    var reader = SandboxRows.reader(guardian)
    bitpal_json_tables(UnsafeMutableRawPointer(handle), &reader)
    // SQLite declares these tables when they are first named, which is a write to its own catalogue.
    sqlite3_exec(handle, "SELECT 1 FROM json_each('[]'), json_tree('[]')", nil, nil, nil)
    sqlite3_limit(handle, SQLITE_LIMIT_SQL_LENGTH, Self.longestSQL)
    sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, 0)
    sqlite3_limit(handle, SQLITE_LIMIT_COLUMN, 100)
    sqlite3_limit(handle, SQLITE_LIMIT_EXPR_DEPTH, 200)
    SandboxFunctions.register(on: handle, guardian)
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
    watch()
  }

  /// Has SQLite ask the guard every ``SandboxGuard/stride`` instructions whether a statement may continue.
  private func watch() {
    sqlite3_progress_handler(
      handle, Int32(SandboxGuard.stride),
      { context in
        guard let context else { return 1 }
        return Unmanaged<SandboxGuard>.fromOpaque(context).takeUnretainedValue().mayGoOn() ? 0 : 1
      }, Unmanaged.passUnretained(guardian).toOpaque())
  }

  deinit {
    sqlite3_close_v2(handle)
  }

  /// The longest statement, in bytes.
  private static let longestSQL: Int32 = 64 << 10

  /// Compiles one SELECT.
  ///
  /// - Throws: ``Failure``: `syntax` for SQL that SQLite rejects, `forbidden` for anything but one SELECT over JSON,
  ///   `overBudget` when compiling takes too long.
  package func prepare(_ sql: String) throws(Failure) -> SandboxStatement {
    guardian.beginCompiling()
    defer { guardian.end() }
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
      if guardian.overrun != nil {
        throw .overBudget("it takes too long to compile; does a WITH name the one before it more than once?")
      }
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

  /// Returns the first word of a statement, in capitals, and its offset; comments are skipped.
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

  /// Runs `use` within the budget over a body that must be JSON text, as ``StrictJSON`` writes it.
  ///
  /// - Throws: ``Failure``, or the errors of `use`.
  func run(over body: [UInt8], _ use: (UnsafeBufferPointer<UInt8>) throws -> Void) throws {
    guard let canonical = StrictJSON.canonical(body) else {
      throw body.withUnsafeBufferPointer { Failure.notJSON(start: Self.start(of: $0)) }
    }
    sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, Int32(clamping: canonical.count + Budget.textRoom))
    try canonical.withUnsafeBufferPointer { bytes in
      guardian.beginRun(budget, body: bytes.count, bytes)
      defer { guardian.end() }
      try use(bytes)
      // If SQLite was refused memory and continued, the result may be incomplete.
      if let overrun = guardian.overrun { throw Failure.overBudget(overrun) }
    }
  }

  /// Runs `use` with the connection, and allows it what no statement of a file may do: to create a table and fill it.
  func withoutGuard<Result>(_ use: (OpaquePointer) -> Result) -> Result {
    guardian.isOff = true
    sqlite3_progress_handler(handle, 0, nil, nil)
    defer {
      guardian.isOff = false
      watch()
    }
    return use(handle)
  }

  /// Runs `use` within a budget over tables that hold `count` bytes.
  ///
  /// - Throws: ``Failure``, or the errors of `use`.
  func run(overTablesOf count: Int, _ budget: Budget, _ use: () throws -> Void) throws {
    guardian.beginRun(budget, body: count)
    defer { guardian.end() }
    try use()
    if let overrun = guardian.overrun { throw Failure.overBudget(overrun) }
  }

  /// Returns the reason why the last call failed.
  func failure(body: UnsafeBufferPointer<UInt8>) -> Failure {
    if let overrun = guardian.overrun { return .overBudget(overrun) }
    let message = String(cString: sqlite3_errmsg(handle))
    // SQLite 3.40 has no separate error code for this.
    return message == "malformed JSON" ? .notJSON(start: Self.start(of: body)) : .failed(message)
  }

  /// Returns the beginning of a body for messages, at most 60 characters; empty for a body without anything but white
  /// space.
  static func start(of body: UnsafeBufferPointer<UInt8>) -> String {
    body.allSatisfy { $0 <= 0x20 } ? "" : String(decoding: body.prefix(80), as: UTF8.self).printable(limit: 60)
  }
}

extension Sandbox {
  /// The reason why a statement from a file gives no rows.
  package enum Failure: Error, Hashable, Sendable {
    /// The SQL cannot be compiled; `offset` is the byte of the error, nil where SQLite does not know it.
    case syntax(String, offset: Int?)

    /// The SQL does something other than reading JSON.
    case forbidden(String, offset: Int?)

    /// The body is not JSON; the associated value is its beginning.
    case notJSON(start: String)

    /// The statement exceeded its budget.
    case overBudget(String)

    /// The statement failed while it ran; the message of SQLite.
    case failed(String)
  }

  /// The limits on the cost of a statement.
  package struct Budget: Hashable, Sendable {
    /// The number of instructions of SQLite's virtual machine.
    package let steps: Int

    /// The time by the machine's clock, unless ``ReadingTime`` leaves less.
    ///
    /// A limit for safety: no answer within it depends on it.
    package let time: Duration

    /// The bytes of text that all rows together may return; each row counts as ``rowBytes`` more.
    package let output: Int

    package init(steps: Int, time: Duration, output: Int = 64 << 20) {
      self.steps = steps
      self.time = time
      self.output = output
    }

    /// The bytes that a row counts in addition to its text, because its receiver stores it.
    static let rowBytes = 64

    /// The number of bytes by which a text of the statement may exceed the body.
    static let textRoom = 1 << 20

    /// Returns the most bytes that SQLite may hold: the worst body, a list of zeros, takes eleven times its size when
    /// it is read.
    func memory(body count: Int) -> Int { (64 << 20) + 8 * count }

    /// The budget for provider files; the largest known bodies (17,900 coins) take about a twentieth of its steps.
    ///
    /// They take about a second. The time limit is for a single slow step, and generous because the machine may be
    /// busy.
    package static let standard = Budget(steps: 20_000_000, time: .seconds(10))
  }
}
