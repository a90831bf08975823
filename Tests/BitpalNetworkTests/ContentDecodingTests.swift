import LoopbackServer
import TestSupport
import Testing

@testable import BitpalNetwork

@Suite struct `A compressed answer` {
  private static let text = Array(String(repeating: "2026-01-05,90050.25\n", count: 40).utf8)

  private func decode(_ body: [UInt8], _ coding: String, status: Int = 200) throws(NetworkFault) -> [UInt8] {
    let response = HTTPResponse(status: status, headers: [HTTPHeader("Content-Encoding", coding)], body: body)
    return try ContentDecoder(limit: 10_000).decoded(response).body
  }

  @Test func `without its end is refused wherever it ends`() throws {
    let packed = Gzip.stored(Self.text)
    #expect(try decode(packed, "gzip") == Self.text)
    for count in 1..<packed.count {
      #expect(throws: NetworkFault.brokeOff(bytes: count)) { try decode(Array(packed.prefix(count)), "gzip") }
    }
  }

  @Test func `with a flipped bit never counts as another text`() throws {
    let packed = Gzip.stored(Self.text)
    // The first ten bytes are the header, of which some bits say nothing about the text.
    for bit in (10 * 8)..<(packed.count * 8) {
      var damaged = packed
      damaged[bit / 8] ^= 1 << (bit % 8)
      if let text = try? decode(damaged, "gzip") { #expect(text == Self.text, "bit \(bit)") }
    }
  }

  @Test func `may consist of members, and the bytes after them are skipped`() throws {
    let packed = Gzip.stored(Self.text)
    #expect(try decode(packed + packed, "gzip") == Self.text + Self.text)
    #expect(try decode(packed + [0, 0, 0], "gzip") == Self.text)
    #expect(try decode(packed + [0x0A], "x-gzip") == Self.text)
    for count in 1..<packed.count {
      #expect(throws: NetworkFault.self) { try decode(packed + packed.prefix(count), "gzip") }
    }
  }

  @Test func `of a refusal leaves its status, without a body`() throws {
    for status in [429, 418, 500, 503] {
      let response = HTTPResponse(status: status, headers: [HTTPHeader("Content-Encoding", "br")], body: [1])
      let decoded = try ContentDecoder(limit: 10).decoded(response)
      #expect(decoded.status == status && decoded.body.isEmpty)
    }
    #expect(throws: NetworkFault.unknownEncoding("br")) { try decode([1], "br", status: 404) }
  }

  @Test func `is bounded by its content, not by its bytes`() throws {
    let many = Gzip.stored([UInt8](repeating: 48, count: 10_001))
    #expect(throws: NetworkFault.bodyTooLarge(limit: 10_000)) { try decode(many, "gzip") }
    #expect(try decode(Gzip.stored([UInt8](repeating: 48, count: 10_000)), "gzip").count == 10_000)
  }
}
