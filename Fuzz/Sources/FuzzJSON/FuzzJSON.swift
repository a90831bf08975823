public import FuzzDriver

@testable import BitpalCache
@testable import BitpalJSON
@testable import BitpalModel

/// Reads any bytes as JSON: text that passes the strict reader passes it again unchanged, and our functions give the
/// same results as those of SQLite; other text is refused by both.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let body = Array(UnsafeBufferPointer(start: start, count: count))
  // As the payload of an answer that another machine left in Redis.
  for kind in [AnswerKey.Kind.quote, .detail, .line, .candles, .coinList] {
    let key = AnswerKey(provider: "p", kind: kind, coin: "c", currency: "usd")
    _ = codec.answer("bitpal 1 1736937000000 0 p\n\(String(decoding: body, as: UTF8.self))", for: key, offset: .zero)
  }
  guard let canonical = StrictJSON.canonical(body) else {
    precondition((try? read(ours, in: body)) == nil, "text that is not JSON was read")
    return 0
  }
  precondition(StrictJSON.canonical(canonical) == canonical, "the canonical text is not canonical")
  guard let found = try? read(ours, in: body) else { return 0 }
  var expected: [String?] = []
  do {
    try rows?.forEach(sql(of: "?1"), in: body) { row in expected = columns.indices.map { row.text($0) } }
  } catch {
    // SQLite has a limit of its own for a number's or a text's length.
    return 0
  }
  precondition(found == expected, "\(found) instead of \(expected)")
  return 0
}

private let codec = AnswerCodec()
private let paths = ["$", "$.a", "$.a.a", "$[0]", "$[1].a", "$[#-1]", "$.\"\"", "$.a[0]", "$[0][0]"]

private let columns =
  paths.flatMap { ["json_type(B,'\($0)')", "B->'\($0)'", "B->>'\($0)'", "json_array_length(B,'\($0)')"] } + [
    "json(B)", "B->'a'", "B->>0",
  ]

private func sql(of body: String) -> String {
  "SELECT " + columns.joined(separator: ",").replacing("B", with: body)
}

// libFuzzer calls from one thread.
nonisolated(unsafe) private let ours = try? Sandbox().prepare(sql(of: ":body"))
nonisolated(unsafe) private let rows = try? JSONRows()

private func read(_ statement: SandboxStatement?, in body: [UInt8]) throws -> [String?] {
  var found: [String?] = []
  try statement?.forEach(in: body, values: [:]) { row in found = columns.indices.map { row.text($0) } }
  return found
}

/// The program's start.
@_cdecl("FuzzJSON_main")
public func start(_ count: CInt, _ words: FuzzDriver.Words) -> CInt {
  FuzzDriver.run(count, words, fuzz)
}
