/// The elements of a document while they are read, which become JSON values as they end.
final class XMLTree {
  /// An element that is open.
  private struct Element {
    let name: String
    var attributes: [(String, JSONValue)] = []

    /// The values of the children by name, in the order in which the names first occur.
    var children: [(name: String, values: [JSONValue])] = []
    var positions: [String: Int] = [:]
    var text: [UInt8] = []

    /// Whether the element is on the path of ``list``.
    let isOnPath: Bool
  }

  /// The path, from the root, of an element that is an array even when it occurs once.
  private let list: [String]
  private var open = [Element(name: "", isOnPath: true)]

  /// The offsets after the elements of ``list``, in the order of the document.
  private(set) var ends: [Int] = []

  /// The fault for which the document is refused; nil for none.
  var fault: String?

  init(list: [String]) {
    self.list = list
  }

  /// The document as an object whose only member is the root.
  var value: JSONValue { open.first.map { value(of: $0, depth: 0) } ?? .null }

  /// The depth of the innermost open element; 0 outside of the root.
  private var depth: Int { open.count - 1 }

  /// The number of elements so far.
  private var count = 0

  /// Begins an element; returns false for one that is nested too deeply, and for one too many.
  func start(_ name: String, _ attributes: [(String, String)]) -> Bool {
    guard depth < XMLReader.deepest else {
      fault = "more than \(XMLReader.deepest) elements within each other"
      return false
    }
    count += 1
    guard count <= XMLReader.most else {
      fault = "more than \(XMLReader.most) elements"
      return false
    }
    let isOnPath = open[depth].isOnPath && depth < list.count && list[depth] == name
    var element = Element(name: name, isOnPath: isOnPath)
    element.attributes = attributes.map { ("@" + $0.0, .string($0.1)) }
    open.append(element)
    return true
  }

  /// Ends the innermost element.
  func end(at offset: Int) {
    guard depth > 0, let element = open.popLast() else { return }
    if element.isOnPath, depth + 1 == list.count { ends.append(offset) }
    let value = value(of: element, depth: depth + 1)
    if let position = open[depth].positions[element.name] {
      open[depth].children[position].values.append(value)
    } else {
      open[depth].positions[element.name] = open[depth].children.count
      open[depth].children.append((element.name, [value]))
    }
  }

  /// Appends to the text of the innermost element.
  func append(_ text: UnsafeRawBufferPointer) { open[depth].text += text }

  private func value(of element: Element, depth: Int) -> JSONValue {
    let text = Self.trimmed(element.text)
    if element.attributes.isEmpty, element.children.isEmpty { return .string(text) }
    var object = JSONObject(element.attributes)
    for child in element.children {
      let isList = element.isOnPath && depth + 1 == list.count && list[depth] == child.name
      object.append(child.name, child.values.count > 1 || isList ? .array(child.values) : child.values[0])
    }
    if !text.isEmpty { object.append("#text", .string(text)) }
    return .object(object)
  }

  /// Returns a text without the surrounding white space.
  private static func trimmed(_ text: [UInt8]) -> String {
    func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }
    let start = text.firstIndex { !isSpace($0) } ?? text.endIndex
    let end = text.lastIndex { !isSpace($0) }.map { $0 + 1 } ?? start
    return String(decoding: text[start..<end], as: UTF8.self)
  }
}
