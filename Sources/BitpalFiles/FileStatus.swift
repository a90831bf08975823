package import BitpalModel
package import Glibc

/// What stands at a path: a snapshot of the system's `stat`.
package struct FileStatus: Equatable, Sendable {
  /// What kind of thing it is.
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

  /// What kind of thing it is; a link only when links were not followed.
  package let kind: Kind

  /// How many bytes a regular file has.
  package let size: Int

  /// Who may do what: the lower nine bits of the mode.
  package let permissions: mode_t

  /// The number of the user whose file it is.
  package let owner: uid_t

  /// The number of its group.
  package let group: gid_t

  /// Which file it is: two paths with the same device and number are one file.
  package let device: dev_t

  /// The number within the device.
  package let number: ino_t

  /// When it was last written, in nanoseconds since 1970.
  package let modified: Int64

  /// A text that changes when the file is written or replaced.
  package var stamp: String {
    // Foundation's essentials do not show nanoseconds; the number changes with every rename over the file.
    "\(String(size, radix: 36)).\(String(modified, radix: 36)).\(String(number, radix: 36))"
  }

  /// What stands at `path`, links followed.
  ///
  /// - Throws: ``FileFault/missing`` when there is nothing, ``FileFault/refused(code:)`` when it cannot be seen.
  package init(_ path: String) throws(FileFault) {
    var status = stat()
    guard stat(path, &status) == 0 else { throw FileFault(code: errno) }
    self.init(status)
  }

  /// What stands at `path` itself, be it a link.
  ///
  /// - Throws: As ``init(_:)``.
  package init(withoutFollowing path: String) throws(FileFault) {
    var status = stat()
    guard lstat(path, &status) == 0 else { throw FileFault(code: errno) }
    self.init(status)
  }

  /// What an open descriptor leads to.
  init(descriptor: Int32) throws(FileFault) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw FileFault(code: errno) }
    self.init(status)
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
    owner = status.st_uid
    group = status.st_gid
    device = status.st_dev
    number = status.st_ino
    // A time that no clock shows may be anything; it need only be another one than before.
    modified = Int64(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec)
  }

  /// Whether both are of one file, whatever has been written to it meanwhile.
  package func isSame(as other: FileStatus) -> Bool { device == other.device && number == other.number }

  /// Whether a file that this user may run stands at `path`.
  package static func isExecutable(_ path: String) -> Bool {
    (try? FileStatus(path))?.kind == .regular && access(path, X_OK) == 0
  }

  /// Whether anything stands at `path`, be it a link that leads nowhere.
  package static func exists(_ path: String) -> Bool { (try? FileStatus(withoutFollowing: path)) != nil }
}

extension PluginProgram {
  /// The files of the program's own that its command names, absolute, links followed: a change to one makes it another.
  ///
  /// What the program loads by itself is not among them.
  package var files: [String] {
    candidateFiles.filter { (try? FileStatus($0))?.kind == .regular }
  }
}
