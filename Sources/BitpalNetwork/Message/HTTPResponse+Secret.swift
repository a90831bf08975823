import BitpalModel
import Glibc

extension HTTPResponse {
  /// The same response with `[key]` wherever its body says the secret.
  ///
  /// Sources quote the key that they refuse, and what they say is shown to people and kept in files.
  func hiding(_ secret: Secret) -> HTTPResponse {
    let key = Array(secret.reveal().utf8)
    guard !key.isEmpty, key.count <= body.count else { return self }
    var clean: [UInt8] = []
    var start = 0
    while let found = Self.place(of: key, in: body, from: start) {
      clean += body[start..<found]
      clean += Array("[key]".utf8)
      start = found + key.count
    }
    guard start > 0 else { return self }
    return HTTPResponse(status: status, headers: headers, body: clean + body[start...])
  }

  /// Where the key is next; memory is searched for its first byte, which is faster than `firstRange(of:)`.
  private static func place(of key: [UInt8], in body: [UInt8], from start: Int) -> Int? {
    body.withUnsafeBytes { bytes in
      var index = start
      while let base = bytes.baseAddress, let first = key.first, index + key.count <= bytes.count,
        let found = memchr(base + index, Int32(first), bytes.count - index - key.count + 1)
      {
        index = UnsafeRawPointer(found) - base
        if memcmp(found, key, key.count) == 0 { return index }
        index += 1
      }
      return nil
    }
  }
}
