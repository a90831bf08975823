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
    var status = stat()
    guard stat(path, &status) == 0 else { throw FileFault(code: errno) }
    self.init(status)
  }

  /// Reads the status of `path` itself, without following a link.
  ///
  /// - Throws: As ``init(_:)``.
  package init(withoutFollowing path: String) throws(FileFault) {
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

extension PluginProgram {
  /// The program's own files in its command, as absolute paths with links followed: a change to one of them changes the
  /// program.
  ///
  /// Files that the program loads itself are not included.
  package var files: [String] {
    candidateFiles.filter { (try? FileStatus($0))?.kind == .regular }
  }

  /// The system's folders of programs and libraries.
  package static let systemFolders = [
    "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store", "/gnu/store",
  ]

  /// Returns whether a path is below one of ``systemFolders``.
  package static func isSystemPath(_ path: String) -> Bool { systemFolders.contains { path.hasPrefix($0 + "/") } }

  /// The first word of the command that may run code outside of the program's own files; nil if none may.
  ///
  /// An allow list of forms decides: the user's own program with any arguments; or a program of the system with options
  /// that only set modes, a script that is a file, and any arguments. So code (`-c`), modules (`-m`, `--require`),
  /// folders and subcommands are found, also behind a link to an interpreter.
  package var inlineCode: String? {
    var words = command.indices[...]
    // `env NAME …` starts NAME.
    while words.count > 1, PathText.name(of: command[words[words.startIndex]]) == "env",
      case let next = command[words[words.startIndex + 1]], !next.hasPrefix("-"), !next.contains("=")
    {
      words = words.dropFirst()
    }
    guard let first = words.first, !isOwnProgram(first) else { return nil }
    let name = String(PathText.name(of: command[first]).prefix { $0.isLetter })
    let letters = Self.modes[name] ?? ""
    for index in words.dropFirst() {
      let word = command[index]
      if let file = candidateFile(index), (try? FileStatus(file))?.kind == .regular { return nil }
      let isMode =
        word == "--" || word.hasPrefix("-") && word.count > 1 && word.dropFirst().allSatisfy { letters.contains($0) }
      if !isMode { return word }
    }
    return nil
  }

  /// Returns whether a word of the command is a program that is neither the system's nor an interpreter.
  private func isOwnProgram(_ index: Int) -> Bool {
    guard command[index].contains("/"), let path = candidateFile(index), let real = PathText.real(path) else {
      return false
    }
    let names = [path, real].map { String(PathText.name(of: $0).prefix { $0.isLetter }) }
    return !Self.isSystemPath(real) && !names.contains { Self.modes[$0] != nil }
  }

  /// The options of known interpreters that only set modes; none of them takes a value.
  private static let modes: [String: String] = {
    var modes = [
      "python": "IuBEsSbqOv", "pypy": "IuBEsSbqOv", "perl": "wTt", "ruby": "w", "node": "", "nodejs": "", "deno": "",
      "bun": "", "php": "q", "lua": "", "luajit": "", "Rscript": "", "julia": "", "guile": "s", "env": "",
    ]
    for shell in ["sh", "bash", "dash", "ash", "zsh", "ksh", "mksh", "fish", "busybox"] { modes[shell] = "euxf" }
    for filter in ["awk", "gawk", "mawk", "nawk", "jq", "sed"] { modes[filter] = "fnr" }
    return modes
  }()
}
