import BitpalModel
import CSQLite
import Glibc

/// The functions of SQLite that read JSON, over text that ``StrictJSON`` has read; the results are the same.
///
/// A statement may take any text for JSON: the body, a string in it, or one that the statement itself puts together.
enum SandboxJSONFunction: String, CaseIterable {
  case text = "->"
  case value = "->>"
  case extract = "json_extract"
  case type = "json_type"
  case count = "json_array_length"
  case minified = "json"
  case isValid = "json_valid"

  /// The numbers of arguments.
  var argumentCounts: [Int32] {
    switch self {
    case .text, .value: [2]
    case .extract: [-1]
    case .type, .count: [1, 2]
    case .minified, .isValid: [1]
    }
  }

  func run(_ call: SandboxCall) {
    guard let json = call.text(0) else { return }
    guard call.isJSON(0) || call.guardian.mayRead(json) else {
      return self == .isValid ? call.result(0) : sqlite3_result_error(call.context, "malformed JSON", -1)
    }
    let whole = JSONNode(json)
    switch self {
    case .isValid: call.result(1)
    case .minified: call.result(json: whole.minified)
    case .text: if let node = node(in: whole, call, isShort: true) { call.result(json: node.minified) }
    case .value: if let node = node(in: whole, call, isShort: true) { call.result(node) }
    case .type: if let node = node(in: whole, call) { call.result(node.type) }
    case .count: if let node = node(in: whole, call) { call.result(node.elementCount) }
    case .extract where call.values.count == 2:
      if let node = node(in: whole, call) { call.result(node) }
    case .extract:
      var parts: [UInt8] = []
      for index in call.values.indices.dropFirst() {
        guard let path = call.text(index) else { return }
        guard let steps = JSONSteps(path) else { return refuse(path, call) }
        parts.append(UInt8(ascii: parts.isEmpty ? "[" : ","))
        parts += whole.node(at: steps)?.minified ?? Array("null".utf8)
      }
      if !parts.isEmpty { call.result(json: parts + [UInt8(ascii: "]")]) }
    }
  }

  /// Returns the node at the path of the second argument; the whole text without one.
  ///
  /// - Parameter isShort: Whether a name or a position may stand for a path.
  private func node(in whole: JSONNode, _ call: SandboxCall, isShort: Bool = false) -> JSONNode? {
    guard call.values.count > 1 else { return whole }
    guard let path = call.text(1) else { return nil }
    guard isShort || path.first == UInt8(ascii: "$") else {
      refuse(path, call)
      return nil
    }
    let steps = call.guardian.steps(of: path) {
      isShort && path.first != UInt8(ascii: "$") ? JSONSteps(short: path) : JSONSteps(path)
    }
    guard let steps else {
      refuse(path, call)
      return nil
    }
    return whole.node(at: steps)
  }

  private func refuse(_ path: UnsafeBufferPointer<UInt8>, _ call: SandboxCall) {
    let text = String(decoding: path, as: UTF8.self).printable(limit: 80)
    sqlite3_result_error(call.context, "JSON path error near '\(text)'", -1)
  }
}

extension SandboxCall {
  fileprivate func result(json bytes: [UInt8]) {
    bytes.withUnsafeBufferPointer { result($0) }
    sqlite3_result_subtype(context, UInt32(UInt8(ascii: "J")))
  }

  /// Sets the result to the SQL value of a node; an array or an object is marked as JSON, also of `->>`, so that a name
  /// is distinguished from it.
  fileprivate func result(_ node: JSONNode) {
    switch node.type {
    case "null": break
    case "true": result(1)
    case "false": result(0)
    case "text": node.string.withUnsafeBufferPointer { result($0) }
    case "integer", "real":
      let digits = String(decoding: node.bytes, as: UTF8.self)
      if node.type == "integer", let number = Int(digits) {
        result(number)
      } else {
        sqlite3_result_double(context, Double(digits) ?? 0)
      }
    default: result(json: node.minified)
    }
  }
}

/// A value in text that is JSON.
///
/// Its loops are plain ones: a SELECT calls for them several times per row.
private struct JSONNode {
  let bytes: UnsafeBufferPointer<UInt8>

  /// Creates the value of a text, without the white space around it.
  init(_ text: UnsafeBufferPointer<UInt8>) {
    var (start, end) = (0, text.count)
    while start < end, text[start].isJSONSpace { start += 1 }
    while end > start, text[end - 1].isJSONSpace { end -= 1 }
    bytes = UnsafeBufferPointer(rebasing: text[start..<end])
  }

  private init(exactly bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
  }

  /// The type, as `json_type` names it.
  var type: String {
    switch bytes.first {
    case UInt8(ascii: "{"): "object"
    case UInt8(ascii: "["): "array"
    case UInt8(ascii: "\""): "text"
    case UInt8(ascii: "t"): "true"
    case UInt8(ascii: "f"): "false"
    case UInt8(ascii: "n"): "null"
    default: bytes.contains { $0 == 0x2E || $0 | 0x20 == 0x65 } ? "real" : "integer"
    }
  }

  private var isContainer: Bool { bytes.first == UInt8(ascii: "{") || bytes.first == UInt8(ascii: "[") }

  /// The text without white space between tokens.
  var minified: [UInt8] { isContainer ? StrictJSON.minified(Array(bytes)) : Array(bytes) }

  /// The content of a string.
  var string: [UInt8] { JSONEscape.content(UnsafeBufferPointer(rebasing: bytes[1..<(bytes.count - 1)])) }

  /// The number of elements of an array; 0 for any other value.
  var elementCount: Int {
    guard bytes.first == UInt8(ascii: "[") else { return 0 }
    var (count, index) = (0, next(after: 0))
    while index < bytes.count - 1 {
      count += 1
      index = next(after: end(ofValueAt: index) - 1)
    }
    return count
  }

  /// Returns the value at a path; nil where there is none.
  func node(at steps: JSONSteps) -> JSONNode? {
    var node = self
    for step in steps.steps {
      guard let next = node.child(step) else { return nil }
      node = next
    }
    return node
  }

  private func child(_ step: JSONSteps.Step) -> JSONNode? {
    switch step {
    case .name(let name): member(name)
    case .place(let place, isFromEnd: false): element(place)
    case .place(let place, isFromEnd: true): element(elementCount - place)
    }
  }

  private func member(_ name: [UInt8]) -> JSONNode? {
    guard bytes.first == UInt8(ascii: "{") else { return nil }
    return name.withUnsafeBufferPointer(member)
  }

  private func member(_ name: UnsafeBufferPointer<UInt8>) -> JSONNode? {
    var index = next(after: 0)
    while index < bytes.count - 1 {
      let endOfName = JSONEscape.end(ofStringAt: index, in: bytes)
      let isWanted = Self.has(UnsafeBufferPointer(rebasing: bytes[(index + 1)..<(endOfName - 1)]), name)
      index = endOfName
      while bytes[index] != UInt8(ascii: ":") { index += 1 }
      index = next(after: index)
      let end = end(ofValueAt: index)
      if isWanted { return JSONNode(exactly: UnsafeBufferPointer(rebasing: bytes[index..<end])) }
      index = next(after: end - 1)
    }
    return nil
  }

  private func element(_ place: Int) -> JSONNode? {
    guard bytes.first == UInt8(ascii: "["), place >= 0 else { return nil }
    var (left, index) = (place, next(after: 0))
    while index < bytes.count - 1 {
      let end = end(ofValueAt: index)
      if left == 0 { return JSONNode(exactly: UnsafeBufferPointer(rebasing: bytes[index..<end])) }
      left -= 1
      index = next(after: end - 1)
    }
    return nil
  }

  /// Returns whether the content of a name is a wanted one.
  private static func has(_ content: UnsafeBufferPointer<UInt8>, _ name: UnsafeBufferPointer<UInt8>) -> Bool {
    if content.count == name.count, let left = content.baseAddress, let right = name.baseAddress {
      return memcmp(left, right, name.count) == 0
    }
    return content.count > name.count && content.contains(UInt8(ascii: "\\"))
      && JSONEscape.content(content).elementsEqual(name)
  }

  /// Returns the place of the next byte that is neither white space nor a comma.
  private func next(after place: Int) -> Int {
    var index = place + 1
    while index < bytes.count, bytes[index] == 0x2C || bytes[index].isJSONSpace { index += 1 }
    return index
  }

  /// Returns the place after a value.
  private func end(ofValueAt start: Int) -> Int {
    var index = start
    var depth = 0
    repeat {
      let byte = bytes[index]
      if byte == UInt8(ascii: "\"") {
        index = JSONEscape.end(ofStringAt: index, in: bytes)
        continue
      }
      // `{` and `[`, `}` and `]` differ in one bit.
      if byte | 0x20 == 0x7B { depth += 1 }
      if byte | 0x20 == 0x7D { depth -= 1 }
      index += 1
      guard depth == 0, byte | 0x20 != 0x7D else { continue }
      // A number or a word ends before the next mark.
      while index < bytes.count, bytes[index] > 0x20, bytes[index] != 0x2C, bytes[index] | 0x20 != 0x7D { index += 1 }
    } while depth > 0
    return index
  }
}

/// A path into JSON in SQLite's notation: `$.rows[0]."a.b"[#-1]`.
struct JSONSteps {
  /// One step of a path.
  enum Step {
    case name([UInt8])

    /// A position, from the first element or, counted from 1, from the last.
    case place(Int, isFromEnd: Bool)
  }

  private(set) var steps: [Step] = []

  /// Reads a path; nil for a text that is not one.
  init?(_ path: UnsafeBufferPointer<UInt8>) {
    guard path.first == UInt8(ascii: "$") else { return nil }
    var index = 1
    while index < path.count {
      switch path[index] {
      case UInt8(ascii: "."):
        index += 1
        let isQuoted = index < path.count && path[index] == UInt8(ascii: "\"")
        if isQuoted { index += 1 }
        let end = path[index...].firstIndex {
          isQuoted ? $0 == 0x22 : $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "[")
        }
        guard !isQuoted || end != nil, end != index || isQuoted, index < path.count else { return nil }
        steps.append(.name(Array(path[index..<(end ?? path.count)])))
        index = (end ?? path.count) + (isQuoted ? 1 : 0)
      case UInt8(ascii: "["):
        guard let end = path[index...].firstIndex(of: UInt8(ascii: "]")),
          let step = Self.place(path[(index + 1)..<end])
        else { return nil }
        steps.append(step)
        index = end + 1
      default: return nil
      }
    }
  }

  /// Reads a name or a position, which `->` and `->>` take for a path.
  init?(short path: UnsafeBufferPointer<UInt8>) {
    if let first = path.first, (0x30...0x39).contains(first) {
      guard let place = Int(String(decoding: path, as: UTF8.self)) else { return nil }
      steps = [.place(place, isFromEnd: false)]
    } else {
      steps = [.name(Array(path))]
    }
  }

  private static func place(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Step? {
    let text = String(decoding: text, as: UTF8.self)
    if text == "#" { return .place(0, isFromEnd: true) }
    let isFromEnd = text.hasPrefix("#-")
    let digits = isFromEnd ? text.dropFirst(2) : text[...]
    guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int(digits).map { .place($0, isFromEnd: isFromEnd) }
  }
}
