/// JSON that is written into preallocated memory: readers of bodies write hundreds of thousands of short pieces.
///
/// Appending to an array costs several times as much per piece, because each append checks for unique ownership. The
/// memory has the largest size of the output; untouched pages cost nothing.
struct JSONOutput {
  private let storage: UnsafeMutableRawBufferPointer

  /// The number of bytes written.
  private(set) var count = 0

  /// Whether the memory was too small for a piece; nothing is written after that.
  private(set) var isFull = false

  /// Returns the array that `write` makes of a body.
  ///
  /// Few bodies grow when they become JSON. When a few times the length of the body is not enough, everything is
  /// written again into more memory.
  ///
  /// - Parameters:
  ///   - body: The number of bytes to read.
  ///   - largest: The largest number of bytes to write.
  ///   - write: Called again for each attempt; an error that it throws when the memory is full counts only in the last.
  /// - Throws: The errors of `write`.
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

  init(_ storage: UnsafeMutableRawBufferPointer) {
    self.storage = storage
  }

  /// Appends a byte.
  @inline(__always)
  mutating func append(_ byte: UInt8) {
    guard hasRoom(1) else { return }
    storage[count] = byte
    count += 1
  }

  /// Appends bytes unchanged.
  @inline(__always)
  mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard hasRoom(bytes.count), let source = UnsafeRawPointer(bytes.baseAddress), let base = storage.baseAddress
    else { return }
    Self.copy(source, bytes.count, to: base + count)
    count += bytes.count
  }

  /// Appends a text of the program's own.
  @inline(__always)
  mutating func append(_ text: StaticString) {
    append(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Appends bytes as the content of a JSON string, with the necessary escapes.
  mutating func appendEscaped(_ bytes: UnsafeBufferPointer<UInt8>) {
    var start = 0
    while true {
      let index = JSONEscape.mark(from: start, in: bytes)
      guard index < bytes.count else { break }
      append(UnsafeBufferPointer(rebasing: bytes[start..<index]))
      appendEscape(bytes[index])
      start = index + 1
    }
    append(UnsafeBufferPointer(rebasing: bytes[start...]))
  }

  /// Appends the escape of a byte.
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

  /// Removes everything that was written after `end`.
  mutating func truncate(to end: Int) {
    count = min(count, max(0, end))
  }

  @inline(__always)
  private mutating func hasRoom(_ more: Int) -> Bool {
    if storage.count - count >= more, !isFull { return true }
    isFull = true
    return false
  }

  /// Copies bytes; few of them without a call to `memcpy`.
  @inline(__always)
  private static func copy(_ source: UnsafeRawPointer, _ count: Int, to target: UnsafeMutableRawPointer) {
    switch count {
    case 8...16:
      // Two copies from both ends, which overlap.
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
