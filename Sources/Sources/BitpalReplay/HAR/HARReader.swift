import BitpalFiles
import BitpalJSON
public import BitpalModel
import BitpalNetwork
import FoundationEssentials

/// A reader of HAR 1.2 files: ours, a browser's, a proxy's.
public enum HARReader {
  /// The largest HAR file that is read, in bytes: 64 MiB, because browsers store every body inline.
  static let sizeLimit = 64 << 20

  /// The largest body beside a recording that is read, the same as the transport's limit on a response.
  static let bodyLimit = 10 << 20

  /// Opens the recording in the folder `path`, or the HAR file itself when the path ends in `.har`.
  ///
  /// Bodies beside the file are read only when they are requested.
  ///
  /// - Throws: ``/BitpalModel/BitpalError`` `.recordingDamaged` with the file and the entry.
  public static func open(_ path: String) throws(BitpalError) -> Recording {
    try open(path, checking: nil)
  }

  /// Opens a recording as ``open(_:)`` does, and checks that its HAR file is the trusted one.
  ///
  /// - Throws: The errors of ``open(_:)``, and that of the check.
  package static func open(_ path: String, checking trusted: TrustedFiles?) throws(BitpalError) -> Recording {
    try reading(path) { source in
      try trusted?.check(source.stored, of: source.file)
      let rows = JSONRows()
      let entries = try HAREntries(source.bytes)
      let head = try head(of: source, entries, rows)
      var exchanges: [RecordedExchange] = []
      for (index, range) in entries.ranges.enumerated() {
        do {
          try rows.forEach(entrySQL, in: Array(source.bytes[range])) { row in
            exchanges.append(try exchange(row, number: index + 1, file: source.file))
          }
        } catch JSONRows.Failure.notJSON {
          throw HAREntries.Fault(entry: index + 1, reason: "is not JSON")
        }
      }
      return Recording(head: head, exchanges: exchanges.inOrder)
    }
  }

  /// Returns the text of each entry, after all of them were read.
  ///
  /// - Throws: `BitpalError.recordingDamaged`.
  static func entries(_ path: String) throws(BitpalError) -> [String] {
    _ = try open(path)
    return try reading(path) { source in
      try HAREntries(source.bytes).ranges.map { String(decoding: source.bytes[$0], as: UTF8.self) }
    }
  }

  /// Returns the bytes of the file with its entries replaced by as many others.
  ///
  /// - Throws: `BitpalError.recordingDamaged`.
  static func replacingEntries(of path: String, with entries: [String]) throws(BitpalError) -> [UInt8] {
    try reading(path) { source in
      var result: [UInt8] = []
      var copied = 0
      for (range, entry) in zip(try HAREntries(source.bytes).ranges, entries) {
        result += source.bytes[copied..<range.lowerBound] + Array(entry.utf8)
        copied = range.upperBound
      }
      return result + source.bytes[copied...]
    }
  }

  /// Reads the metadata of a recording.
  ///
  /// Our own recordings have it before their entries, so only the first few kilobytes are parsed: a cached answer must
  /// not depend on a large recording that it does not need. Other HAR files are read whole.
  ///
  /// - Throws: `BitpalError.recordingDamaged`.
  public static func head(_ path: String) throws(BitpalError) -> RecordingHead {
    if let head = try reading(path, isWhole: false, { try earlyHead(of: $0) }) { return head }
    return try reading(path) { source in
      try head(of: source, try HAREntries(source.bytes), JSONRows())
    }
  }

  /// The number of bytes in which the metadata is searched.
  private static let headLimit = 4096

  /// Returns the metadata before the entries; nil when it is incomplete.
  private static func earlyHead(of source: Source) throws -> RecordingHead? {
    let member = Array("\"entries\"".utf8)
    var start = 0
    while start + member.count <= source.bytes.count {
      if source.bytes[start] == member[0], source.bytes[start..<start + member.count].elementsEqual(member) {
        let rest = Array(source.bytes[..<start]) + Array("\"entries\":[]}}".utf8)
        return try? head(of: source, in: rest, JSONRows()) { nil }
      }
      start += 1
    }
    return nil
  }

  /// The bytes of a HAR file on disk, or the beginning of it.
  private struct Source {
    let name: String
    let folder: String
    let file: String
    let bytes: [UInt8]

    /// The bytes as they are in the file, for its checksum: ``bytes`` have no byte order mark and are UTF-8.
    let stored: [UInt8]
    let stamp: String

    func damaged(_ reason: String) -> BitpalError {
      .recordingDamaged(file: file, entry: nil, reason: reason)
    }
  }

  /// Returns the HAR file of a recording that is named by its folder or by the file itself.
  package static func file(_ path: String) -> String { path.hasSuffix(".har") ? path : path + "/recording.har" }

  private static func reading<Result>(
    _ path: String, isWhole: Bool = true, _ body: (Source) throws -> Result
  ) throws(BitpalError) -> Result {
    let file = file(path)
    let folder = file.lastIndex(of: "/").map { String(file[..<$0]) } ?? "."
    let name = (path.hasSuffix(".har") ? String(file.dropLast(4)) : path).split(separator: "/").last.map(String.init)
    do {
      let content =
        isWhole ? try BoundedFile(file, limit: sizeLimit) : try BoundedFile(prefixOf: file, limit: headLimit)
      return try body(
        Source(
          name: name ?? folder, folder: folder, file: file, bytes: try BodyText.utf8(content.bytes),
          stored: content.bytes, stamp: content.status.stamp))
    } catch let error as BitpalError {
      throw error
    } catch let error as FileFault {
      throw .recordingDamaged(file: file, entry: nil, reason: "cannot be read: \(error.reason)")
    } catch let error as BodyFault {
      throw .recordingDamaged(file: file, entry: nil, reason: error.message)
    } catch let error as HAREntries.Fault {
      throw .recordingDamaged(file: file, entry: error.entry, reason: error.reason)
    } catch JSONRows.Failure.notJSON(let start) {
      throw .recordingDamaged(file: file, entry: nil, reason: "is not JSON (it starts with \(start))")
    } catch {
      throw .recordingDamaged(file: file, entry: nil, reason: "\(error)")
    }
  }

  /// Returns the metadata of a file that was read whole.
  private static func head(of source: Source, _ entries: HAREntries, _ rows: JSONRows) throws -> RecordingHead {
    let head = try head(of: source, in: entries.rest, rows) {
      var latest: Date?
      for range in entries.ranges {
        try rows.forEach("SELECT ?1->>'$.startedDateTime'", in: Array(source.bytes[range])) { row in
          if let started = row.text(0).flatMap({ Date(utcText: $0) }) { latest = max(latest ?? started, started) }
        }
      }
      return latest
    }
    guard let head else { throw source.damaged("says nowhere when it was recorded") }
    return head
  }

  /// Returns the metadata of a file; nil when it has no time.
  ///
  /// - Parameters:
  ///   - rest: The file without its entries.
  ///   - latest: Returns the start of the last exchange, for a file that does not state its time.
  private static func head(
    of source: Source, in rest: [UInt8], _ rows: JSONRows, latest: () throws -> Date?
  ) throws -> RecordingHead? {
    var head: RecordingHead?
    try rows.forEach(headSQL, in: rest) { row in
      guard row.text("entries") == "array" else { throw source.damaged("has no log.entries: it is not a HAR file") }
      guard row.text("version")?.hasPrefix("1.") == true else {
        throw source.damaged("is HAR version \(row.text("version") ?? "none"); versions 1.x can be read")
      }
      let stated = row.text("recorded_at").flatMap { Date(utcText: $0) }
      let instant = try stated ?? latest()
      head = instant.map { instant in
        RecordingHead(
          name: source.name, file: source.file, folder: source.folder, recordedAt: instant, note: row.text("note"),
          provider: row.text("provider"),
          command: words(row.text("command") ?? ""),
          appended: row.text("appended")?.split(separator: "\u{1E}").map { words(String($0)) } ?? [],
          fingerprint: source.stamp)
      }
    }
    return head
  }

  private static func words(_ text: String) -> [String] {
    text.split(separator: "\u{1F}").map(String.init)
  }

  private static let headSQL = """
    SELECT ?1->>'$.log.version' AS version, json_type(?1, '$.log.entries') AS entries,
      ?1->>'$.log._bitpal.recorded_at' AS recorded_at, ?1->>'$.log._bitpal.note' AS note,
      ?1->>'$.log._bitpal.provider' AS provider,
      (SELECT group_concat(value, char(31)) FROM json_each(?1, '$.log._bitpal.command')) AS command,
      (SELECT group_concat((SELECT group_concat(value, char(31)) FROM json_each(iif(added.type = 'array', added.value, '[]'))), char(30))
        FROM json_each(?1, '$.log._bitpal.appended') AS added) AS appended
    """

  private static let entrySQL = """
    SELECT value->>'$.startedDateTime' AS started, value->>'$._bitpal.provider' AS provider,
      value->>'$._bitpal.page' AS page, value->>'$.request.method' AS method, value->>'$.request.url' AS url,
      value->>'$.request.postData.text' AS sent, value->'$.request.postData.params' AS params, value->>'$.request.postData.mimeType' AS sent_type,
      value->>'$.response.status' AS status, value->'$.response.headers' AS headers,
      value->>'$.response.content._file' AS file, value->>'$.response.content._sha256' AS sha256,
      value->>'$.response.content.text' AS text, value->>'$.response.content.size' AS size,
      value->>'$.response.content.mimeType' AS type, value->>'$.response.content.encoding' AS encoding,
      \(RecordedQuery.columns)
    FROM (SELECT ?1 AS value) AS entry
    """

  private static func exchange(_ row: JSONRow, number: Int, file: String) throws -> RecordedExchange {
    func damaged(_ reason: String) -> BitpalError { .recordingDamaged(file: file, entry: number, reason: reason) }
    guard let method = row.text("method"), let url = row.text("url") else { throw damaged("has no request") }
    var status = row.text("status").flatMap { Int($0) } ?? -1
    let body =
      (0...999).contains(status)
      ? body(of: row) : .missing("is not in the recording: it has the HTTP status \(row.text("status") ?? "null")")
    // A browser shows the body of its own copy beside the answer that the copy is still good.
    switch body {
    case .inline(let bytes), .text(let bytes): if status == 304, !bytes.isEmpty { status = 200 }
    case .file, .missing: break
    }
    let query = RecordedQuery.read(row)
    if query == nil, let text = row.text("query") {
      throw damaged("has a query that this version does not know: \(text.printable(limit: 120))")
    }
    return RecordedExchange(
      number: number, startedAt: row.text("started").flatMap { Date(utcText: $0) }, method: method, url: url,
      status: max(0, status), query: query, provider: row.text("provider"),
      page: row.text("page").flatMap { Int($0) } ?? 1,
      request: RequestShape(
        method: method, url: url, contentType: row.text("sent_type"),
        body: Array((try row.text("sent") ?? row.text("params").map(form) ?? "").utf8)),
      body: body, headersJSON: row.text("headers") ?? "[]")
  }

  /// Returns the text of a form whose fields the recording lists, which is the other way of HAR 1.2 to write one.
  private static func form(_ params: String) throws -> String {
    var fields: [String] = []
    try JSONRows().forEach(
      """
      SELECT p.field->>'$.name' AS name, p.field->>'$.value' AS value
      FROM (SELECT iif(type = 'object', value, '{}') AS field FROM json_each(?1)) AS p
      """, in: Array(params.utf8)
    ) { row in
      // Some writers decode names and values, others do not.
      func part(_ name: String) -> String { (row.text(name) ?? "").replacingScalars { $0 == "&" ? "%26" : nil } }
      fields.append("\(part("name"))=\(part("value"))")
    }
    return fields.joined(separator: "&")
  }

  /// Returns the body of an entry, unless it is shorter than its entry says: browsers cut large ones off, or leave them
  /// out.
  private static func body(of row: JSONRow) -> RecordedExchange.Body {
    if let name = row.text("file") { return .file(name: name, sha256: row.text("sha256")?.lowercased()) }
    let text = row.text("text")
    let size = row.text("size").flatMap { Int($0) } ?? 0
    // Some writers wrap base64 in lines.
    let decoded =
      row.text("encoding") == "base64"
      ? text.flatMap { Data(base64Encoded: $0, options: .ignoreUnknownCharacters).map { Array($0) } }
      : text.map { Array($0.utf8) }
    guard let bytes = decoded else {
      if text != nil { return .missing("is not base64 in the recording") }
      return size > 0 ? .missing("has no body in the recording; export it with bodies") : .inline([])
    }
    // A text in another character set had another size.
    let isOther = row.text("type").map { $0.lowercased().contains("charset=") && !$0.lowercased().contains("utf-8") }
    guard size <= bytes.count || isOther == true else {
      return .missing("is cut off in the recording: \(bytes.count) of \(size) bytes")
    }
    return row.text("encoding") == "base64" ? .inline(bytes) : .text(bytes)
  }

  /// Returns the response headers of an exchange.
  ///
  /// - Throws: `BitpalError.recordingDamaged` when they cannot be read.
  static func headers(
    of exchange: RecordedExchange, in recording: Recording
  ) throws(BitpalError) -> [HTTPHeader] {
    do {
      var headers: [HTTPHeader] = []
      try JSONRows().forEach(
        """
        SELECT h.type AS type, h.header->>'$.name' AS name, h.header->>'$.value' AS value
        FROM (SELECT type, iif(type = 'object', value, '{}') AS header FROM json_each(?1)) AS h
        """, in: Array(exchange.headersJSON.utf8)
      ) { row in
        guard row.text("type") == "object" else { throw JSONRows.Failure.failed("a header is not an object") }
        if let name = row.text("name") { headers.append(HTTPHeader(name, row.text("value") ?? "")) }
      }
      return headers
    } catch {
      throw .recordingDamaged(file: recording.head.file, entry: exchange.number, reason: "has unreadable headers")
    }
  }
}

extension [RecordedExchange] {
  /// The exchanges in the order in which they were sent, as readers of HAR have to sort those of other programs; ours are
  /// in the order in which they count.
  fileprivate var inOrder: [RecordedExchange] {
    guard allSatisfy({ $0.query == nil && $0.startedAt != nil }) else { return self }
    return sorted { ($0.startedAt ?? .distantPast) < ($1.startedAt ?? .distantPast) }
  }
}
