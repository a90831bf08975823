public import BitpalModel
import BitpalNetwork
import BitpalSQLite
import FoundationEssentials

/// Reads HAR 1.2 files: ours, a browser's, a proxy's.
public enum HARReader {
  /// Opens the recording in `folder`, or the HAR file itself when the path ends in `.har`.
  ///
  /// Bodies beside the file are read only when they are asked for.
  ///
  /// - Throws: ``BitpalModel/BitpalError`` `.recordingDamaged` naming file and entry.
  public static func open(_ path: String) throws(BitpalError) -> Recording {
    let file = path.hasSuffix(".har") ? path : path + "/recording.har"
    let folder = file.lastIndex(of: "/").map { String(file[..<$0]) } ?? "."
    let name = (path.hasSuffix(".har") ? String(file.dropLast(4)) : path).split(separator: "/").last.map(String.init)
    let bytes: [UInt8]
    do {
      bytes = try BoundedFile.read(file, limit: BoundedFile.recordingLimit)
    } catch {
      throw .recordingDamaged(file: file, entry: nil, reason: "cannot be read: \(error.reason)")
    }
    do {
      return try read(bytes, name: name ?? folder, folder: folder)
    } catch let error as BitpalError {
      throw error
    } catch JSONRows.Failure.notJSON(let start) {
      throw .recordingDamaged(file: file, entry: nil, reason: "is not JSON (it starts with \(start))")
    } catch {
      throw .recordingDamaged(file: file, entry: nil, reason: "\(error)")
    }
  }

  private static func read(_ bytes: [UInt8], name: String, folder: String) throws -> Recording {
    let file = folder + "/recording.har"
    let rows = try JSONRows()
    var version: String?
    var recordedAt: Date?
    var note: String?
    try rows.forEach(
      """
      SELECT ?1->>'$.log.version', ?1->>'$.log._bitpal.recorded_at', ?1->>'$.log._bitpal.note', \
      json_type(?1, '$.log.entries')
      """, in: bytes
    ) { row in
      version = row.text(0)
      recordedAt = row.text(1).flatMap { Date(utcText: $0) }
      note = row.text(2)
      guard row.text(3) == "array" else {
        throw BitpalError.recordingDamaged(file: file, entry: nil, reason: "has no log.entries: it is not a HAR file")
      }
    }
    guard version?.hasPrefix("1.") == true else {
      throw BitpalError.recordingDamaged(
        file: file, entry: nil, reason: "is HAR version \(version ?? "none"); versions 1.x can be read")
    }
    var exchanges: [RecordedExchange] = []
    try rows.forEach(entriesSQL, in: bytes) { row in
      exchanges.append(try exchange(row, number: exchanges.count + 1, file: file))
    }
    let latest = exchanges.compactMap(\.startedAt).max()
    guard let instant = recordedAt ?? latest else {
      throw BitpalError.recordingDamaged(file: file, entry: nil, reason: "says nowhere when it was recorded")
    }
    return Recording(
      name: name, folder: folder, recordedAt: instant, note: note, exchanges: exchanges,
      fingerprint: String(SHA256.hexDigest(of: bytes).prefix(16)))
  }

  private static let entriesSQL = """
    SELECT value->>'$.startedDateTime', value->>'$.request.method', value->>'$.request.url',
      value->>'$.response.status', value->'$.response.headers',
      value->>'$.response.content._file', value->>'$.response.content._sha256',
      value->>'$.response.content.text', value->>'$.response.content.encoding',
      \(RecordedQuery.columns)
    FROM json_each(?1, '$.log.entries') AS entry
    """

  private static func exchange(_ row: JSONRow, number: Int, file: String) throws -> RecordedExchange {
    func damaged(_ reason: String) -> BitpalError { .recordingDamaged(file: file, entry: number, reason: reason) }
    guard let method = row.text(1), let url = row.text(2) else { throw damaged("has no request") }
    let status = try row.integer(3)
    guard (0...999).contains(status) else { throw damaged("has the HTTP status \(status)") }
    let body: RecordedExchange.Body
    if let name = row.text(5) {
      body = .file(name: name, sha256: row.text(6)?.lowercased())
    } else if let text = row.text(7), row.text(8) == "base64" {
      guard let data = Data(base64Encoded: text) else { throw damaged("has a body that is not base64") }
      body = .inline(Array(data))
    } else {
      body = .inline(Array((row.text(7) ?? "").utf8))
    }
    let query = RecordedQuery.read(row, from: 9)
    if query == nil, let text = row.text(9) {
      throw damaged("has a query that this version does not know: \(text.printable(limit: 120))")
    }
    return RecordedExchange(
      number: number, startedAt: row.text(0).flatMap { Date(utcText: $0) }, method: method, url: url,
      status: Int(status), query: query, body: body, headersJSON: row.text(4) ?? "[]")
  }

  static func headers(
    of exchange: RecordedExchange, in recording: Recording
  ) throws(BitpalError) -> [HTTPHeader] {
    do {
      var headers: [HTTPHeader] = []
      try JSONRows().forEach(
        "SELECT value->>'$.name', value->>'$.value' FROM json_each(?1)", in: Array(exchange.headersJSON.utf8)
      ) { row in
        if let name = row.text(0) { headers.append(HTTPHeader(name, row.text(1) ?? "")) }
      }
      return headers
    } catch {
      throw .recordingDamaged(file: recording.file, entry: exchange.number, reason: "has unreadable headers")
    }
  }
}
