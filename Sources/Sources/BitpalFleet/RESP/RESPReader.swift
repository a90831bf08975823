/// A reader of replies from bytes as they arrive, within bounds.
///
/// A reply that breaks a bound or the protocol ends the reading for good, because the start of the next one is unknown.
struct RESPReader {
  /// The bounds, far above any expected reply.
  struct Limits: Hashable, Sendable {
    /// The most bytes of one text: a list of 20,000 coins has 2 MiB.
    var textBytes = 8 << 20

    /// The most bytes of a reply with all that it contains.
    var replyBytes = 16 << 20

    /// The most bytes of a line that is not a text of given length.
    var lineBytes = 64 << 10

    /// The most elements of a reply: those of an array, together with those of the arrays in it.
    var elements = 100_000

    /// The deepest nesting of arrays.
    var depth = 8
  }

  /// The reason why the bytes are not a reply.
  enum Fault: Error, Hashable, Sendable {
    /// A reply must begin with one of five characters.
    case unknownKind(UInt8)
    case badNumber
    case lineTooLong
    case textTooLong
    case replyTooLong
    case tooManyElements
    case tooDeep

    /// A text is not followed by a line end.
    case badEnd
  }

  private let limits: Limits
  private var bytes: [UInt8] = []

  /// The position of the next reply.
  private var start = 0

  /// The number of bytes below which another attempt cannot succeed.
  private var wanted = 0

  init(limits: Limits = Limits()) {
    self.limits = limits
  }

  /// Whether all bytes have been read.
  var isEmpty: Bool { start == bytes.count }

  /// Adds received bytes.
  mutating func append(_ more: some Sequence<UInt8>) {
    if start > 0 {
      bytes.removeFirst(start)
      wanted = max(0, wanted - start)
      start = 0
    }
    bytes.append(contentsOf: more)
  }

  /// Returns the next whole reply; nil while more bytes are needed.
  ///
  /// - Throws: ``Fault`` for bytes that break a bound or the protocol.
  mutating func next() throws(Fault) -> RESPValue? {
    guard bytes.count >= wanted else { return nil }
    var place = start
    var left = limits.elements
    guard let value = try value(at: &place, depth: 0, left: &left) else {
      guard bytes.count - start <= limits.replyBytes else { throw .replyTooLong }
      return nil
    }
    start = place
    wanted = 0
    return value
  }

  private mutating func value(at place: inout Int, depth: Int, left: inout Int) throws(Fault) -> RESPValue? {
    guard place < bytes.count else { return nil }
    let kind = bytes[place]
    guard [0x2B, 0x2D, 0x3A, 0x24, 0x2A].contains(kind) else { throw .unknownKind(kind) }
    place += 1
    guard let line = try line(at: &place) else { return nil }
    switch kind {
    case 0x2B: return .status(String(decoding: line, as: UTF8.self))
    case 0x2D: return .error(RESPFault(String(decoding: line, as: UTF8.self)))
    case 0x3A: return .integer(try Self.number(line))
    case 0x24: return try text(of: try Self.number(line), at: &place)
    default:
      let count = try Self.number(line)
      if count == -1 { return .array(nil) }
      guard count >= 0 else { throw .badNumber }
      guard count <= Int64(left) else { throw .tooManyElements }
      guard depth < limits.depth else { throw .tooDeep }
      left -= Int(count)
      var elements: [RESPValue] = []
      for _ in 0..<count {
        guard let element = try value(at: &place, depth: depth + 1, left: &left) else { return nil }
        elements.append(element)
      }
      return .array(elements)
    }
  }

  private mutating func text(of length: Int64, at place: inout Int) throws(Fault) -> RESPValue? {
    if length == -1 { return .bulk(nil) }
    guard length >= 0 else { throw .badNumber }
    guard length <= Int64(limits.textBytes) else { throw .textTooLong }
    let end = place + Int(length)
    guard bytes.count >= end + 2 else {
      wanted = end + 2
      return nil
    }
    guard bytes[end] == 0x0D, bytes[end + 1] == 0x0A else { throw .badEnd }
    let text = Array(bytes[place..<end])
    place = end + 2
    return .bulk(text)
  }

  /// Returns the bytes up to the end of the line; nil while it is missing.
  private func line(at place: inout Int) throws(Fault) -> ArraySlice<UInt8>? {
    let most = min(bytes.count, place + limits.lineBytes + 2)
    var end = place
    while end + 1 < most {
      if bytes[end] == 0x0D, bytes[end + 1] == 0x0A {
        let line = bytes[place..<end]
        place = end + 2
        return line
      }
      end += 1
    }
    if bytes.count - place >= limits.lineBytes + 2 { throw .lineTooLong }
    return nil
  }

  private static func number(_ line: ArraySlice<UInt8>) throws(Fault) -> Int64 {
    // A number has digits and at most a minus sign.
    guard !line.isEmpty, line.count <= 20, line.first != 0x2B,
      let number = Int64(String(decoding: line, as: UTF8.self))
    else { throw .badNumber }
    return number
  }
}
