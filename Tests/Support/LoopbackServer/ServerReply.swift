/// What the server does with a request.
public indirect enum ServerReply: Sendable {
  /// A complete response; the connection stays open.
  case response(status: Int, headers: [(String, String)], body: [UInt8])

  /// These bytes as they are, then the connection is closed.
  case raw([UInt8])

  /// Closes without a word.
  case close

  /// Resets the connection.
  case reset

  /// Says nothing for that long, then closes.
  case silence(Duration)

  /// Waits, then does something else.
  case delayed(Duration, ServerReply)

  /// The first half of the body, then the connection is closed.
  case halfBody([UInt8])

  /// A byte of the body each `interval`.
  case drip([UInt8], interval: Duration)

  /// A body without end.
  case endlessBody

  /// Headers without end.
  case endlessHeaders

  /// One header line without end.
  case endlessHeaderLine

  /// A body that unpacks to that many zero bytes, a thousandth of it on the wire.
  case gzipBomb(unpacked: Int)

  /// 200 with JSON.
  public static func ok(json: String, headers: [(String, String)] = []) -> ServerReply {
    .response(status: 200, headers: [("Content-Type", "application/json")] + headers, body: Array(json.utf8))
  }

  /// A status with a text.
  public static func status(_ status: Int, _ text: String = "", headers: [(String, String)] = []) -> ServerReply {
    .response(status: status, headers: headers, body: Array(text.utf8))
  }

  /// 302, or another status, to a place.
  public static func redirect(to location: String, status: Int = 302) -> ServerReply {
    .response(status: status, headers: [("Location", location)], body: [])
  }

  /// Something that is not HTTP.
  public static var garbage: ServerReply { .raw(Array("\u{1}\u{2}\u{3} this is not HTTP\r\n\r\n".utf8)) }

  /// 200 with a body in gzip.
  public static func gzipped(json: String) -> ServerReply {
    .response(
      status: 200, headers: [("Content-Type", "application/json"), ("Content-Encoding", "gzip")],
      body: Gzip.stored(Array(json.utf8)))
  }

  /// 200 that claims gzip for something else.
  public static var falseGzip: ServerReply {
    .response(status: 200, headers: [("Content-Encoding", "gzip")], body: Array("this is not gzip at all".utf8))
  }
}
