import CSQLite

/// The SQL functions for provider files that SQLite does not have, and replacements for some that it has.
enum SandboxFunctions {
  /// The names that SQLite does not have, for the authorizer.
  static let names = Set(
    SandboxDecimalFunction.allCases.map(\.name) + SandboxZoneFunction.allCases.map(\.rawValue)
      + [SandboxNumberFunction.name])

  /// Adds the functions to a connection.
  static func register(on handle: OpaquePointer, _ guardian: SandboxGuard) {
    for function in SandboxDecimalFunction.allCases {
      add(function.name, function.count, to: handle, guardian) { function.run($0) }
    }
    for function in SandboxZoneFunction.allCases {
      add(function.rawValue, 2, to: handle, guardian) { function.run($0) }
    }
    for count: Int32 in [1, 2] {
      add(SandboxNumberFunction.name, count, to: handle, guardian) { SandboxNumberFunction().run($0) }
    }
    for function in SandboxJSONFunction.allCases {
      for count in function.argumentCounts { add(function.rawValue, count, to: handle, guardian) { function.run($0) } }
    }
    for function in SandboxTextFunction.allCases {
      for count in function.argumentCounts { add(function.rawValue, count, to: handle, guardian) { function.run($0) } }
    }
  }

  private static func add(
    _ name: String, _ count: Int32, to handle: OpaquePointer, _ guardian: SandboxGuard,
    _ body: @escaping (SandboxCall) -> Void
  ) {
    // SQLite releases it when the connection is closed.
    let function = Unmanaged.passRetained(Function(guardian, body)).toOpaque()
    sqlite3_create_function_v2(
      handle, name, count, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS | SQLITE_SUBTYPE, function,
      { context, count, arguments in
        guard let context, let data = sqlite3_user_data(context) else { return }
        let values = UnsafeBufferPointer(start: arguments, count: Int(count))
        Unmanaged<Function>.fromOpaque(data)._withUnsafeGuaranteedRef {
          $0.body(SandboxCall(context: context, values: values, guardian: $0.guardian))
        }
      }, nil, nil, { $0.map { Unmanaged<Function>.fromOpaque($0).release() } })
  }

  /// The state of a function, which SQLite holds.
  private final class Function {
    let guardian: SandboxGuard
    let body: (SandboxCall) -> Void

    init(_ guardian: SandboxGuard, _ body: @escaping (SandboxCall) -> Void) {
      self.guardian = guardian
      self.body = body
    }
  }
}

/// One call of an SQL function of ours: its arguments, and the place of the result.
struct SandboxCall {
  let context: OpaquePointer
  let values: UnsafeBufferPointer<OpaquePointer?>

  /// The guard, which the function holds during the call.
  unowned(unsafe) let guardian: SandboxGuard

  /// The beginning of a blob that holds the reason of a missing result; JSON has no blobs.
  static let failureMark = Array("\0bitpal:".utf8)

  /// Returns SQLite's type of an argument.
  func type(_ index: Int) -> Int32 {
    values.indices.contains(index) ? sqlite3_value_type(values[index]) : SQLITE_NULL
  }

  /// Returns whether an argument is JSON text, as returned by `->`, and not a text of SQL.
  func isJSON(_ index: Int) -> Bool {
    values.indices.contains(index) && sqlite3_value_subtype(values[index]) == UInt32(UInt8(ascii: "J"))
  }

  /// Returns an argument as UTF-8, valid during the call; nil for NULL.
  ///
  /// The bytes are read as those of a blob, because SQLite copies a text to put a NUL behind it.
  func text(_ index: Int) -> UnsafeBufferPointer<UInt8>? {
    guard type(index) != SQLITE_NULL else { return nil }
    let start = sqlite3_value_blob(values[index])?.assumingMemoryBound(to: UInt8.self)
    return UnsafeBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_value_bytes(values[index])))
  }

  /// Returns an argument as UTF-8 with a NUL behind it, valid during the call; nil for NULL.
  func terminatedText(_ index: Int) -> UnsafeBufferPointer<UInt8>? {
    guard values.indices.contains(index), let start = sqlite3_value_text(values[index]) else { return nil }
    return UnsafeBufferPointer(start: start, count: Int(sqlite3_value_bytes(values[index])))
  }

  /// Sets the result to a text, which SQLite copies.
  func result(_ text: UnsafeBufferPointer<UInt8>) {
    text.withMemoryRebound(to: CChar.self) { characters in
      sqlite3_result_text64(
        context, characters.baseAddress, UInt64(characters.count), Self.transient, UInt8(SQLITE_UTF8))
    }
  }

  /// Sets the result to a text.
  func result(_ text: String) {
    var text = text
    text.withUTF8 { result($0) }
  }

  /// Sets the result to an integer.
  func result(_ number: Int) { sqlite3_result_int64(context, Int64(number)) }

  /// Sets the result to one of the arguments.
  func result(argument index: Int) {
    if values.indices.contains(index) { sqlite3_result_value(context, values[index]) }
  }

  /// Sets no result but the message of a failure; only the row that uses it fails.
  func fail(_ message: String) {
    let bytes = Self.failureMark + message.utf8
    sqlite3_result_blob64(context, bytes, UInt64(bytes.count), Self.transient)
  }

  /// Ends the whole statement, because it has exhausted its budget.
  func stop(_ message: String) {
    guardian.refuse(message)
    sqlite3_result_error(context, message, -1)
  }

  /// SQLITE_TRANSIENT, which is a cast in C: SQLite copies the bytes.
  private static var transient: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }
}
