package import BitpalModel
import FoundationEssentials
import Glibc

/// Atomic writes of files: at any moment and after any kill, a reader finds either the old or the new content.
package enum FileReplacement {
  /// The permissions of a written file.
  package enum Access: Sendable {
    /// Only the user has access, whatever was allowed before.
    case user

    /// The permissions of the replaced file; a new one has those of the user's `umask`.
    case shared
  }

  /// Writes a file, replacing its content.
  ///
  /// A link stays a link: the file that it leads to is replaced. A pipe, a terminal or `/dev/stdout` cannot be
  /// replaced; it is opened and written to, as with a shell's `>`.
  ///
  /// - Throws: `BitpalError.dataFile` with the file as it was.
  package static func replace(_ path: String, with bytes: [UInt8], access: Access) throws(BitpalError) {
    do throws(FileFault) {
      switch try destination(of: path) {
      case .stream(let path, let flags):
        let descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY | flags)
        guard descriptor >= 0 else { throw FileFault(code: errno) }
        defer { close(descriptor) }
        try write(bytes, to: descriptor)
      case .file(let path, let old):
        try writeBeside(path, bytes, access, as: old) { (unfinished) throws(FileFault) in
          guard rename(unfinished, path) == 0 else { throw FileFault(code: errno) }
        }
      }
    } catch {
      throw error.error(of: path)
    }
  }

  /// Creates a file and the folders above it; the file must not exist.
  ///
  /// - Throws: `BitpalError.dataFile` with nothing created, also when the file exists.
  package static func create(_ path: String, with bytes: [UInt8], access: Access) throws(BitpalError) {
    do throws(FileFault) {
      // Checked before anything is written, and again by the final step.
      if FileStatus.exists(path) { throw .taken }
      try PrivateFolder.make(above: path)
      try writeBeside(path, bytes, access, as: nil) { (unfinished) throws(FileFault) in
        try move(unfinished, to: path)
      }
    } catch {
      throw error.error(of: path)
    }
  }

  /// Renames a file to an unused name.
  ///
  /// - Throws: ``FileFault/taken`` when something has it.
  package static func move(_ path: String, to other: String) throws(FileFault) {
    if link(path, other) == 0 {
      unlink(path)
      return
    }
    guard errno != EEXIST else { throw .taken }
    // Some file systems do not support links; on them a moment remains between the check and the rename.
    if FileStatus.exists(other) { throw .taken }
    guard rename(path, other) == 0 else { throw FileFault(code: errno) }
  }

  /// Makes changes of names in the folder of `path` durable across a power cut, as far as its file system can.
  package static func synchronizeFolder(of path: String) {
    let descriptor = open(PathText.directory(of: path), O_RDONLY | O_CLOEXEC | O_DIRECTORY)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }

  // MARK: Where it goes

  private enum Destination {
    /// A file, which need not exist.
    case file(String, FileStatus?)

    /// A stream that is written to, with these flags of `open`.
    case stream(String, flags: Int32)
  }

  /// The number of links that Linux follows.
  private static let mostLinks = 40

  private static func destination(of path: String) throws(FileFault) -> Destination {
    let descriptors = try? FileStatus("/proc").device
    var path = path
    for _ in 0..<mostLinks {
      let status: FileStatus
      do throws(FileFault) {
        status = try FileStatus(withoutFollowing: path)
      } catch {
        guard error == .missing else { throw error }
        return .file(path, nil)
      }
      switch status.kind {
      case .regular: return .file(path, status)
      case .pipe, .device, .socket: return .stream(path, flags: 0)
      // A raw disk is never the intended target of a chart.
      case .folder, .disk, .unknown: throw .notAFile(status.kind)
      case .link:
        // The target of `/dev/stdout` is open already, perhaps by `>>`, and other programs continue to write to it.
        if status.device == descriptors { return .stream(path, flags: O_APPEND) }
        guard let target = PathText.linked(path) else { throw .missing }
        path = target
      }
    }
    throw .refused(code: ELOOP)
  }

  // MARK: The unfinished neighbour

  /// Writes `bytes` to the disk beside `path`, and calls `finish` to put them in place.
  private static func writeBeside(
    _ path: String, _ bytes: [UInt8], _ access: Access, as old: FileStatus?,
    _ finish: (_ unfinished: String) throws(FileFault) -> Void
  ) throws(FileFault) {
    removeLeftovers(of: path)
    let (unfinished, descriptor) = try makeNeighbour(of: path, mode: access == .user ? 0o600 : 0o666)
    // The lock ends with the descriptor, at the latest when this process ends.
    defer { close(descriptor) }
    do throws(FileFault) {
      if access == .shared, let old {
        // The group first, because changing it may remove permissions. Without the right to change it, the user's own
        // group remains.
        _ = fchown(descriptor, old.owner, old.group)
        fchmod(descriptor, old.permissions)
      }
      try write(bytes, to: descriptor)
      guard fsync(descriptor) == 0 else { throw FileFault(code: errno) }
      try finish(unfinished)
    } catch {
      unlink(unfinished)
      throw error
    }
  }

  private static let suffix = ".unfinished"

  /// Creates `PATH.RANDOM.unfinished`, which is locked while it is open.
  private static func makeNeighbour(
    of path: String, mode: mode_t
  ) throws(FileFault) -> (path: String, descriptor: Int32) {
    while true {
      let unfinished = path + "." + String(UInt32.random(in: 0...UInt32.max), radix: 36) + suffix
      let descriptor = open(unfinished, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode)
      guard descriptor >= 0 else {
        if errno == EEXIST { continue }
        throw FileFault(code: errno)
      }
      // Until the lock is taken, another process may consider the file a leftover.
      let isLocked = flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK
      if isLocked, FileStatus.exists(unfinished) { return (unfinished, descriptor) }
      close(descriptor)
      unlink(unfinished)
    }
  }

  /// Removes the files that killed processes left beside `path`: neighbours without a lock.
  private static func removeLeftovers(of path: String) {
    let folder = PathText.directory(of: path)
    let prefix = PathText.name(of: path) + "."
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
      guard name.hasPrefix(prefix), name.hasSuffix(suffix) else { continue }
      let random = name.dropFirst(prefix.count).dropLast(suffix.count)
      guard !random.isEmpty, random.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) }) else { continue }
      let leftover = folder + "/" + name
      let descriptor = open(leftover, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
      guard descriptor >= 0 else { continue }
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { unlink(leftover) }
      close(descriptor)
    }
  }

  // MARK: Bytes

  /// Writes to an open descriptor until nothing is left.
  ///
  /// - Throws: ``FileFault/refused(code:)``, with `EPIPE` when the reader has gone.
  package static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) throws(FileFault) {
    var rest = bytes
    while !rest.isEmpty {
      let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
      if count >= 0 {
        rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
      } else if errno == EAGAIN {
        // The pipe or terminal is non-blocking; wait until it takes more.
        var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&wait, 1, 1000)
      } else if errno != EINTR {
        throw .refused(code: errno)
      }
    }
  }

  /// Writes an array to an open descriptor until nothing is left.
  package static func write(_ bytes: [UInt8], to descriptor: Int32) throws(FileFault) {
    try bytes.withUnsafeBufferPointer { (buffer) throws(FileFault) in
      try write(UnsafeRawBufferPointer(buffer), to: descriptor)
    }
  }
}

/// Folders for files of the user alone.
package enum PrivateFolder {
  /// Creates the folder of a file and those above it with mode 0700; existing folders are unchanged.
  ///
  /// - Throws: ``FileFault/noFolder(_:code:)`` with the folder that cannot be created.
  package static func make(above path: String) throws(FileFault) {
    let folder = PathText.directory(of: path)
    if mkdir(folder, 0o700) == 0 || errno == EEXIST || errno == EISDIR { return }
    var code = errno
    if code == ENOENT, folder != PathText.directory(of: folder) {
      try make(above: folder)
      if mkdir(folder, 0o700) == 0 || errno == EEXIST { return }
      code = errno
    }
    // A read-only file system reports that even for existing folders.
    guard access(folder, F_OK) != 0 else { return }
    throw .noFolder(folder, code: code)
  }
}
