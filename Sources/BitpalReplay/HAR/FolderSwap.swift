import BitpalModel
import FoundationEssentials
import Glibc

/// Builds a folder beside its place, then puts it there in one step.
struct FolderSwap {
  private let path: String
  private let draft: String

  init(_ path: String) {
    var path = path
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    self.path = path
    let slash = path.lastIndex(of: "/")
    let parent = slash.map { String(path[...$0]) } ?? ""
    let name = slash.map { path[path.index(after: $0)...] } ?? path[...]
    draft = "\(parent).\(name).\(getpid()).tmp"
  }

  /// Fills the draft with `body` and puts it in its place.
  func write(_ body: (FolderSwap) throws(BitpalError) -> Void) throws(BitpalError) {
    do {
      if let slash = path.lastIndex(of: "/"), slash != path.startIndex {
        try FileManager.default.createDirectory(
          atPath: String(path[..<slash]), withIntermediateDirectories: true, attributes: nil)
      }
    } catch {
      throw .dataFile(path: path, reason: "its folder cannot be made")
    }
    // What a killed process with this number left.
    try? FileManager.default.removeItem(atPath: draft)
    guard mkdir(draft, 0o755) == 0 else { throw failure() }
    do {
      try body(self)
      try putInPlace()
    } catch {
      try? FileManager.default.removeItem(atPath: draft)
      throw error
    }
  }

  /// Makes a folder within the draft.
  func make(_ name: String) throws(BitpalError) {
    guard mkdir(draft + "/" + name, 0o755) == 0 else { throw failure() }
  }

  /// Writes a file within the draft, down to the disk.
  func write(_ bytes: [UInt8], to name: String) throws(BitpalError) {
    let descriptor = open(draft + "/" + name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw failure() }
    defer { close(descriptor) }
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes { buffer in
        Glibc.write(descriptor, buffer.baseAddress.map { $0 + written }, buffer.count - written)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw failure() }
      written += count
    }
    guard fsync(descriptor) == 0 else { throw failure() }
  }

  private func putInPlace() throws(BitpalError) {
    var status = stat()
    guard lstat(path, &status) == 0 else {
      guard rename(draft, path) == 0 else { throw failure() }
      return
    }
    if !exchangePlaces() {
      // Some network file systems cannot do that; then there is an instant without a recording.
      let aside = draft + ".old"
      guard rename(path, aside) == 0, rename(draft, path) == 0, rename(aside, draft) == 0 else { throw failure() }
    }
    // The draft is now the old folder; what somebody else put there goes to the new one.
    let names = (try? FileManager.default.contentsOfDirectory(atPath: draft)) ?? []
    for name in names where name != "recording.har" && name != "bodies" {
      rename(draft + "/" + name, path + "/" + name)
    }
    try? FileManager.default.removeItem(atPath: draft)
  }

  /// Draft and place in one step; false where that is not possible.
  private func exchangePlaces() -> Bool {
    typealias Rename = @convention(c) (Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>, UInt32) -> Int32
    // Swift's Glibc does not show what only Linux has.
    guard let symbol = dlsym(nil, "renameat2") else { return false }
    let exchange: UInt32 = 2
    return unsafeBitCast(symbol, to: Rename.self)(AT_FDCWD, draft, AT_FDCWD, path, exchange) == 0
  }

  private func failure() -> BitpalError {
    .dataFile(path: path, reason: String(cString: strerror(errno)))
  }
}
