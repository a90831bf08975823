@testable import BitpalModel
public import FuzzDriver

@testable import BitpalNetwork

/// Removes a key from any bytes; none of its spellings may be left, and nothing but the key may change.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  guard let first = start?.pointee else { return 0 }
  let bytes = Array(UnsafeBufferPointer(start: start, count: count).dropFirst())
  // The first byte chooses the key.
  let key = ["abab", "a&<\">", "k%k%25", "x\\u0078y", "0041"][Int(first) % 5]
  let redaction = Redaction([Secret(key)])
  let removed = redaction.bytes(bytes)
  precondition(!contains(removed, Array(key.utf8)), "the key is left")
  precondition(removed == bytes || contains(removed, Array(Redaction.mark.utf8)), "something else was changed")
  let text = String(decoding: bytes, as: UTF8.self)
  precondition((redaction.text(text) != text) == redaction.isNeeded(in: text), "the search and the removal differ")
  return 0
}

private func contains(_ bytes: [UInt8], _ part: [UInt8]) -> Bool {
  guard bytes.count >= part.count else { return false }
  return (0...(bytes.count - part.count)).contains { bytes[$0..<($0 + part.count)].elementsEqual(part) }
}

/// The program's start.
@_cdecl("FuzzRedaction_main")
public func start(_ count: CInt, _ words: FuzzDriver.Words) -> CInt {
  FuzzDriver.run(count, words, fuzz)
}
