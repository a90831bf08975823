import TestSupport
import Testing

@testable import BitpalFleet

@Suite struct `Replies of Redis` {
  private static func read(_ text: String, limits: RESPReader.Limits = .init()) throws -> [RESPValue] {
    var reader = RESPReader(limits: limits)
    reader.append(Array(text.utf8))
    var values: [RESPValue] = []
    while let value = try reader.next() { values.append(value) }
    return values
  }

  @Test func `are of five kinds, and may be none`() throws {
    #expect(
      try Self.read(
        "+OK\r\n-NOAUTH Authentication required.\r\n:-42\r\n$5\r\nhe\r\no\r\n$-1\r\n*2\r\n:1\r\n*0\r\n*-1\r\n$0\r\n\r\n"
      )
        == [
          .status("OK"), .error(RESPFault("NOAUTH Authentication required.")), .integer(-42),
          .bulk(Array("he\r\no".utf8)), .bulk(nil), .array([.integer(1), .array([])]), .array(nil), .bulk([]),
        ])
    #expect(RESPFault("READONLY You can't write").code == "READONLY")
  }

  @Test func `are the same in whatever pieces they come`() throws {
    let text = Array("*3\r\n$3\r\nfoo\r\n:7\r\n*1\r\n+OK\r\n$10\r\n0123456789\r\n".utf8)
    for length in 1...text.count {
      var reader = RESPReader()
      var values: [RESPValue] = []
      for start in stride(from: 0, to: text.count, by: length) {
        reader.append(text[start..<min(text.count, start + length)])
        while let value = try reader.next() { values.append(value) }
      }
      #expect(
        values == [
          .array([.bulk(Array("foo".utf8)), .integer(7), .array([.status("OK")])]), .bulk(Array("0123456789".utf8)),
        ])
    }
  }

  @Test(arguments: [
    ("!1\r\n", RESPReader.Fault.unknownKind(0x21)), (":1x\r\n", .badNumber), (":+1\r\n", .badNumber),
    (":\r\n", .badNumber),
    (":99999999999999999999\r\n", .badNumber), ("$-2\r\n", .badNumber), ("*-2\r\n", .badNumber),
    ("$3\r\nabcde", .badEnd),
    ("$99999999999\r\n", .textTooLong), ("*100001\r\n", .tooManyElements),
    ("*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n", .tooDeep),
    ("*60000\r\n" + String(repeating: "*1\r\n:1\r\n", count: 40_001), .tooManyElements),
    ("+" + String(repeating: "a", count: 70_000), .lineTooLong),
  ])
  func `that break the protocol or a bound are refused`(text: String, fault: RESPReader.Fault) {
    #expect(throws: fault) { try Self.read(text) }
  }

  @Test func `Whatever bytes come, reading ends, the same in whatever pieces they come`() {
    let whole = Array("*3\r\n$5\r\nhello\r\n:-7\r\n*2\r\n$-1\r\n+OK\r\n-NOAUTH who\r\n*-1\r\n$0\r\n\r\n".utf8)
    let limits = RESPReader.Limits(textBytes: 40, replyBytes: 200, lineBytes: 20, elements: 20, depth: 3)
    func outcome(_ bytes: [UInt8], pieces: Int) -> (values: [RESPValue], fault: RESPReader.Fault?) {
      var reader = RESPReader(limits: limits)
      var values: [RESPValue] = []
      do throws(RESPReader.Fault) {
        for start in stride(from: 0, to: bytes.count, by: pieces) {
          reader.append(bytes[start..<min(bytes.count, start + pieces)])
          while let value = try reader.next() { values.append(value) }
        }
      } catch {
        return (values, error)
      }
      return (values, nil)
    }
    for (index, bytes) in Mutations(of: whole).enumerated() {
      let (values, fault) = outcome(bytes, pieces: max(1, bytes.count))
      let (others, another) = outcome(bytes, pieces: 1 + index % 9)
      #expect(values == others && fault == another)
    }
  }

  @Test func `A request is an array of texts with any bytes`() {
    #expect(RESPWriter.command(["SET", "k\r\n", ""]) == Array("*3\r\n$3\r\nSET\r\n$3\r\nk\r\n\r\n$0\r\n\r\n".utf8))
  }
}
