public import FuzzDriver

@testable import BitpalServe

/// Reads any bytes as the head of a request, as the server gets it line by line; what is decoded must be text.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let text = String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  let words = (lines.first ?? "").split(separator: " ", maxSplits: 2).map(String.init)
  let headers = lines.dropFirst().prefix(100).map { line -> WebHeader in
    let sides = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    return WebHeader(sides[0], sides.count > 1 ? sides[1] : "")
  }
  let head = WebHead(method: words.first ?? "", target: words.count > 1 ? words[1] : "", headers: headers, size: count)
  for host in head.values(of: "host") { _ = NetworkAddress.host(of: host) }
  guard let request = WebRequest(head) else { return 0 }
  for text in request.path + request.query.flatMap({ [$0.name, $0.value] }) {
    precondition(
      !text.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }, "a control character is decoded")
  }
  precondition(request.path.last != "", "a slash at the end makes a difference")
  return 0
}

/// The program's start.
@_cdecl("FuzzHTTPHead_main")
public func start(_ count: CInt, _ words: FuzzDriver.Words) -> CInt {
  FuzzDriver.run(count, words, fuzz)
}
