import BitpalModel

/// A converter of XML to JSON.
///
/// Elements become objects with `@attribute`, children by name and `#text`; an element with nothing but text becomes
/// that text. A name that occurs several times in its element becomes an array.
///
/// Well-formedness is checked strictly (XML 1.0, fifth edition), in UTF-8 only. There are no document types: a DOCTYPE
/// is refused, and with it every entity but the five, so that a body can neither grow nor name a file. Prefixes of
/// namespaces remain as they are written.
package struct XMLReader {
  /// The deepest nesting that is read; with an object and an array per level it is within the limits of SQLite.
  package static let deepest = 100

  /// The largest output in bytes.
  package static let largest = 64 << 20

  private let list: [String]

  /// Creates a converter.
  ///
  /// - Parameter list: The path of an element, from the root, that is an array even where it occurs only once.
  package init(list: [String] = []) {
    self.list = list
  }

  /// Converts a body into an object whose only member is the root.
  ///
  /// - Throws: ``BodyFault`` with line and column.
  package func json(_ body: [UInt8]) throws(BodyFault) -> [UInt8] {
    let list = list.map { Array($0.utf8) }
    let result = body.withUnsafeBufferPointer { bytes -> Result<[UInt8], BodyFault> in
      do throws(BodyFault) {
        let start = try BodyFault.checkUTF8(bytes)
        return .success(
          try JSONOutput.array(body: bytes.count, atMost: Self.largest) { output throws(BodyFault) in
            var scanner = XMLScanner(bytes, from: start)
            var builder = XMLBuilder(bytes, output, list: list)
            defer { output = builder.output }
            try scanner.document(&builder)
          })
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }
}

/// A scanner that reads XML markup by markup; the productions of the specification are named in brackets.
private struct XMLScanner {
  private var cursor: XMLCursor
  private var open: [Range<Int>] = []
  private var attributes = XMLAttributes()

  init(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) {
    cursor = XMLCursor(bytes, from: start)
  }

  /// Reads the whole document [1].
  ///
  /// - Throws: ``BodyFault`` for a document that is not well-formed, or too large or deep.
  mutating func document(_ builder: inout XMLBuilder) throws(BodyFault) {
    try cursor.declaration()
    try misc()
    guard cursor.next == UInt8(ascii: "<") else { throw cursor.fault("text where the first element should be") }
    try startTag(&builder)
    while !open.isEmpty { try content(&builder) }
    try misc()
    guard cursor.isAtEnd else {
      throw cursor.fault(
        cursor.next == UInt8(ascii: "<") ? "a second root element" : "text after the end of the root element")
    }
  }

  /// Skips comments, instructions and white space outside the root [27].
  private mutating func misc() throws(BodyFault) {
    while true {
      cursor.skipSpace()
      if cursor.skip("<!--") {
        try cursor.comment()
      } else if cursor.skip("<?") {
        try cursor.instruction()
      } else if cursor.starts(with: "<!DOCTYPE") {
        throw cursor.fault("a DOCTYPE, which is refused: an answer defines no entities and names no files")
      } else if cursor.starts(with: "<!") {
        throw cursor.fault("this markup cannot stand outside the root element")
      } else if cursor.isAtEnd, open.isEmpty, !cursor.hasRoot {
        throw cursor.fault("there is no element in it")
      } else {
        return
      }
    }
  }

  /// Reads the next part of an element's content [43].
  private mutating func content(_ builder: inout XMLBuilder) throws(BodyFault) {
    guard let next = cursor.next else {
      let name = open.last.map { cursor.text($0) } ?? ""
      throw cursor.fault("it ends within <\(name.printableName)>, which is not closed")
    }
    guard next == UInt8(ascii: "<") else { return try cursor.characterData(&builder) }
    switch cursor.second {
    case UInt8(ascii: "/"):
      try endTag(&builder)
    case UInt8(ascii: "?"):
      _ = cursor.skip("<?")
      try cursor.instruction()
    case UInt8(ascii: "!"):
      if cursor.skip("<!--") {
        try cursor.comment()
      } else if cursor.skip("<![CDATA[") {
        try cursor.section(&builder)
      } else {
        throw cursor.fault("<! begins a comment <!-- or text <![CDATA[, and this is neither")
      }
    default:
      try startTag(&builder)
    }
  }

  /// Reads a start tag or an empty element [40] [44].
  private mutating func startTag(_ builder: inout XMLBuilder) throws(BodyFault) {
    guard open.count < XMLReader.deepest else {
      throw cursor.fault("more than \(XMLReader.deepest) elements within each other")
    }
    cursor.hasRoot = true
    cursor.index += 1
    let name = try cursor.name("an element's name")
    builder.start(name)
    attributes.removeAll()
    while true {
      let hadSpace = cursor.skipSpace()
      if cursor.skip(">") {
        open.append(name)
        return
      }
      if cursor.skip("/>") {
        return try end(&builder)
      }
      guard !cursor.isAtEnd else { throw cursor.fault("the tag <\(cursor.text(name).printableName) has no end") }
      guard hadSpace else { throw cursor.fault("a space is missing before this attribute") }
      let attribute = try cursor.name("an attribute's name")
      guard attributes.insert(attribute, of: cursor.bytes) else {
        cursor.index = attribute.lowerBound
        throw cursor.fault("the attribute \(cursor.text(attribute).printableName) is there twice")
      }
      cursor.skipSpace()
      guard cursor.skip("=") else { throw cursor.fault("an attribute is written name=\"value\"") }
      cursor.skipSpace()
      builder.beginAttribute(attribute)
      try cursor.attributeValue(&builder)
      builder.endAttribute()
    }
  }

  /// Reads an end tag [42].
  private mutating func endTag(_ builder: inout XMLBuilder) throws(BodyFault) {
    guard let name = open.last else { throw cursor.fault("an end tag without a start") }
    let start = cursor.index
    cursor.index += 2
    let isSame = cursor.skip(name)
    cursor.skipSpace()
    guard isSame, cursor.skip(">") else {
      cursor.index = start
      throw cursor.fault("<\(cursor.text(name).printableName)> is to be closed here, and this is another tag")
    }
    open.removeLast()
    try end(&builder)
  }

  @inline(__always)
  private func end(_ builder: inout XMLBuilder) throws(BodyFault) {
    builder.end()
    guard !builder.output.isFull else {
      throw cursor.fault("its elements become more than \(XMLReader.largest >> 20) MiB")
    }
  }
}

/// The names of an element's attributes, for the detection of duplicates.
private struct XMLAttributes {
  private var names: [Range<Int>] = []
  private var many: Set<[UInt8]> = []

  /// The number of names up to which each is compared with each.
  private static let few = 8

  mutating func removeAll() {
    names.removeAll(keepingCapacity: true)
    if !many.isEmpty { many.removeAll() }
  }

  /// Adds a name; returns false for a duplicate.
  mutating func insert(_ name: Range<Int>, of bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    if names.count < Self.few {
      guard !names.contains(where: { bytes.hasSame($0, name) }) else { return false }
      names.append(name)
      return true
    }
    if many.isEmpty { many = Set(names.map { Array(bytes[$0]) }) }
    return many.insert(Array(bytes[name])).inserted
  }
}

extension String {
  /// The name as it is shown in a message.
  fileprivate var printableName: String { printable(limit: 60) }
}
