@testable import BitpalReplay
import FoundationEssentials
public import FuzzDriver

/// Reads any bytes as a recording and asks for every response in it.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let file = Folder.path + "/recording.har"
  do {
    try Data(UnsafeBufferPointer(start: start, count: count)).write(to: URL(filePath: file))
  } catch {
    // A full disk is no finding.
    return 0
  }
  _ = try? HARReader.head(file)
  guard let recording = try? HARReader.open(file) else { return 0 }
  for exchange in recording.exchanges { _ = try? recording.response(of: exchange) }
  return 0
}

/// The folder that the recordings are put into, one after the other.
private enum Folder {
  static let path: String = {
    let environment = ProcessInfo.processInfo.environment
    let path = environment["FUZZ_FOLDER"] ?? environment["TMPDIR"] ?? "/tmp"
    try? FileManager.default.createDirectory(atPath: path + "/bodies", withIntermediateDirectories: true)
    try? Data("[]".utf8).write(to: URL(filePath: path + "/bodies/a.json"))
    return path
  }()
}

/// The program's start.
@_cdecl("FuzzHAR_main")
public func start(_ count: CInt, _ words: FuzzDriver.Words) -> CInt {
  FuzzDriver.run(count, words, fuzz)
}
