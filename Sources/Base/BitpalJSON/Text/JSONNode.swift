import Glibc

/// A value in text that is JSON.
///
/// Its loops are plain ones: a reading calls for them several times per row.
struct JSONNode {
  /// The types, as `json_type` names them.
  enum Kind: String {
    case object, array, text, `true`, `false`, null, integer, real
  }

  /// The text of the value, without white space around it.
  let bytes: UnsafeBufferPointer<UInt8>

  /// Whether there may be white space between its tokens.
  let hasSpace: Bool

  /// Creates the value of a text, without the white space around it.
  init(_ text: UnsafeBufferPointer<UInt8>) {
    var (start, end) = (0, text.count)
    while start < end, text[start].isJSONSpace { start += 1 }
    while end > start, text[end - 1].isJSONSpace { end -= 1 }
    self.init(exactly: UnsafeBufferPointer(rebasing: text[start..<end]), hasSpace: true)
  }

  init(exactly bytes: UnsafeBufferPointer<UInt8>, hasSpace: Bool) {
    self.bytes = bytes
    self.hasSpace = hasSpace
  }

  var type: Kind {
    switch bytes.first {
    case UInt8(ascii: "{"): .object
    case UInt8(ascii: "["): .array
    case UInt8(ascii: "\""): .text
    case UInt8(ascii: "t"): .true
    case UInt8(ascii: "f"): .false
    case UInt8(ascii: "n"): .null
    default: bytes.contains { $0 == 0x2E || $0 | 0x20 == 0x65 } ? .real : .integer
    }
  }

  /// Whether the value is an array or an object.
  var isContainer: Bool { bytes.first == UInt8(ascii: "{") || bytes.first == UInt8(ascii: "[") }

  /// The text without white space between tokens.
  var minified: [UInt8] { hasSpace && isContainer ? StrictJSON.minified(Array(bytes)) : Array(bytes) }

  /// Calls `body` with the content of a string.
  func withContent(_ body: (UnsafeBufferPointer<UInt8>) -> Void) {
    Self.withContent(ofName: UnsafeBufferPointer(rebasing: bytes.dropFirst().dropLast()), body)
  }

  /// Calls `body` with the content of a string without its quotes.
  static func withContent(ofName name: UnsafeBufferPointer<UInt8>, _ body: (UnsafeBufferPointer<UInt8>) -> Void) {
    guard let start = name.baseAddress, memchr(start, 0x5C, name.count) != nil else { return body(name) }
    JSONEscape.content(name).withUnsafeBufferPointer(body)
  }

  /// The number of elements of an array; 0 for any other value.
  var elementCount: Int {
    guard bytes.first == UInt8(ascii: "[") else { return 0 }
    var (elements, count) = (JSONElements(self), 0)
    while elements.next() { count += 1 }
    return count
  }

  /// Returns the value at a path; nil where there is none.
  ///
  /// - Parameter isOpen: Whether the text of a container may go on after its end, which is then not looked for.
  func node(at steps: JSONSteps, isOpen: Bool = false) -> JSONNode? { node(at: steps.steps[...], isOpen: isOpen) }

  fileprivate func node(at steps: ArraySlice<JSONSteps.Step>, isOpen: Bool = false) -> JSONNode? {
    var node = self
    for (index, step) in zip(steps.indices, steps) {
      guard let next = node.child(step, isOpen: isOpen || index < steps.endIndex - 1) else { return nil }
      node = next
    }
    return node
  }

  private func child(_ step: JSONSteps.Step, isOpen: Bool) -> JSONNode? {
    var elements = JSONElements(self)
    switch step {
    case .name(let name):
      guard bytes.first == UInt8(ascii: "{") else { return nil }
      return name.withUnsafeBufferPointer { name in
        while elements.next() { if Self.has(elements.name, name) { return elements.value(isOpen: isOpen) } }
        return nil
      }
    case .place(let place, let isFromEnd):
      var left = isFromEnd ? elementCount - place : place
      guard bytes.first == UInt8(ascii: "["), left >= 0 else { return nil }
      while elements.next() {
        if left == 0 { return elements.value(isOpen: isOpen) }
        left -= 1
      }
      return nil
    }
  }

  /// Returns whether the content of a name is a wanted one.
  private static func has(_ content: UnsafeBufferPointer<UInt8>, _ name: UnsafeBufferPointer<UInt8>) -> Bool {
    content.isEqual(to: name)
      || content.count > name.count && content.contains(UInt8(ascii: "\\"))
        && JSONEscape.content(content).elementsEqual(name)
  }
}

/// The elements of an array or the members of an object, one after the other; none of any other value.
///
/// The end of a value is looked for only when it is needed.
struct JSONElements {
  private let bytes: UnsafeBufferPointer<UInt8>
  let isObject: Bool

  /// The place up to which the text is read.
  private var index: Int
  private var (nameStart, nameEnd, valueStart, isAtEnd, hasSpace) = (0, 0, 0, true, false)

  init(_ node: JSONNode) {
    bytes = node.bytes
    isObject = node.bytes.first == UInt8(ascii: "{")
    index = node.isContainer ? 1 : node.bytes.count
  }

  /// The name of the member, with its escapes; empty for an element of an array.
  var name: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(rebasing: bytes[nameStart..<nameEnd]) }

  /// The place of the value in the text of the container.
  var offset: Int { valueStart }

  /// Returns the element, or the value of the member.
  ///
  /// - Parameter isOpen: Whether the text of a container may go on after its end.
  mutating func value(isOpen: Bool = false) -> JSONNode {
    let isOpen = isOpen && (bytes[valueStart] == UInt8(ascii: "{") || bytes[valueStart] == UInt8(ascii: "["))
    if !isOpen, !isAtEnd { skipValue() }
    return JSONNode(
      exactly: UnsafeBufferPointer(rebasing: bytes[valueStart..<(isOpen ? bytes.count : index)]),
      hasSpace: isOpen || hasSpace)
  }

  /// Moves behind a value whose own elements have all been read.
  mutating func pass(_ elements: JSONElements) { (index, isAtEnd) = (valueStart + elements.index + 1, true) }

  /// Moves to the next one, and returns whether there is one.
  mutating func next() -> Bool {
    if !isAtEnd { skipValue() }
    skipSpace()
    guard index < bytes.count, bytes[index] | 0x20 != 0x7D else { return false }
    if isObject {
      nameStart = index + 1
      index = JSONEscape.end(ofStringAt: index, in: bytes)
      nameEnd = index - 1
      while bytes[index] != UInt8(ascii: ":") { index += 1 }
      index += 1
      skipSpace()
    }
    valueStart = index
    isAtEnd = false
    return true
  }

  /// Moves to the next byte that is neither white space nor a comma.
  private mutating func skipSpace() {
    while index < bytes.count, bytes[index] == 0x2C || bytes[index].isJSONSpace { index += 1 }
  }

  private mutating func skipValue() {
    (isAtEnd, hasSpace) = (true, false)
    var depth = 0
    repeat {
      let byte = bytes[index]
      if byte == UInt8(ascii: "\"") {
        index = JSONEscape.end(ofStringAt: index, in: bytes)
        continue
      }
      index += 1
      // `{` and `[`, `}` and `]` differ in one bit.
      if byte | 0x20 == 0x7B {
        depth += 1
      } else if byte | 0x20 == 0x7D {
        depth -= 1
      } else if depth > 0 {
        if byte <= 0x20 { hasSpace = true }
      } else {
        // A number or a word ends before the next mark.
        while index < bytes.count, bytes[index] > 0x20, bytes[index] != 0x2C, bytes[index] | 0x20 != 0x7D { index += 1 }
      }
    } while depth > 0
  }
}

/// Paths whose values are found in one pass over a text, rather than in one pass for each.
struct JSONPaths {
  private let paths: [JSONSteps]

  /// The marks of the names with which the paths begin; 0 for a path that begins with none.
  private let marks: [UInt64]

  init(_ paths: [JSONSteps]) {
    self.paths = paths
    marks = paths.map { path in
      if case .name(let name)? = path.steps.first { name.withUnsafeBufferPointer(Self.mark) } else { 0 }
    }
  }

  /// Sets `parts` to the text at each path, empty where there is none.
  func find(in node: JSONNode, _ parts: inout [UnsafeBufferPointer<UInt8>]) {
    parts.removeAll(keepingCapacity: true)
    for _ in paths { parts.append(UnsafeBufferPointer(start: nil, count: 0)) }
    var elements = JSONElements(node)
    var hasEscapes = false
    while node.type == .object, elements.next() {
      let mark = Self.mark(elements.name)
      hasEscapes = hasEscapes || elements.name.contains(UInt8(ascii: "\\"))
      for (index, wanted) in marks.enumerated() where wanted == mark && paths[index].begins(with: elements.name) {
        let rest = paths[index].steps.dropFirst()
        parts[index] = elements.value(isOpen: !rest.isEmpty).node(at: rest)?.bytes ?? parts[index]
      }
    }
    // Elements of arrays, and names that are written with escapes.
    for index in parts.indices where parts[index].isEmpty && (marks[index] == 0 || hasEscapes) {
      parts[index] = node.node(at: paths[index])?.bytes ?? parts[index]
    }
  }

  /// The length of a name and its first bytes.
  private static func mark(_ name: UnsafeBufferPointer<UInt8>) -> UInt64 {
    var mark = UInt64(min(name.count, 0xFF)) + 1
    for index in 0..<min(name.count, 7) { mark = mark << 8 | UInt64(name[index]) }
    return mark
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

  /// Returns whether the first step is a name.
  fileprivate func begins(with name: UnsafeBufferPointer<UInt8>) -> Bool {
    guard case .name(let first)? = steps.first else { return false }
    return first.withUnsafeBufferPointer(name.isEqual)
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

extension UnsafeBufferPointer<UInt8> {
  /// Returns whether two texts have the same bytes.
  func isEqual(to other: UnsafeBufferPointer<UInt8>) -> Bool {
    guard count == other.count, let left = baseAddress, let right = other.baseAddress else {
      return count == other.count
    }
    return memcmp(left, right, count) == 0
  }
}
