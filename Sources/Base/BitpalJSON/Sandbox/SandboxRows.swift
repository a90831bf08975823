import CSQLite
import CSQLiteJSON
import Glibc

/// The rows of `json_each`: the elements of an array, the members of an object, or any other value itself; and of
/// `json_tree`: a value, and all values within it.
///
/// SQLite's own tables read the whole text before their first row and write each element again. These are found in the
/// text one after the other, as far as a statement asks for them. The columns are the same but for `id`, which is the
/// place of the value in the text, and for the names of the first row of a tree at a path, which are that path.
final class SandboxRows {
  /// A copy of the text; nil for the body of the run, which stays where it is.
  private let kept: OpaquePointer?
  private let text: UnsafeBufferPointer<UInt8>
  private let path: [UInt8]
  private let isTree: Bool

  /// The value at the path; in json_each the text of a container may go on after its end.
  private let root: JSONNode?

  /// The containers that the row is in, each with the path to it; none for the root itself.
  private var open: [(elements: JSONElements, node: JSONNode, path: [UInt8], row: Int)] = []
  private var isFirst = true
  private let guardian: SandboxGuard

  /// Opens the rows of a text at a path; nil for a path that is none.
  private init?(_ value: OpaquePointer, _ path: UnsafePointer<CChar>, isTree: Bool, _ guardian: SandboxGuard) {
    self.path = Array(UnsafeRawBufferPointer(start: path, count: strlen(path)))
    self.guardian = guardian
    self.isTree = isTree
    let steps =
      self.path.first == UInt8(ascii: "$")
      ? self.path.withUnsafeBufferPointer { path in guardian.steps(of: path) { JSONSteps(path) } } : nil
    guard let steps else { return nil }
    kept = guardian.isBody(Self.text(of: value)) ? nil : sqlite3_value_dup(value)
    text = Self.text(of: kept ?? value)
    root = JSONNode(text).node(at: steps, isOpen: !isTree)
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
    guard let root else { return false }
    if isFirst {
      isFirst = false
      if isTree || !root.isContainer { return true }
      enter(root, at: path)
    } else if isTree || open.isEmpty {
      let node = open.last.map { _ in open[open.count - 1].elements.value(isOpen: true) } ?? root
      guard open.last != nil || node.isContainer else { return false }
      if node.isContainer { enter(node, at: key) }
    }
    while let last = open.indices.last {
      open[last].row += 1
      if open[last].elements.next() { return true }
      let inner = open.removeLast().elements
      if last > 0 { open[last - 1].elements.pass(inner) }
    }
    return false
  }

  private func enter(_ node: JSONNode, at path: [UInt8]) { open.append((JSONElements(node), node, path, -1)) }

  /// The path to the value of the row.
  private var key: [UInt8] {
    guard let last = open.last else { return path }
    return last.path + (last.node.type == .object ? Self.step(last.elements.name) : Array("[\(last.row)]".utf8))
  }

  private func set(_ column: Int32, of call: SandboxCall) {
    let last = open.last
    let value = last.map { _ in open[open.count - 1].elements.value(isOpen: ![1, 3].contains(column)) } ?? root
    guard let value else { return }
    switch column {
    case 0:
      guard let last else { return }
      if last.node.type == .object {
        JSONNode.withContent(ofName: last.elements.name) { call.result($0) }
      } else {
        call.result(last.row)
      }
    case 1: call.result(value)
    case 2: call.result(value.type.rawValue)
    case 3: if !value.isContainer { call.result(value) }
    case 4: call.result(place(of: value))
    case 5: if isTree, let last { call.result(place(of: last.node)) }
    case 6: key.withUnsafeBufferPointer { call.result($0) }
    default: (last?.path ?? path).withUnsafeBufferPointer { call.result($0) }
    }
  }

  private func place(of node: JSONNode) -> Int {
    guard let start = text.baseAddress, let own = node.bytes.baseAddress else { return 0 }
    return own - start
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
      open: { value, path, isTree, context in
        guard let value, let path, let context else { return nil }
        let guardian = Unmanaged<SandboxGuard>.fromOpaque(context).takeUnretainedValue()
        return SandboxRows(OpaquePointer(value), path, isTree: isTree != 0, guardian).map {
          Unmanaged.passRetained($0).toOpaque()
        }
      },
      next: { rows in SandboxRows.with(rows) { $0.next() } == true ? 1 : 0 },
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
