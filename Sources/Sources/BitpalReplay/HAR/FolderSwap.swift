import BitpalFiles
import BitpalModel
import FoundationEssentials
import Glibc

/// A replacement of a folder: it is built beside its place, then moved there in one step.
struct FolderSwap {
  /// The path as it was given, for errors.
  private let path: String

  /// The real path: a link to a folder remains, and its target is replaced.
  private let place: String
  private let draft: String

  /// The folder that holds the drafts, which are called `.NAME.PID-N.tmp`: one process may write several at once.
  private let parent: String
  private let name: String

  /// The number of drafts of this process.
  private static let drafts = Locked(0)

  init(_ path: String) {
    self.path = path
    var place = PathText.real(path) ?? path
    while place.count > 1, place.hasSuffix("/") { place.removeLast() }
    self.place = place
    parent = place.contains("/") ? PathText.directory(of: place) + "/" : ""
    name = PathText.name(of: place)
    let number = Self.drafts.withLock { drafts in
      drafts += 1
      return drafts
    }
    draft = "\(parent).\(name).\(getpid())-\(number).tmp"
  }

  /// Fills the draft with `body` and moves it to its place; on an error the draft is removed.
  ///
  /// - Parameter isReplacing: Whether a folder that is there is replaced.
  /// - Returns: False when another one is there, which stays.
  /// - Throws: `BitpalError.dataFile` when a file or folder cannot be written, or the error of `body`.
  func write(isReplacing: Bool, _ body: (FolderSwap) throws(BitpalError) -> Void) throws(BitpalError) -> Bool {
    do {
      try FileManager.default.createDirectory(
        atPath: PathText.directory(of: place), withIntermediateDirectories: true, attributes: nil)
    } catch {
      throw .dataFile(path: path, reason: "its folder cannot be made")
    }
    removeLeftovers()
    guard mkdir(draft, 0o755) == 0 else { throw failure() }
    do throws(BitpalError) {
      try body(self)
      if isReplacing {
        try putInPlace()
      } else if rename(draft, place) != 0 {
        // An empty folder is replaced in the same step, any other one stays.
        guard [ENOTEMPTY, EEXIST, ENOTDIR].contains(errno) else { throw failure() }
        try? FileManager.default.removeItem(atPath: draft)
        return false
      }
      return true
    } catch {
      try? FileManager.default.removeItem(atPath: draft)
      throw error
    }
  }

  /// Runs a change that reads the folder and then replaces it or a file in it, under an exclusive lock.
  ///
  /// - Parameter path: The folder, which must exist.
  /// - Throws: `BitpalError.dataFile` when the folder cannot be opened, or the error of `body`.
  static func alone<Result>(with path: String, _ body: () throws(BitpalError) -> Result) throws(BitpalError) -> Result {
    while true {
      let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      guard descriptor >= 0 else { throw .dataFile(path: path, reason: String(cString: strerror(errno))) }
      defer { close(descriptor) }
      // On a file system without locks nothing excludes other writers, but each still writes the whole.
      _ = flock(descriptor, LOCK_EX)
      var locked = stat()
      var named = stat()
      // The previous holder of the lock may have put another folder in its place.
      guard fstat(descriptor, &locked) == 0, stat(path, &named) == 0, locked.st_ino == named.st_ino else { continue }
      return try body()
    }
  }

  /// Creates a folder within the draft.
  ///
  /// - Throws: `BitpalError.dataFile` when it cannot be created.
  func make(_ name: String) throws(BitpalError) {
    guard mkdir(draft + "/" + name, 0o755) == 0 else { throw failure() }
  }

  /// Writes a file within the draft, and syncs it to the disk.
  ///
  /// - Throws: `BitpalError.dataFile` when it cannot be written.
  func write(_ bytes: [UInt8], to name: String) throws(BitpalError) {
    let descriptor = open(draft + "/" + name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw failure() }
    defer { close(descriptor) }
    do {
      try FileReplacement.write(bytes, to: descriptor)
    } catch {
      throw error.error(of: path)
    }
    guard fsync(descriptor) == 0 else { throw failure() }
  }

  private func putInPlace() throws(BitpalError) {
    var status = stat()
    guard lstat(place, &status) == 0 else {
      guard rename(draft, place) == 0 else { throw failure() }
      return
    }
    if !exchangePlaces() {
      // Some network file systems lack this operation; then there is a moment without a recording.
      let aside = draft + ".old"
      guard rename(place, aside) == 0, rename(draft, place) == 0, rename(aside, draft) == 0 else { throw failure() }
    }
    // The draft is now the old folder.
    retire(draft)
  }

  /// Removes the drafts of killed processes.
  func removeLeftovers() {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: parent.isEmpty ? "." : parent)) ?? []
    let prefix = ".\(name)."
    for leftover in names where leftover.hasPrefix(prefix) && leftover.hasSuffix(".tmp") {
      let parts = leftover.dropFirst(prefix.count).dropLast(4).split(separator: "-")
      guard let process = parts.first.flatMap({ pid_t($0) }), process > 0 else { continue }
      // A living process may still be writing; what has the reused id of this one is none of its own drafts.
      let isOwn = parts.count > 1 && Int(parts[1]).map { $0 <= Self.drafts.withLock { $0 } } ?? false
      if process == getpid() ? !isOwn : kill(process, 0) != 0 && errno == ESRCH { retire(parent + leftover) }
    }
  }

  /// Removes an old recording or draft; other files in it are moved to the new recording first.
  private func retire(_ folder: String) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    for name in names where name != "recording.har" && name != "bodies" {
      var status = stat()
      let other = place + "/" + name
      guard lstat(other, &status) != 0, rename(folder + "/" + name, other) == 0 else { return }
    }
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// Exchanges draft and place in one step; returns false where that is not possible.
  private func exchangePlaces() -> Bool {
    typealias Rename = @convention(c) (Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>, UInt32) -> Int32
    // Swift's Glibc does not export this function of Linux.
    guard let symbol = dlsym(nil, "renameat2") else { return false }
    let exchange: UInt32 = 2
    return unsafeBitCast(symbol, to: Rename.self)(AT_FDCWD, draft, AT_FDCWD, place, exchange) == 0
  }

  private func failure() -> BitpalError {
    .dataFile(path: path, reason: String(cString: strerror(errno)))
  }
}
