import BitpalModel
import CSQLite

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
    case .minified: call.result(json: whole)
    case .text: if let node = node(in: whole, call, isShort: true) { call.result(json: node) }
    case .value: if let node = node(in: whole, call, isShort: true) { call.result(node) }
    case .type: if let node = node(in: whole, call) { call.result(node.type.rawValue) }
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
      if !parts.isEmpty { (parts + [UInt8(ascii: "]")]).withUnsafeBufferPointer { call.result(json: $0) } }
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
  fileprivate func result(json bytes: UnsafeBufferPointer<UInt8>) {
    result(bytes)
    sqlite3_result_subtype(context, UInt32(UInt8(ascii: "J")))
  }

  /// Sets the result to the text of a node, without white space between tokens.
  fileprivate func result(json node: JSONNode) {
    if node.hasSpace { node.minified.withUnsafeBufferPointer { result(json: $0) } } else { result(json: node.bytes) }
  }

  /// Sets the result to the SQL value of a node; an array or an object is marked as JSON, also of `->>`, so that a name
  /// is distinguished from it.
  func result(_ node: JSONNode) {
    switch node.type {
    case .null: break
    case .true: result(1)
    case .false: result(0)
    case .text: node.withContent { result($0) }
    case .integer, .real:
      let digits = String(decoding: node.bytes, as: UTF8.self)
      if node.type == .integer, let number = Int(digits) {
        result(number)
      } else {
        sqlite3_result_double(context, Double(digits) ?? 0)
      }
    case .array, .object: result(json: node)
    }
  }
}
