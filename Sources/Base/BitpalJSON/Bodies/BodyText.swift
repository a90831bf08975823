import BitpalModel
import Glibc

/// The character set of a body or a file, and its conversion to UTF-8.
///
/// A byte order mark decides, then the charset of `Content-Type`, then the declaration of XML (RFC 7303, section 3.2),
/// then what the provider file says; without any of them the text is UTF-8. The labels are those of the Encoding Standard
/// of the WHATWG, in which ISO-8859-1 means windows-1252.
package enum BodyText {
  /// Returns the text in UTF-8, without a byte order mark.
  ///
  /// - Parameters:
  ///   - contentType: The value of the header; nil for none.
  ///   - assumed: The character set of bytes that declare none; nil for UTF-8.
  /// - Throws: ``BodyFault`` with the name of a character set that is not read, or for bytes that are not of it.
  package static func utf8(
    _ bytes: [UInt8], contentType: String? = nil, assumed: String? = nil
  ) throws(BodyFault) -> [UInt8] {
    for (mark, name) in marks where bytes.starts(with: mark) {
      let text = bytes[mark.count...]
      return name.isEmpty ? Array(text) : try converted(text, from: name, label: name.lowercased())
    }
    guard let label = contentType.flatMap(charset) ?? declaration(bytes) ?? assumed else { return bytes }
    guard !plain.contains(label) else { return bytes }
    let isWide = label.hasPrefix("utf-16") || label.hasPrefix("utf-32")
    // JSON, CSV and XML begin with a character of ASCII, which has a zero beside it.
    guard !isWide || bytes.isEmpty || bytes.prefix(2).contains(0) else { throw notText(of: label) }
    if !isWide, bytes.allSatisfy({ $0 < 0x80 }) { return bytes }
    guard let name = converter(label, startsWithZero: bytes.first == 0) else {
      throw BodyFault("its character set is \(label.printable(limit: 60)), which is not read")
    }
    return try converted(bytes[...], from: name, label: label)
  }

  /// Returns the character set of a text that declares none and is not UTF-8, where the bytes leave no doubt; nil for
  /// UTF-8, and for all others.
  ///
  /// It is UTF-16 where every other byte is zero in most of the text, and windows-1252 where no sequence of UTF-8 is in
  /// it, because UTF-8 that is damaged in one place has others.
  package static func apparent(_ bytes: [UInt8]) -> String? {
    guard !marks.contains(where: { bytes.starts(with: $0.mark) }) else { return nil }
    var zeros = (even: 0, odd: 0)
    for (place, byte) in bytes.prefix(4096).enumerated() where byte == 0 {
      if place % 2 == 0 { zeros.even += 1 } else { zeros.odd += 1 }
    }
    let most = min(bytes.count, 4096) / 4
    if zeros.odd > most, zeros.even == 0 { return "utf-16le" }
    if zeros.even > most, zeros.odd == 0 { return "utf-16be" }
    guard zeros.even + zeros.odd == 0, (try? UTF8Span(validating: bytes.span)) == nil else { return nil }
    let pairs = zip(bytes, bytes.dropFirst())
    let hasSequence = pairs.contains { (0xC2...0xF4).contains($0) && (0x80...0xBF).contains($1) }
    let isUndefined = bytes.contains { [0x81, 0x8D, 0x8F, 0x90, 0x9D].contains($0) }
    return hasSequence || isUndefined ? nil : "windows-1252"
  }

  /// Returns whether a character set is read, by a label in lower case.
  package static func canRead(_ label: String) -> Bool {
    plain.contains(label) || converter(label, startsWithZero: false) != nil
  }

  /// The labels of UTF-8 and of its part ASCII.
  private static let plain = ["utf-8", "utf8", "us-ascii", "ascii"]

  /// The byte order marks, the longer ones first, and the character set that each marks; empty for UTF-8.
  private static let marks: [(mark: [UInt8], name: String)] = [
    (BodyFault.byteOrderMark, ""), ([0, 0, 0xFE, 0xFF], "UTF-32BE"), ([0xFF, 0xFE, 0, 0], "UTF-32LE"),
    ([0xFE, 0xFF], "UTF-16BE"), ([0xFF, 0xFE], "UTF-16LE"),
  ]

  /// Returns the charset of a media type, in lower case.
  private static func charset(_ contentType: String) -> String? {
    for parameter in contentType.lowercased().split(separator: ";").dropFirst() {
      let parts = parameter.split(separator: "=", maxSplits: 1)
      guard parts.count == 2, parts[0].filter({ !$0.isWhitespace }) == "charset" else { continue }
      let value = parts[1].filter { !$0.isWhitespace && $0 != "\"" && $0 != "'" }
      return value.isEmpty ? nil : value
    }
    return nil
  }

  /// Returns the encoding of an XML declaration, in lower case.
  private static func declaration(_ bytes: [UInt8]) -> String? {
    guard bytes.starts(with: "<?xml".utf8), let end = bytes.prefix(256).firstIndex(of: UInt8(ascii: ">")) else {
      return nil
    }
    let text = String(decoding: bytes[..<end], as: UTF8.self).lowercased()
    guard let name = text.firstRange(of: "encoding")?.upperBound else { return nil }
    let value = text[name...].drop { $0.isWhitespace || $0 == "=" }
    guard let quote = value.first, quote == "\"" || quote == "'" else { return nil }
    return String(value.dropFirst().prefix { $0 != quote })
  }

  /// Returns the name by which the C library knows a character set; nil for one that is not read.
  ///
  /// It is an allow list, because some converters of the C library had faults that a label chose.
  private static func converter(_ label: String, startsWithZero: Bool) -> String? {
    switch label {
    case "iso-8859-1", "iso8859-1", "latin1", "latin-1", "l1", "windows-1252", "cp1252", "x-cp1252": "CP1252"
    case "utf-16", "utf-16le", "utf-16be": label == "utf-16be" || startsWithZero ? "UTF-16BE" : "UTF-16LE"
    case "utf-32", "utf-32le", "utf-32be": label == "utf-32be" || startsWithZero ? "UTF-32BE" : "UTF-32LE"
    case "gbk", "gb2312", "gb18030": "GB18030"
    case "shift_jis", "shift-jis", "sjis", "windows-31j": "CP932"
    case "euc-kr", "ks_c_5601-1987": "CP949"
    case "big5", "euc-jp", "koi8-r", "koi8-u", "macintosh": label.uppercased()
    default: numbered(label)
    }
  }

  /// Returns the name of a label with a number: ISO 8859-2 to 16, windows-1250 to 1258.
  private static func numbered(_ label: String) -> String? {
    guard let number = label.split(separator: "-").last.flatMap({ Int($0) }) else { return nil }
    if label == "iso-8859-\(number)", (2...16).contains(number) { return "ISO-8859-\(number)" }
    return label == "windows-\(number)" && (1250...1258).contains(number) ? "CP\(number)" : nil
  }

  private static func converted(
    _ bytes: ArraySlice<UInt8>, from name: String, label: String
  ) throws(BodyFault) -> [UInt8] {
    guard let converter = iconv_open("UTF-8", name), Int(bitPattern: converter) != -1 else {
      throw BodyFault("its character set is \(label), which the system does not know")
    }
    defer { iconv_close(converter) }
    // No character takes more than three bytes for one of its own, or four for two.
    var output = [UInt8](repeating: 0, count: bytes.count * 3 + 4)
    let room = output.count
    var input = Array(bytes)
    let written = input.withUnsafeMutableBytes { source in
      output.withUnsafeMutableBytes { target -> Int? in
        var from = source.baseAddress?.assumingMemoryBound(to: CChar.self)
        var to = target.baseAddress?.assumingMemoryBound(to: CChar.self)
        var (left, free) = (source.count, room)
        guard left == 0 || iconv(converter, &from, &left, &to, &free) != -1 else { return nil }
        return room - free
      }
    }
    guard let written else { throw notText(of: label) }
    return Array(output[..<written])
  }

  private static func notText(of label: String) -> BodyFault {
    BodyFault("it is declared as \(label) text, but is not")
  }
}
