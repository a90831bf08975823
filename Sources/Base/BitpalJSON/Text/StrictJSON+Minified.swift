extension StrictJSON {
  /// Returns JSON text without the white space between tokens; no token is changed, and nothing is checked.
  package static func minified(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var isInString = false
    var isEscaped = false
    for byte in bytes {
      if isInString {
        result.append(byte)
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isInString = false
        }
      } else if !byte.isJSONSpace {
        result.append(byte)
        isInString = byte == UInt8(ascii: "\"")
      }
    }
    return result
  }
}
extension UInt8 {
  /// The white space of RFC 8259, section 2.
  var isJSONSpace: Bool { self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09 }
}
