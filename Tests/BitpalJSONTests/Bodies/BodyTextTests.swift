import Testing

@testable import BitpalJSON

@Suite struct `The character set of a body` {
  private func read(_ bytes: [UInt8], _ contentType: String? = nil) -> String {
    do throws(BodyFault) {
      return String(decoding: try BodyText.utf8(bytes, contentType: contentType), as: UTF8.self)
    } catch {
      return error.message
    }
  }

  @Test(
    arguments: [
      ([0xC3, 0xA9], nil, "é"), ([0xEF, 0xBB, 0xBF, 0x61], nil, "a"), ([0xFF, 0xFE, 0xE9, 0], nil, "é"),
      ([0xFE, 0xFF, 0, 0xE9], nil, "é"), ([0xFF, 0xFE, 0, 0, 0xE9, 0, 0, 0], nil, "é"),
      ([0, 0, 0xFE, 0xFF, 0, 0, 0, 0xE9], nil, "é"), ([0xE9], "text/csv; charset=iso-8859-1", "é"),
      ([0x80], "text/csv;charset=\"ISO-8859-1\"", "€"), ([0x80], "x; a=b; Charset='windows-1252' ; c=d", "€"),
      ([0xA4], "a/b; charset=iso-8859-15", "€"), ([0xE9], "a/b; charset=windows-1251", "й"),
      ([0xE9, 0], "a/b; charset=utf-16", "é"), ([0, 0xE9], "a/b; charset=UTF-16", "é"),
      ([0, 0xE9], "a/b; charset=utf-16be", "é"), ([0x8E, 0x52], "a/b; charset=Shift_JIS", "山"),
      // A mark goes before a declaration, and an empty one says nothing.
      ([0xEF, 0xBB, 0xBF, 0xC3, 0xA9], "a/b; charset=iso-8859-1", "é"), ([0xC3, 0xA9], "a/b; charset=", "é"),
      ([0xC3, 0xA9], "a/b; charset=UTF8", "é"), ([0x61], "a/b; charset=x-moon", "a"), ([], "a/b; charset=utf-16", ""),
      ([0xE9], "a/b; charset=x-moon", "its character set is x-moon, which is not read"),
      ([0xE9], "a/b; charset=iso-2022-cn-ext", "its character set is iso-2022-cn-ext, which is not read"),
      ([0x7B, 0x22], "a/b; charset=utf-16", "it is declared as utf-16 text, but is not"),
      ([0xE9], "a/b; charset=iso-8859-17", "its character set is iso-8859-17, which is not read"),
      ([0x61], "a/b; charset=utf-16", "it is declared as utf-16 text, but is not"),
      ([0x61, 0, 0x61, 0xD8], "a/b; charset=utf-16le", "it is declared as utf-16le text, but is not"),
    ] as [([UInt8], String?, String)])
  func `A mark decides, then the media type`(_ bytes: [UInt8], _ contentType: String?, _ text: String) {
    #expect(read(bytes, contentType) == text)
  }

  @Test func `Then what the provider file assumes`() throws {
    func read(_ bytes: [UInt8], _ contentType: String? = nil) throws -> String {
      String(decoding: try BodyText.utf8(bytes, contentType: contentType, assumed: "windows-1252"), as: UTF8.self)
    }
    #expect(try read([0xE9, 0x80]) == "é€")
    #expect(try read([0xC3, 0xA9], "text/csv; charset=utf-8") == "é")
    #expect(try read([0xEF, 0xBB, 0xBF, 0xC3, 0xA9]) == "é")
    #expect(try read(Array("<?xml version='1.0' encoding='utf-8'?>é".utf8)).last == "é")
    let latin: [UInt8] = [0x66, 0xFC, 0x72]
    #expect(BodyText.apparent(latin) == "windows-1252" && BodyText.apparent(Array("für".utf8)) == nil)
    #expect(BodyText.apparent(Array("für".utf8) + latin) == nil, "damaged UTF-8 has other sequences")
    #expect(BodyText.apparent(latin + [0x81]) == nil, "windows-1252 does not have it")
    #expect(BodyText.apparent([0x61, 0, 0x2C, 0]) == "utf-16le")
    #expect(BodyText.apparent([0, 0x61, 0, 0x2C]) == "utf-16be")
    #expect(BodyText.apparent([0x61, 0x2C, 0, 0x62, 0x63, 0x64]) == nil && BodyText.apparent([]) == nil)
    #expect(["utf-8", "latin1", "iso-8859-15", "utf-16", "big5"].allSatisfy(BodyText.canRead))
    #expect(!["moon", "iso-8859-17", "utf-7", ""].contains(where: BodyText.canRead))
  }

  @Test func `Then the declaration of XML`() {
    let declared = Array("<?xml version='1.0' encoding = 'ISO-8859-1'?>".utf8)
    #expect(read(declared + [0xE9]).last == "é")
    #expect(read(declared + [0xC3, 0xA9], "text/xml; charset=utf-8").last == "é")
    #expect(read(Array("<?xml version='1.0'?>".utf8) + [0xC3, 0xA9]).last == "é")
    // Nothing of the body itself is a declaration.
    #expect(read(Array("<a encoding='ISO-8859-1'>".utf8) + [0xC3, 0xA9]).last == "é")
  }
}
