package import Glibc

/// The state of a path: a snapshot of the system's `stat`.
package struct FileStatus: Equatable, Sendable {
  /// The kinds of files.
  package enum Kind: String, Sendable {
    case regular = "file"
    case folder = "folder"
    case link = "link"
    case pipe = "named pipe"
    case device = "device"
    case disk = "disk"
    case socket = "socket"
    case unknown = "thing of an unknown kind"
  }

  /// The kind of the file; a link only when links were not followed.
  package let kind: Kind

  /// The number of bytes of a regular file.
  package let size: Int

  /// The permissions: the lower nine bits of the mode.
  package let permissions: mode_t

  /// Whether only the owner of a file may replace it in a folder that several users may write, as in `/tmp`.
  package let isSticky: Bool

  /// The number of the owner.
  package let owner: uid_t

  /// The number of its group.
  package let group: gid_t

  /// The device of the file: two paths with the same device and number are one file.
  package let device: dev_t

  /// The number within the device.
  package let number: ino_t

  /// The time at which it was last written, in nanoseconds since 1970.
  package let modified: Int64

  /// A text that changes when the file is written or replaced.
  package var stamp: String {
    // Foundation's essentials do not provide nanoseconds; the number changes with every rename over the file.
    "\(String(size, radix: 36)).\(String(modified, radix: 36)).\(String(number, radix: 36))"
  }

  /// Reads the status of `path`, following links.
  ///
  /// - Throws: ``FileFault/missing`` when there is nothing, ``FileFault/refused(code:)`` when it cannot be seen.
  package init(_ path: String) throws(FileFault) {
    if ShippedFiles.contains(path) {
      guard let shipped = ShippedFiles.bytes(of: path) else { throw .missing }
      self.init(shipped: shipped)
      return
    }
    var status = stat()
    guard stat(path, &status) == 0 else { throw FileFault(code: errno) }
    self.init(status)
  }

  /// Reads the status of `path` itself, without following a link.
  ///
  /// - Throws: As ``init(_:)``.
  package init(withoutFollowing path: String) throws(FileFault) {
    if ShippedFiles.contains(path) {
      try self.init(path)
      return
    }
    var status = stat()
    guard lstat(path, &status) == 0 else { throw FileFault(code: errno) }
    self.init(status)
  }

  /// Reads the status of the file of an open descriptor.
  init(descriptor: Int32) throws(FileFault) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw FileFault(code: errno) }
    self.init(status)
  }

  /// Creates the status of a file inside the program.
  init(shipped bytes: UnsafeBufferPointer<UInt8>) {
    kind = .regular
    size = bytes.count
    permissions = 0o444
    isSticky = false
    owner = 0
    group = 0
    device = 0
    number = 0
    // The content in the place of a time, by FNV-1a.
    modified = Int64(
      bitPattern: bytes.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 })
  }

  private init(_ status: stat) {
    kind =
      switch status.st_mode & S_IFMT {
      case S_IFREG: .regular
      case S_IFDIR: .folder
      case S_IFLNK: .link
      case S_IFIFO: .pipe
      case S_IFCHR: .device
      case S_IFBLK: .disk
      case S_IFSOCK: .socket
      default: .unknown
      }
    size = Int(status.st_size)
    permissions = status.st_mode & 0o777
    isSticky = status.st_mode & S_ISVTX != 0
    owner = status.st_uid
    group = status.st_gid
    device = status.st_dev
    number = status.st_ino
    // An impossible time may overflow; only a change of the value matters.
    modified = Int64(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec)
  }

  /// Returns whether both belong to the same file, even if it has been written since.
  package func isSame(as other: FileStatus) -> Bool { device == other.device && number == other.number }

  /// Returns whether `path` is a file that this user may run.
  package static func isExecutable(_ path: String) -> Bool {
    (try? FileStatus(path))?.kind == .regular && access(path, X_OK) == 0
  }

  /// Returns whether `path` exists, even as a link that leads nowhere.
  package static func exists(_ path: String) -> Bool { (try? FileStatus(withoutFollowing: path)) != nil }
}
