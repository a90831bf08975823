public import FuzzDriver

@testable import BitpalFleet

/// Reads any bytes as replies of Redis; what comes out must not depend on how they come in, and must come out of itself.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  guard let first = start?.pointee else { return 0 }
  let bytes = Array(UnsafeBufferPointer(start: start, count: count).dropFirst())
  // Bounds that an input can reach.
  let limits = RESPReader.Limits(textBytes: 4096, lineBytes: 256, elements: 200, depth: 4)
  let whole = replies(in: bytes, pieces: bytes.count, limits)
  // The first byte chooses how many come at a time.
  let some = replies(in: bytes, pieces: Int(first) % 64 + 1, limits)
  precondition(whole == some, "replies depend on how they come")
  // Bytes that are no text have become longer.
  let again = replies(in: whole.values.flatMap(written), pieces: bytes.count, RESPReader.Limits())
  precondition(again == Replies(values: whole.values, fault: nil), "a reply does not come out as it went in")
  return 0
}

private struct Replies: Equatable {
  var values: [RESPValue] = []
  var fault: RESPReader.Fault?
}

/// All that is in there, read in pieces of that length.
private func replies(in bytes: [UInt8], pieces: Int, _ limits: RESPReader.Limits) -> Replies {
  var reader = RESPReader(limits: limits)
  var replies = Replies()
  var rest = bytes[...]
  do throws(RESPReader.Fault) {
    while !rest.isEmpty {
      reader.append(rest.prefix(pieces))
      rest = rest.dropFirst(pieces)
      while let value = try reader.next() { replies.values.append(value) }
    }
  } catch {
    replies.fault = error
  }
  return replies
}

/// A reply as a server writes it.
private func written(_ value: RESPValue) -> [UInt8] {
  func line(_ text: String) -> [UInt8] { Array("\(text)\r\n".utf8) }
  switch value {
  case .status(let text): return line("+\(text)")
  case .error(let fault): return line("-\(fault.message)")
  case .integer(let number): return line(":\(number)")
  case .bulk(nil): return line("$-1")
  case .bulk(let bytes?): return line("$\(bytes.count)") + bytes + line("")
  case .array(nil): return line("*-1")
  case .array(let elements?): return line("*\(elements.count)") + elements.flatMap(written)
  }
}

/// The program's start.
@_cdecl("FuzzRESP_main")
public func start(_ count: CInt, _ words: FuzzDriver.Words) -> CInt {
  FuzzDriver.run(count, words, fuzz)
}
