import CSQLite
import CSQLiteJSON
import Glibc

/// The rows of `json_each`: the elements of an array, the members of an object, or any other value itself.
///
/// SQLite's own table reads the whole text before its first row and writes each element again. These are found in the
/// text one after the other, as far as a statement asks for them. The columns are the same but for `id`, which is the
/// place of the value in the text.
final class SandboxRows {
  /// A copy of the text; nil for the body of the run, which stays where it is.
  private let kept: OpaquePointer?
  private let path: [UInt8]

  /// The value at the path; the text of a container may go on after its end.
  private let root: JSONNode?

  /// The elements; nil for a value that is not a container.
  private var elements: JSONElements?
  private var row = -1
  private let guardian: SandboxGuard

  /// Opens the rows of a text at a path; nil for a path that is none.
  private init?(_ value: OpaquePointer, _ path: UnsafePointer<CChar>, _ guardian: SandboxGuard) {
    self.path = Array(UnsafeRawBufferPointer(start: path, count: strlen(path)))
    self.guardian = guardian
    let steps =
      self.path.first == UInt8(ascii: "$")
      ? self.path.withUnsafeBufferPointer { path in guardian.steps(of: path) { JSONSteps(path) } } : nil
    guard let steps else { return nil }
    kept = guardian.isBody(Self.text(of: value)) ? nil : sqlite3_value_dup(value)
    root = JSONNode(Self.text(of: kept ?? value)).node(at: steps, isOpen: true)
    elements = root.flatMap { $0.isContainer ? JSONElements($0) : nil }
  }

  deinit {
    sqlite3_value_free(kept)
  }

  private static func text(of value: OpaquePointer) -> UnsafeBufferPointer<UInt8> {
    let start =
      sqlite3_value_type(value) == SQLITE_TEXT
      ? sqlite3_value_blob(value)?.assumingMemoryBound(to: UInt8.self) : sqlite3_value_text(value)
    return UnsafeBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_value_bytes(value)))
  }

  private func next() -> Bool {
    row += 1
    return elements?.next() ?? (row == 0 && root != nil)
  }

  private func set(_ column: Int32, of call: SandboxCall) {
    guard let root, let value = elements == nil ? root : elements?.value(isOpen: ![1, 3].contains(column)) else {
      return
    }
    let name = root.type == .object ? elements?.name : nil
    switch column {
    case 0:
      if let name {
        JSONNode.withContent(ofName: name) { call.result($0) }
      } else if elements != nil {
        call.result(row)
      }
    case 1: call.result(value)
    case 2: call.result(value.type.rawValue)
    case 3: if !value.isContainer { call.result(value) }
    case 4: call.result(elements?.offset ?? 0)
    case 6:
      let step = elements == nil ? [] : name.map(Self.step) ?? Array("[\(row)]".utf8)
      (path + step).withUnsafeBufferPointer { call.result($0) }
    case 7: path.withUnsafeBufferPointer { call.result($0) }
    // json_each has no parents.
    default: break
    }
  }

  /// Returns the step to a member; a name other than letters and digits is in quotes.
  private static func step(_ name: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    let isPlain =
      !name.isEmpty && isalpha(Int32(name[0])) != 0 && name.allSatisfy { $0 < 0x80 && isalnum(Int32($0)) != 0 }
    return Array(".".utf8) + (isPlain ? Array(name) : Array("\"".utf8) + name + Array("\"".utf8))
  }

  /// Returns the functions by which SQLite reads the rows; the guard must outlive them.
  static func reader(_ guardian: SandboxGuard) -> bitpal_json_reader {
    bitpal_json_reader(
      context: Unmanaged.passUnretained(guardian).toOpaque(),
      check: { text, count, context in
        guard let text, let context else { return 0 }
        let guardian = Unmanaged<SandboxGuard>.fromOpaque(context).takeUnretainedValue()
        return guardian.mayRead(UnsafeBufferPointer(start: text, count: count)) ? 1 : 0
      },
      open: { value, path, context in
        guard let value, let path, let context else { return nil }
        let guardian = Unmanaged<SandboxGuard>.fromOpaque(context).takeUnretainedValue()
        return SandboxRows(OpaquePointer(value), path, guardian).map { Unmanaged.passRetained($0).toOpaque() }
      },
      next: { rows in SandboxRows.with(rows) { $0.next() } == true ? 1 : 0 },
      row: { rows in SandboxRows.with(rows) { Int64($0.row) } ?? 0 },
      column: { rows, context, column in
        guard let context else { return }
        SandboxRows.with(rows) { rows in
          let values = UnsafeBufferPointer<OpaquePointer?>(start: nil, count: 0)
          rows.set(column, of: SandboxCall(context: OpaquePointer(context), values: values, guardian: rows.guardian))
        }
      },
      close: { rows in rows.map { Unmanaged<SandboxRows>.fromOpaque($0).release() } })
  }

  @discardableResult
  private static func with<Result>(_ rows: UnsafeMutableRawPointer?, _ use: (SandboxRows) -> Result) -> Result? {
    rows.map { Unmanaged<SandboxRows>.fromOpaque($0)._withUnsafeGuaranteedRef(use) }
  }
}
