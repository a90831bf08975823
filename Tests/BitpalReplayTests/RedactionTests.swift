import BitpalModel
import BitpalNetwork
import BitpalReplay
import Foundation
import TestSupport
import Testing

@Suite struct `Removing secrets` {
  /// Has characters that every encoding writes in its own way.
  static let canary = "CG-k3y/ä+\"sp ace\\&=%7E"

  static let encodings: [(name: String, text: String)] = {
    let bytes = Array(canary.utf8)
    func percent(_ format: String) -> String { bytes.map { String(format: format, $0) }.joined() }
    let allowed = canary.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    let json = canary.replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: "\"", with: "\\\"")
    let base64 = Data(bytes).base64EncodedString()
    let xml = canary.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "\"", with: "&quot;")
    let references = canary.unicodeScalars.map { "&#\($0.value);" }.joined()
    return [
      ("plain", canary), ("percent, all", percent("%%%02X")), ("percent, lower case", percent("%%%02x")),
      ("percent, as needed", allowed), ("percent, twice", allowed.replacingOccurrences(of: "%", with: "%25")),
      ("form", allowed.replacingOccurrences(of: "%20", with: "+")), ("JSON", json),
      ("JSON, slashes escaped", json.replacingOccurrences(of: "/", with: "\\/")),
      ("JSON, some by number", json.replacingOccurrences(of: "C", with: "\\u0043")),
      ("CSV", canary.replacingOccurrences(of: "\"", with: "\"\"")),
      ("XML", xml), ("XML, by number", references),
      ("XML, by hexadecimal number", canary.unicodeScalars.map { "&#x\(String($0.value, radix: 16));" }.joined()),
      ("XML, zeros before", references.replacingOccurrences(of: "&#", with: "&#000")),
      ("XML, with a comment", "CG<!-- not here -->-k3y" + canary.dropFirst(6)),
      ("XML, with CDATA", "CG-<![CDATA[k3y]]>" + canary.dropFirst(6)),
      ("JSON, all by number", canary.utf16.map { String(format: "\\u%04x", $0) }.joined()),
      ("base64", base64),
      ("base64 without padding", base64.replacingOccurrences(of: "=", with: "")),
      ("base64 for URLs", base64.replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")),
      ("base64 of more", Data(Array("u:".utf8) + bytes + Array(" and more".utf8)).base64EncodedString()),
      ("base64 of more, one byte on", Data(Array("x".utf8) + bytes).base64EncodedString()),
      ("hexadecimal", percent("%02x")), ("hexadecimal, capitals", percent("%02X")),
    ]
  }()

  @Test(arguments: encodings)
  func `A secret is removed in every encoding`(name: String, text: String) {
    let redacted = Redaction([Secret(Self.canary)]).text("before \(text) after")
    #expect(redacted.hasPrefix("before ") && redacted.hasSuffix(" after"))
    #expect(redacted.contains(Redaction.mark))
    #expect(Self.trace(in: redacted) == nil)
  }

  @Test func `A text without a secret stays the same, byte for byte`() {
    let bytes: [UInt8] = [0, 0xFF, 0x25, 0x5C, 0x75] + Array("CG-k3y/a % \\u00".utf8)
    #expect(Redaction([Secret(Self.canary)]).bytes(bytes) == bytes)
  }

  @Test func `Values below four bytes are not searched for`() {
    #expect(Redaction([Secret("usd"), Secret("")]).text("price in usd") == "price in usd")
  }

  @Test func `A secret within a longer one goes with it`() {
    #expect(
      Redaction([Secret("token"), Secret("token-long")]).text("a token-long b token c") == "a REDACTED b REDACTED c")
  }

  @Test func `A canary that travels through everything is in no file of the recording`() throws {
    let folder = try TemporaryFolder()
    var exchanges: [CapturedExchange] = []
    for (name, text) in Self.encodings {
      let url =
        "https://user:\(Self.canary)@api.example.com/x?name=\(name.replacingOccurrences(of: " ", with: ""))&key=\(text)"
      exchanges.append(
        CapturedExchange(
          request: HTTPRequest(
            url: url, headers: [HTTPHeader("referer", text)],
            secret: HTTPRequest.SecretHeader("x-key", Secret(Self.canary)),
            query: .detail(coin: text, currency: "usd")),
          response: HTTPResponse(
            status: 200,
            headers: [
              HTTPHeader("content-type", "text/plain; k=\(text)"), HTTPHeader("set-cookie", text),
              HTTPHeader("location", text),
            ],
            body: Array("You sent \(text)!".utf8))))
    }
    try HARWriter.write(
      exchanges, to: folder.path + "/demo", recordedAt: Date(timeIntervalSince1970: 0), note: nil,
      command: ["coin", Self.canary], redaction: Redaction([Secret(Self.canary)]))
    let files = try #require(FileManager.default.enumerator(atPath: folder.path)).compactMap { $0 as? String }
    #expect(files.count > 3)
    for file in files {
      #expect(Self.trace(in: file) == nil)
      guard let data = FileManager.default.contents(atPath: folder.path + "/" + file) else { continue }
      let found = Self.trace(in: String(decoding: data, as: UTF8.self))
      #expect(found == nil, "\(file) holds \(found ?? "")")
    }
    let recording = try HARReader.open(folder.path + "/demo")
    #expect(
      try recording.exchanges.allSatisfy {
        String(decoding: try recording.response(of: $0).body, as: UTF8.self).contains(Redaction.mark)
      })
  }

  /// The name of the encoding in which the canary is still there.
  private static func trace(in text: String) -> String? {
    encodings.first { text.contains($0.text) }?.name
  }
}
