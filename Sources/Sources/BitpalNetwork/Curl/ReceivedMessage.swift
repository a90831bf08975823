/// A response that is being received, with checks of its size.
struct ReceivedMessage {
  private let limits: CurlLimits
  private var status: Int?
  private var headers: [HTTPHeader] = []
  private var headerBytes = 0
  private var headerCount = 0
  private var content: [UInt8] = []

  /// The limit that was exceeded; nil for none.
  private(set) var fault: NetworkFault?

  init(limits: CurlLimits) {
    self.limits = limits
  }

  /// The number of bytes of the body.
  var bodyBytes: Int { content.count }

  /// The message that has arrived, once it has a status.
  var response: HTTPResponse? {
    status.map { HTTPResponse(status: $0, headers: headers, body: content) }
  }

  /// Adds a header line, or the status line of a response; false when a limit is exceeded.
  mutating func header(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    headerBytes += bytes.count
    guard headerBytes <= limits.headerBytes else { return fail(.headersTooLarge(limit: limits.headerBytes)) }
    let line = String(decoding: bytes, as: UTF8.self)
    if line.hasPrefix("HTTP/") {
      // A later status line follows an interim response (100…199), which is not the answer.
      status = line.split(separator: " ", maxSplits: 2).dropFirst().first.flatMap { Int($0.prefix(3)) }
      headers.removeAll()
      return true
    }
    guard let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")) else { return true }
    headerCount += 1
    guard headerCount <= limits.headerCount else { return fail(.tooManyHeaders(limit: limits.headerCount)) }
    headers.append(HTTPHeader(Self.trimmed(line[..<colon]), Self.trimmed(line[line.index(after: colon)...])))
    return true
  }

  /// Adds bytes of the body; false when the limit is exceeded.
  mutating func body(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard content.count + bytes.count <= limits.bodyBytes else { return fail(.bodyTooLarge(limit: limits.bodyBytes)) }
    let count = content.count + bytes.count
    // Arrays double their capacity, which would be twice the limit here.
    if count > content.capacity { content.reserveCapacity(min(limits.bodyBytes, max(count, content.capacity * 3 / 2))) }
    content.append(contentsOf: bytes)
    return true
  }

  private mutating func fail(_ fault: NetworkFault) -> Bool {
    self.fault = fault
    return false
  }

  private static func trimmed(_ text: Substring) -> String {
    func isSpace(_ character: Character) -> Bool { character.isWhitespace }
    return String(text.drop(while: isSpace).reversed().drop(while: isSpace).reversed())
  }
}
