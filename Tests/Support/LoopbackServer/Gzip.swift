/// Gzip streams without a compressor.
public enum Gzip {
  private static let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]

  /// The bytes in stored blocks.
  public static func stored(_ bytes: [UInt8]) -> [UInt8] {
    var result = header
    var rest = bytes[...]
    repeat {
      let block = rest.prefix(0xFFFF)
      rest = rest.dropFirst(block.count)
      result.append(rest.isEmpty ? 1 : 0)
      result += littleEndian(UInt16(block.count)) + littleEndian(~UInt16(block.count)) + block
    } while !rest.isEmpty
    return result + littleEndian(crc32(bytes)) + littleEndian(UInt32(truncatingIfNeeded: bytes.count))
  }

  /// A stream of zero bytes in pieces of some ten kilobytes: one block of fixed Huffman codes, each 13 bits long and
  /// standing for the 258 bytes before.
  static func zeros(unpacked: Int, _ send: ([UInt8]) -> Bool) {
    var bits = BitWriter(bytes: header)
    bits.write(0b011, count: 3)  // last block, fixed codes
    bits.write(0b0000_1100, count: 8)  // a literal 0: code 00110000, first bit first
    var left = unpacked / 258
    while left > 0 {
      for _ in 0..<min(left, 8192) {
        bits.write(0b10100011, count: 8)  // length 258: code 11000101, first bit first
        bits.write(0, count: 5)  // distance 1
      }
      left -= 8192
      guard send(bits.takeBytes()) else { return }
    }
    bits.write(0, count: 7)  // end of block
    bits.write(0, count: 7)
    _ = send(bits.takeBytes())
  }

  private static func crc32(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(~UInt32(0)) { crc, byte in
      (0..<8).reduce(crc ^ UInt32(byte)) { crc, _ in crc >> 1 ^ (crc & 1 == 1 ? 0xEDB8_8320 : 0) }
    }
  }

  private static func littleEndian(_ value: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: value.littleEndian) { Array($0) }
  }
}

/// Packs bits, lowest first, as deflate does.
private struct BitWriter {
  var bytes: [UInt8]
  private var pending: UInt32 = 0
  private var count: UInt32 = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  mutating func write(_ bits: UInt32, count width: UInt32) {
    pending |= bits << count
    count += width
    while count >= 8 {
      bytes.append(UInt8(truncatingIfNeeded: pending))
      pending >>= 8
      count -= 8
    }
  }

  mutating func takeBytes() -> [UInt8] {
    defer { bytes = [] }
    return bytes
  }
}
