import Glibc

/// The elements of a document while they are read, of which JSON is written when all are known.
///
/// A document has hundreds of thousands of elements: each is a value in one array, and all texts lie one after the
/// other in memory of twice the document's size, in which they fit.
struct XMLTree: ~Copyable {
  /// Bytes of ``texts``.
  private struct Piece {
    var start: Int32 = 0
    var count: Int32 = 0
  }

  private struct Element {
    let name: Piece

    /// Whether the element is on the path of ``list``.
    let isOnPath: Bool

    /// The members of JSON that the attributes become, each with a comma behind it.
    var attributes = Piece()
    var text = Piece()

    /// The number of different names of the children.
    var names: Int32 = 0

    // The indices of other elements; 0, which is that of the document, for none.

    /// The first children of the first and of the last name.
    var first: Int32 = 0
    var last: Int32 = 0

    /// The first sibling of the next name, where this is the first of its own.
    var nextName: Int32 = 0

    /// The next sibling of the same name, and the last one where this is the first.
    var nextSame: Int32 = 0
    var lastSame: Int32 = 0
  }

  /// A name of a child of an element.
  private struct Key: Hashable {
    let parent: Int32
    let name: [UInt8]
  }

  /// The path, from the root, of an element that is an array even when it occurs once.
  private let list: [[UInt8]]
  private let memory: UnsafeMutableRawBufferPointer
  private var texts: JSONOutput
  private var elements = [Element(name: Piece(), isOnPath: true)]

  /// The open elements, and the texts in them so far; those of closed ones keep their memory.
  private var open: [Int32] = [0]
  private var openTexts: [[UInt8]] = [[]]

  /// The first children by name where an element has more than ``fewNames`` names.
  private var places: [Key: Int32] = [:]
  private static let fewNames: Int32 = 8

  /// The offsets after the elements of ``list``, in the order of the document.
  private(set) var ends: [Int] = []

  /// The fault for which the document is refused; nil for none.
  var fault: String?

  /// Creates the tree of a document.
  ///
  /// - Parameters:
  ///   - size: Its number of bytes, at most 2³¹ − 1.
  ///   - list: The path of an element that is always an array.
  init(size: Int, list: [String]) {
    self.list = list.map { Array($0.utf8) }
    // A member of JSON takes at most twice the bytes of its attribute: `"@a":"\\\\",` of ` a="\\"`.
    memory = .allocate(byteCount: min(2 * max(1, size), Int(Int32.max)), alignment: 1)
    texts = JSONOutput(memory)
    // Memory that is not used costs nothing, and growing means copying.
    elements.reserveCapacity(min(XMLReader.most, size / 32))
  }

  deinit {
    memory.deallocate()
  }

  // MARK: Reading

  /// Begins an element; returns false for one that is nested too deeply, and for one too many.
  mutating func start(
    _ name: UnsafeBufferPointer<UInt8>, _ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>?
  ) -> Bool {
    let depth = open.count - 1
    guard depth < XMLReader.deepest else { return refuse("more than \(XMLReader.deepest) elements within each other") }
    guard elements.count <= XMLReader.most else { return refuse("more than \(XMLReader.most) elements") }
    let parent = open[depth]
    let same = child(of: parent, named: name)
    let isOnPath = elements[Int(parent)].isOnPath && depth < list.count && name.elementsEqual(list[depth])
    var element = Element(name: same > 0 ? elements[Int(same)].name : store(name), isOnPath: isOnPath)
    element.attributes = store { texts in
      var next = attributes
      while let name = next?.pointee, let value = next?.successor().pointee {
        texts.append("\"@")
        texts.append(XMLReader.bytes(name, strlen(name)))
        texts.append("\":\"")
        texts.appendEscaped(XMLReader.bytes(value, strlen(value)))
        texts.append("\",")
        next = next?.advanced(by: 2)
      }
    }
    let index = Int32(elements.count)
    elements.append(element)
    link(index, to: parent, same: same)
    open.append(index)
    if openTexts.count == open.count - 1 { openTexts.append([]) }
    return true
  }

  /// Makes an element a child; `same` is the first one of its name, 0 for none.
  private mutating func link(_ index: Int32, to parent: Int32, same: Int32) {
    if same > 0 {
      let last = elements[Int(same)].lastSame
      elements[Int(last)].nextSame = index
      elements[Int(same)].lastSame = index
      return
    }
    elements[Int(index)].lastSame = index
    let last = elements[Int(parent)].last
    if last == 0 { elements[Int(parent)].first = index } else { elements[Int(last)].nextName = index }
    elements[Int(parent)].last = index
    elements[Int(parent)].names += 1
    if elements[Int(parent)].names > Self.fewNames {
      places[Key(parent: parent, name: Array(bytes(elements[Int(index)].name)))] = index
    }
  }

  /// Returns the first child of a name; 0 for none.
  private func child(of parent: Int32, named name: UnsafeBufferPointer<UInt8>) -> Int32 {
    let last = elements[Int(parent)].last
    if last == 0 || name.isEqual(to: bytes(elements[Int(last)].name)) { return last }
    var index = elements[Int(parent)].first
    for _ in 0..<min(elements[Int(parent)].names, Self.fewNames) {
      if name.isEqual(to: bytes(elements[Int(index)].name)) { return index }
      index = elements[Int(index)].nextName
    }
    if index == 0 { return 0 }
    return places[Key(parent: parent, name: Array(name))] ?? 0
  }

  /// Ends the innermost element.
  mutating func end(at offset: Int) {
    guard open.count > 1, let index = open.popLast() else { return }
    if elements[Int(index)].isOnPath, open.count == list.count { ends.append(offset) }
    let depth = open.count
    while let last = openTexts[depth].last, Self.isSpace(last) { openTexts[depth].removeLast() }
    if openTexts[depth].isEmpty { return }
    let text = openTexts[depth]
    elements[Int(index)].text = text.withUnsafeBufferPointer { store($0) }
    openTexts[depth].removeAll(keepingCapacity: true)
  }

  /// Appends to the text of the innermost element, which begins after white space.
  mutating func append(_ text: UnsafeBufferPointer<UInt8>) {
    let depth = open.count - 1
    var start = 0
    if openTexts[depth].isEmpty { while start < text.count, Self.isSpace(text[start]) { start += 1 } }
    if start < text.count { openTexts[depth] += text[start...] }
  }

  private mutating func refuse(_ message: String) -> Bool {
    fault = message
    return false
  }

  private mutating func store(_ bytes: UnsafeBufferPointer<UInt8>) -> Piece { store { $0.append(bytes) } }

  private mutating func store(_ write: (inout JSONOutput) -> Void) -> Piece {
    let start = texts.count
    write(&texts)
    if texts.isFull { fault = "its texts are longer than it is" }
    return Piece(start: Int32(start), count: Int32(texts.count - start))
  }

  private func bytes(_ piece: Piece) -> UnsafeBufferPointer<UInt8> {
    let bytes = UnsafeRawBufferPointer(rebasing: memory[Int(piece.start)..<Int(piece.start + piece.count)])
    return UnsafeBufferPointer(start: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), count: bytes.count)
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x09 || byte == 0x0D }

  // MARK: Writing

  /// Writes the document as an object whose only member is the root; names of XML need no escapes.
  func write(to output: inout JSONOutput) { write(elements[0], depth: 0, to: &output) }

  private func write(_ element: Element, depth: Int, to output: inout JSONOutput) {
    guard element.attributes.count > 0 || element.first > 0 else { return write(bytes(element.text), to: &output) }
    output.append(UInt8(ascii: "{"))
    output.append(bytes(element.attributes))
    var index = Int(element.first)
    while index > 0 {
      output.append(UInt8(ascii: "\""))
      output.append(bytes(elements[index].name))
      output.append("\":")
      write(allNamedAs: elements[index], depth: depth, to: &output)
      output.append(UInt8(ascii: ","))
      index = Int(elements[index].nextName)
    }
    if element.text.count > 0 {
      output.append("\"#text\":")
      write(bytes(element.text), to: &output)
    } else {
      // The comma behind the last member.
      output.truncate(to: output.count - 1)
    }
    output.append(UInt8(ascii: "}"))
  }

  /// Writes all children of the name of the first of them.
  private func write(allNamedAs first: Element, depth: Int, to output: inout JSONOutput) {
    let isArray = first.nextSame > 0 || first.isOnPath && depth + 1 == list.count
    if isArray { output.append(UInt8(ascii: "[")) }
    write(first, depth: depth + 1, to: &output)
    var next = Int(first.nextSame)
    while next > 0 {
      output.append(UInt8(ascii: ","))
      write(elements[next], depth: depth + 1, to: &output)
      next = Int(elements[next].nextSame)
    }
    if isArray { output.append(UInt8(ascii: "]")) }
  }

  private func write(_ text: UnsafeBufferPointer<UInt8>, to output: inout JSONOutput) {
    output.append(UInt8(ascii: "\""))
    output.appendEscaped(text)
    output.append(UInt8(ascii: "\""))
  }
}
