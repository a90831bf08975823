package import BitpalModel
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

  /// Whether in a folder that several may write only the owner of a file may replace it, as in `/tmp`.
  package let isSticky: Bool

  /// The number of the user whose file it is.
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
    // Foundation's essentials do not show nanoseconds; the number changes with every rename over the file.
    "\(String(size, radix: 36)).\(String(modified, radix: 36)).\(String(number, radix: 36))"
  }

  /// Looks at `path`, and follows links.
  ///
  /// - Throws: ``FileFault/missing`` when there is nothing, ``FileFault/refused(code:)`` when it cannot be seen.
  package init(_ path: String) throws(FileFault) {
    var status = stat()
    guard stat(path, &status) == 0 else { throw FileFault(code: errno) }
    self.init(status)
  }

  /// Looks at `path` itself, and follows no link.
  ///
  /// - Throws: As ``init(_:)``.
  package init(withoutFollowing path: String) throws(FileFault) {
    var status = stat()
    guard lstat(path, &status) == 0 else { throw FileFault(code: errno) }
    self.init(status)
  }

  /// Looks at the file of an open descriptor.
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
    isSticky = status.st_mode & S_ISVTX != 0
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

  /// The system's folders of programs and libraries.
  package static let systemFolders = [
    "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store", "/gnu/store",
  ]

  /// Whether a path is below one of ``systemFolders``.
  package static func isSystemPath(_ path: String) -> Bool { systemFolders.contains { path.hasPrefix($0 + "/") } }

  /// The first word of the command that has an interpreter run code of which no file is named; nil where there is none.
  ///
  /// That is the option of a known interpreter for code or for a module (`-c`, `-e`, `--eval`, `-m`), or the program of
  /// `awk`, `jq` or `sed`. A word that only looks like one counts too: which file an interpreter runs is its affair.
  package var inlineCode: String? {
    var letters: String?
    for (index, word) in command.enumerated() {
      let name = PathText.name(of: word).prefix { $0.isLetter }
      if let known = Self.codeOptions[String(name)] {
        letters = known
        continue
      }
      guard let letters else { continue }
      let isFile = candidateFile(index).map { (try? FileStatus($0))?.kind == .regular } ?? false
      if letters.isEmpty, !word.hasPrefix("-"), !isFile { return word }
      if word.hasPrefix("--") {
        if ["eval", "exec", "command", "print", "run", "split"].contains(where: { word.dropFirst(2).hasPrefix($0) }) {
          return word
        }
      } else if word.hasPrefix("-"), word.contains(where: { letters.contains($0) }) {
        return word
      }
    }
    return nil
  }

  /// The letters of the options with which an interpreter is given code; empty for one whose first operand is code.
  private static let codeOptions: [String: String] = {
    var letters = [
      "python": "cm", "pypy": "cm", "perl": "eEM", "ruby": "er", "node": "epr", "nodejs": "epr", "deno": "ep",
      "bun": "epr", "php": "rBRE", "lua": "el", "luajit": "el", "Rscript": "e", "julia": "eE", "guile": "ce",
      "env": "S",
    ]
    for shell in ["sh", "bash", "dash", "ash", "zsh", "ksh", "mksh", "fish", "busybox"] { letters[shell] = "c" }
    for filter in ["awk", "gawk", "mawk", "nawk", "jq", "sed"] { letters[filter] = "" }
    return letters
  }()
}
