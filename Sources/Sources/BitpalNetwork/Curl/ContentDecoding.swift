import BitpalModel
import CZlib

/// A decoder of bodies by their `Content-Encoding` (RFC 9110, section 8.4.1): gzip and deflate, alone or after each other.
///
/// libcurl's own decoder accepts a stream without its end. This one requires the end and the checksum of each stream, reads
/// all members of a gzip file (RFC 1952, section 2.2), and skips bytes after the last one, as browsers and gzip do.
struct ContentDecoder {
  /// The value of `Accept-Encoding`.
  static let offered = "gzip, deflate"

  /// The largest body after decoding, in bytes.
  let limit: Int

  /// The most codings of one body.
  private static let mostCodings = 3

  /// Returns the response with its decoded body.
  ///
  /// The status of a refusal or a failure counts although its body cannot be decoded: the body is empty then.
  ///
  /// - Throws: ``NetworkFault/brokeOff(bytes:)`` for a stream without its end, ``NetworkFault/badEncoding`` for a damaged
  ///   one, ``NetworkFault/unknownEncoding(_:)`` for other codings, ``NetworkFault/bodyTooLarge(limit:)``.
  func decoded(_ response: HTTPResponse) throws(NetworkFault) -> HTTPResponse {
    let transfer = codings(of: response, "transfer-encoding").filter { $0 != "chunked" }
    let content = codings(of: response, "content-encoding")
    guard !(transfer.isEmpty && content.isEmpty), !response.body.isEmpty else { return response }
    do throws(NetworkFault) {
      // libcurl removes the chunks. The other codings of a transfer need a `TE` header, which is never sent.
      if let name = transfer.first { throw .unknownEncoding(name) }
      guard content.count <= Self.mostCodings else { throw .unknownEncoding(content.joined(separator: ", ")) }
      var body = response.body
      for coding in content.reversed() { body = try decoded(body, coding) }
      return HTTPResponse(status: response.status, headers: response.headers, body: body)
    } catch {
      guard response.status >= 500 || RetryPolicy.refusals.contains(response.status) else { throw error }
      return HTTPResponse(status: response.status, headers: response.headers)
    }
  }

  private func codings(of response: HTTPResponse, _ header: String) -> [String] {
    response.headers.filter { $0.name.lowercased() == header }.flatMap { $0.value.split(separator: ",") }
      .map { $0.filter { !$0.isWhitespace }.lowercased() }
      // Some servers name the character set here, of a body that is as it is.
      .filter { !["", "identity", "none", "utf-8", "utf8"].contains($0) }
  }

  private func decoded(_ body: [UInt8], _ coding: String) throws(NetworkFault) -> [UInt8] {
    switch coding {
    case "gzip", "x-gzip":
      var result: [UInt8] = []
      var rest = body[...]
      repeat {
        rest = rest.dropFirst(try inflate(rest, BITPAL_ZLIB_GZIP, into: &result))
      } while !rest.isEmpty && rest.starts(with: [0x1F, 0x8B].prefix(rest.count))
      return result
    case "deflate":
      // RFC 9110 means the zlib format; some servers send the stream without it.
      let header = body.prefix(2).reduce(0) { $0 << 8 | Int($1) }
      let isZlib = body[0] & 0x0F == 8 && (body.count == 1 || header % 31 == 0)
      var result: [UInt8] = []
      _ = try inflate(body[...], isZlib ? BITPAL_ZLIB_ZLIB : BITPAL_ZLIB_RAW, into: &result)
      return result
    default: throw .unknownEncoding(coding)
    }
  }

  /// A body in the making, and the limit of its size.
  private struct Output {
    var bytes: [UInt8]
    let limit: Int
  }

  /// Appends the content of the stream at the start of `bytes`, and returns its length.
  private func inflate(
    _ bytes: ArraySlice<UInt8>, _ format: bitpal_zlib_format, into result: inout [UInt8]
  ) throws(NetworkFault) -> Int {
    if let problem = bitpal_zlib_load() { throw .libraryMissing(String(cString: problem)) }
    var output = Output(bytes: result, limit: limit)
    result = []
    var used = 0
    let end = bytes.withUnsafeBufferPointer { source in
      withUnsafeMutablePointer(to: &output) { output in
        bitpal_zlib_inflate(
          format, source.baseAddress, source.count, &used,
          { bytes, count, context in
            guard let output = context?.assumingMemoryBound(to: Output.self) else { return 0 }
            guard output.pointee.bytes.count + count <= output.pointee.limit else { return 0 }
            output.pointee.bytes.append(contentsOf: UnsafeBufferPointer(start: bytes, count: count))
            return 1
          }, output)
      }
    }
    switch end {
    case BITPAL_ZLIB_WHOLE: break
    case BITPAL_ZLIB_CUT: throw .brokeOff(bytes: bytes.endIndex)
    case BITPAL_ZLIB_STOPPED: throw .bodyTooLarge(limit: limit)
    case BITPAL_ZLIB_MEMORY: throw .other("no memory is left to decompress the answer")
    default: throw .badEncoding
    }
    result = output.bytes
    return used
  }
}

/// The zlib library that this process uses.
package enum ZlibLibrary {
  /// The version of zlib, such as `1.2.13`; nil where it is missing.
  package static var version: String? { bitpal_zlib_load() == nil ? String(cString: bitpal_zlib_version()) : nil }
}
