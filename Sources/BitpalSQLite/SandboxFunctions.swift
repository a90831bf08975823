import BitpalModel
import CSQLite
import FoundationEssentials

/// The SQL functions that provider files have besides SQLite's own: arithmetic on decimal text, exact.
///
/// An argument is a number's own text (`row.value->'$.price'`), a JSON string that holds one, or an integer. A
/// floating-point argument is an error, for it has lost digits; NULL and JSON null give NULL.
enum SandboxFunctions {
  /// A function of two numbers.
  private enum Operation: Int, CaseIterable {
    case percentChange
    case add
    case subtract
    case multiply
    case divide

    var name: String {
      switch self {
      case .percentChange: "percent_change"
      case .add: "decimal_add"
      case .subtract: "decimal_sub"
      case .multiply: "decimal_mul"
      case .divide: "decimal_div"
      }
    }
  }

  private enum Argument {
    case number(Decimal)
    case null
    case unusable(String)
  }

  /// The names, for the authorizer.
  static let names = Set(Operation.allCases.map(\.name))

  /// Adds the functions to a connection.
  static func register(on handle: OpaquePointer) {
    for operation in Operation.allCases {
      sqlite3_create_function_v2(
        handle, operation.name, 2, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS,
        UnsafeMutableRawPointer(bitPattern: operation.rawValue + 1),
        { context, count, arguments in SandboxFunctions.call(context, count, arguments) }, nil, nil, nil)
    }
  }

  private static func call(
    _ context: OpaquePointer?, _ count: Int32, _ arguments: UnsafeMutablePointer<OpaquePointer?>?
  ) {
    guard let operation = Operation(rawValue: Int(bitPattern: sqlite3_user_data(context)) - 1), count == 2,
      let arguments
    else { return sqlite3_result_null(context) }
    switch (argument(arguments[0], of: operation), argument(arguments[1], of: operation)) {
    case (.number(let left), .number(let right)):
      guard let result = result(of: operation, left, right) else {
        if operation == .percentChange { return sqlite3_result_null(context) }
        return fail(context, "\(operation.name)(\(left.plainText), \(right.plainText)) has no exact result")
      }
      let text = result.plainText
      sqlite3_result_text(context, text, Int32(clamping: text.utf8.count), transient)
    case (.unusable(let message), _), (_, .unusable(let message)):
      fail(context, message)
    case (.null, _), (_, .null):
      sqlite3_result_null(context)
    }
  }

  /// SQLITE_TRANSIENT, which is a cast in C: SQLite copies the text.
  private static var transient: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }

  private static func fail(_ context: OpaquePointer?, _ message: String) {
    sqlite3_result_error(context, message, -1)
  }

  private static func argument(_ value: OpaquePointer?, of operation: Operation) -> Argument {
    switch sqlite3_value_type(value) {
    case SQLITE_NULL: return .null
    case SQLITE_FLOAT:
      return .unusable("\(operation.name) was given a floating-point number; write -> instead of ->>")
    default: break
    }
    guard let start = sqlite3_value_text(value) else { return .null }
    var bytes = UnsafeBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
    let quote = UInt8(ascii: "\"")
    if bytes.count >= 2, bytes.first == quote, bytes.last == quote {
      bytes = UnsafeBufferPointer(rebasing: bytes.dropFirst().dropLast())
    } else if bytes.elementsEqual("null".utf8) {
      return .null
    }
    if let number = try? Decimal(strictUTF8: bytes) { return .number(number) }
    let shown = String(decoding: bytes.prefix(60), as: UTF8.self).printable(limit: 40)
    return .unusable("\(operation.name) was given \(shown), which is no number")
  }

  private static func result(of operation: Operation, _ left: Decimal, _ right: Decimal) -> Decimal? {
    switch operation {
    case .percentChange: right.percentChange(since: left)
    case .add: left.exactSum(right)
    case .subtract: left.exactSum(.zero - right)
    case .multiply: left.exactProduct(right)
    case .divide: try? left.divided(by: right)
    }
  }
}
