/// JSON on its way into memory that was taken for it: readers of bodies write hundreds of thousands of short pieces.
///
/// Appending to an array costs several times as much a piece, because it is asked each time who else has the array. The
/// memory is as much as the text may become; pages that nothing is written to cost nothing.
struct JSONOutput {
  private let storage: UnsafeMutableRawBufferPointer

  /// How many bytes are there.
  private(set) var count = 0

  /// Whether something had no room any more; nothing is written after that.
  private(set) var isFull = false

  /// Makes an array of what `write` makes of a body.
  ///
  /// Few bodies grow when they become JSON. For one that has no room in a few times its own length everything is written
  /// again, into more.
  ///
  /// - Parameters:
  ///   - body: How many bytes there are to read.
  ///   - largest: The most bytes that may become of them.
  ///   - write: Called anew for each try; what it throws when the room is full counts only in the last.
  /// - Throws: Whatever `write` throws.
  static func array(
    body: Int, atMost largest: Int, _ write: (inout JSONOutput) throws(BodyFault) -> Void
  ) throws(BodyFault) -> [UInt8] {
    var capacity = min(largest, 3 * body + 65_536)
    while true {
      var fault: BodyFault?
      var isFull = false
      let bytes = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
        var output = JSONOutput(UnsafeMutableRawBufferPointer(buffer))
        do throws(BodyFault) {
          try write(&output)
          count = output.count
        } catch {
          fault = error
        }
        isFull = output.isFull
      }
      if isFull, capacity < largest {
        capacity = min(largest, capacity * 4)
        continue
      }
      if let fault { throw fault }
      return bytes
    }
  }

  private init(_ storage: UnsafeMutableRawBufferPointer) {
    self.storage = storage
  }

  /// What has been written; good until it is written to.
  var written: UnsafeBufferPointer<UInt8> {
    UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(storage)[..<count]).assumingMemoryBound(to: UInt8.self)
  }

  /// Adds a byte.
  @inline(__always)
  mutating func append(_ byte: UInt8) {
    guard hasRoom(1) else { return }
    storage[count] = byte
    count += 1
  }

  /// Adds bytes as they are.
  @inline(__always)
  mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard hasRoom(bytes.count), let source = UnsafeRawPointer(bytes.baseAddress), let base = storage.baseAddress
    else { return }
    Self.copy(source, bytes.count, to: base + count)
    count += bytes.count
  }

  /// Adds a text of the program's own.
  @inline(__always)
  mutating func append(_ text: StaticString) {
    append(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Adds what a JSON string may hold between its quotes.
  mutating func appendEscaped(_ bytes: UnsafeBufferPointer<UInt8>) {
    var start = 0
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      if byte < 0x20 || byte == 0x22 || byte == 0x5C {
        append(UnsafeBufferPointer(rebasing: bytes[start..<index]))
        appendEscape(byte)
        start = index + 1
      }
      index += 1
    }
    append(UnsafeBufferPointer(rebasing: bytes[start...]))
  }

  /// Adds a byte that a JSON string cannot hold as it is.
  private mutating func appendEscape(_ byte: UInt8) {
    append(UInt8(ascii: "\\"))
    switch byte {
    case UInt8(ascii: "\n"): append(UInt8(ascii: "n"))
    case UInt8(ascii: "\r"): append(UInt8(ascii: "r"))
    case UInt8(ascii: "\t"): append(UInt8(ascii: "t"))
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): append(byte)
    default:
      append("u00")
      for digit in [byte >> 4, byte & 0x0F] {
        append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
      }
    }
  }

  /// Writes over a byte that is there.
  mutating func replace(at index: Int, with byte: UInt8) {
    if index < count { storage[index] = byte }
  }

  /// Takes back what was written after `end`.
  mutating func truncate(to end: Int) {
    count = min(count, max(0, end))
  }

  @inline(__always)
  private mutating func hasRoom(_ more: Int) -> Bool {
    if storage.count - count >= more, !isFull { return true }
    isFull = true
    return false
  }

  /// Copies bytes, a few of them without the call that many are worth.
  @inline(__always)
  private static func copy(_ source: UnsafeRawPointer, _ count: Int, to target: UnsafeMutableRawPointer) {
    switch count {
    case 8...16:
      // Both ends, which overlap.
      let last = source.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
      target.storeBytes(of: source.loadUnaligned(as: UInt64.self), as: UInt64.self)
      target.storeBytes(of: last, toByteOffset: count - 8, as: UInt64.self)
    case 4..<8:
      let last = source.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self)
      target.storeBytes(of: source.loadUnaligned(as: UInt32.self), as: UInt32.self)
      target.storeBytes(of: last, toByteOffset: count - 4, as: UInt32.self)
    case 1..<4:
      target.storeBytes(of: source.load(as: UInt8.self), as: UInt8.self)
      target.storeBytes(
        of: source.load(fromByteOffset: count / 2, as: UInt8.self), toByteOffset: count / 2, as: UInt8.self)
      target.storeBytes(
        of: source.load(fromByteOffset: count - 1, as: UInt8.self), toByteOffset: count - 1, as: UInt8.self)
    case 0: break
    default: target.copyMemory(from: source, byteCount: count)
    }
  }
}
