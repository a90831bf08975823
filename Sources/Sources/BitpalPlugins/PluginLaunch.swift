import BitpalFiles
import BitpalModel
import BitpalProviders
import FoundationEssentials

/// The arguments, folder and environment with which a plugin's program is started, and the sandbox around it.
package struct PluginLaunch: Sendable {
  /// The path of the executable and all arguments, those of `bwrap`, `setpriv` and `prlimit` first.
  let words: [String]

  /// The folder in which it runs.
  let folder: String

  /// All variables of its environment.
  let environment: [String: String]

  /// Whether it runs in a sandbox.
  let isConfined: Bool

  /// The mark of this start, a random number that all its processes inherit in their environment.
  let mark: String

  /// The copies of the trusted files, which run in place of the originals; nil where trust covers none.
  let copies: TrustedCopies?

  /// The variable that holds ``mark``.
  static let markVariable = "BITPAL_PLUGIN"

  /// The names of the environment variables that a plugin inherits.
  static let variables = ["PATH", "HOME", "LANG", "TMPDIR"]

  /// Creates the launch of a plugin.
  ///
  /// - Parameters:
  ///   - program: The program to start.
  ///   - variables: The environment of this process.
  ///   - isConfined: Whether `bwrap` puts it into a sandbox, where that is installed.
  /// - Throws: ``PluginFault/notStarted(_:)`` when the program is missing, or is not the one that is trusted.
  init(_ program: PluginProgram, variables: [String: String], isConfined: Bool = true) throws(PluginFault) {
    let path = variables["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
    guard let command = program.command.first else { throw .notStarted("no command is given") }
    guard var executable = Self.executable(command, in: program.folder, path: path) else {
      let place = command.contains("/") ? program.folder : "PATH"
      throw .notStarted("\(command.printable(limit: 80)) is not a program in \(place.printable(limit: 200))")
    }
    mark = String(UInt64.random(in: .min ... .max), radix: 36)
    folder = program.folder
    var environment = variables.filter { Self.variables.contains($0.key) }
    environment["PATH"] = path
    environment[Self.markVariable] = mark
    let bwrap = isConfined ? Self.executable("bwrap", in: "/", path: path) : nil
    self.isConfined = bwrap != nil
    let copies = try TrustedCopies(program, hasNeighbours: bwrap == nil, temporary: variables["TMPDIR"] ?? "/tmp")
    self.copies = copies
    var words = Array(program.command.dropFirst())
    var start: [String] = []
    if let bwrap {
      start = Self.sandbox(bwrap, program, executable, home: variables["HOME"], copies)
      environment["TMPDIR"] = "/tmp"
    } else {
      if let copy = copies?.path(of: executable) { executable = copy }
      words = program.command.indices.dropFirst().map { index in
        program.candidateFile(index).flatMap { copies?.path(of: PathText.normalized($0)) } ?? program.command[index]
      }
      // The kernel kills the plugin at the end of this process, also after a crash.
      if let setpriv = Self.executable("setpriv", in: "/", path: path) {
        start = [setpriv, "--pdeathsig", "KILL", "--"]
      }
    }
    if let prlimit = Self.executable("prlimit", in: "/", path: "/usr/bin:/bin") {
      // RLIMIT_NPROC counts the processes of a sandbox, but without one all processes of the user.
      let count = bwrap == nil ? [] : ["--nproc=\(Self.processes)"]
      start += [prlimit, "--data=\(Self.memory)", "--core=0"] + count + ["--"]
    }
    self.words = start + [executable] + words
    self.environment = environment
  }

  /// The most bytes of memory of each process (512 MiB), as `RLIMIT_DATA` counts them.
  static let memory = 512 << 20

  /// The most processes of a sandbox (64), as `RLIMIT_NPROC` counts them; the limit does not apply to root.
  static let processes = 64

  /// The state of the sandbox for plugins.
  package enum Sandbox: Sendable {
    /// The sandbox is missing, because `bwrap` is not installed.
    case missing

    /// The sandbox is missing, because the system does not let `bwrap` make namespaces.
    case refused

    /// A program ran in the sandbox of `bwrap`.
    case works
  }

  /// Returns the state of the sandbox for programs in a folder, found by running `true` in it.
  ///
  /// - Parameters:
  ///   - folder: The folder in which the program would run.
  ///   - variables: The environment of this process.
  package static func sandbox(in folder: String = "/", variables: [String: String]) -> Sandbox {
    guard let launch = try? PluginLaunch(PluginProgram(command: ["true"], folder: folder), variables: variables),
      launch.isConfined
    else { return .missing }
    let process = try? PluginProcess(launch, limits: .standard)
    return process?.exitStatus(within: PluginLimits.standard.call) == 0 ? .works : .refused
  }

  /// The sentence for users about plugins without a sandbox, to which the reason is added.
  package static let withoutSandbox =
    "run with all that you may do (network, files, sockets, any number of processes)"

  // MARK: The sandbox

  /// The files in `/etc` that interpreters and libraries read.
  private static let systemFiles = [
    "alternatives", "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "localtime", "passwd", "group", "nsswitch.conf",
    "perl", "python3", "mime.types",
  ].map { "/etc/" + $0 }

  /// The arguments of `bwrap` that show the system's programs and files.
  private static var systemBinds: [String] {
    (PluginProgram.systemFolders + systemFiles).flatMap { path in
      // `/bin` may be a link to `/usr/bin`.
      guard PluginProgram.systemFolders.contains(path), (try? FileStatus(withoutFollowing: path))?.kind == .link,
        let target = PathText.real(path)
      else { return ["--ro-bind-try", path, path] }
      return ["--symlink", target, path]
    }
  }

  /// Returns the arguments of `bwrap` that put a program into a sandbox.
  ///
  /// The sandbox has its own namespaces, among them network and processes. It shows the program's folder, the files
  /// that the command names, the interpreter and the system's programs, all of them read-only.
  private static func sandbox(
    _ bwrap: String, _ program: PluginProgram, _ executable: String, home: String?, _ copies: TrustedCopies?
  ) -> [String] {
    var words = [
      bwrap, "--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL", "--dev", "/dev", "--proc",
      "/proc", "--dir", "/tmp",
    ]
    words += systemBinds
    func holdsHome(_ folder: String) -> Bool {
      guard folder != "/", let home = home.map(PathText.normalized) else { return true }
      return (home + "/").hasPrefix(PathText.normalized(folder) + "/")
    }
    let files = program.files.map(PathText.normalized)
    words += ["--dir", program.folder]
    if !holdsHome(program.folder) { words += binds(program.folder, files, executable, copies) }
    var installations: [String] = []
    var path = executable
    // An interpreter may be a link to one elsewhere, as in a virtual environment of Python.
    for _ in 0..<8 where !(PluginProgram.systemFolders + [program.folder]).contains(where: { path.hasPrefix($0 + "/") })
    {
      let folder = PathText.directory(of: path)
      let installation = PathText.directory(of: folder)
      let isInstalled =
        ["bin", "sbin", "shims"].contains(PathText.name(of: folder)) && !holdsHome(installation)
        && installation != home.map { $0 + "/.local" }
      if isInstalled { installations.append(installation) }
      let bound = isInstalled ? installation : path
      words += ["--ro-bind", bound, bound]
      guard let target = PathText.linked(path) else { break }
      path = PathText.normalized(target)
    }
    // The system's programs are there already, and `/bin` may be a link in the sandbox.
    let shown = PluginProgram.systemFolders + installations + (holdsHome(program.folder) ? [] : [program.folder])
    for path in files where !shown.contains(where: { path.hasPrefix($0 + "/") }) {
      words += ["--ro-bind", copies?.path(of: path) ?? path, path]
    }
    return words + ["--remount-ro", "/", "--remount-ro", "/dev", "--chdir", program.folder, "--"]
  }

  /// Returns the arguments of `bwrap` that show a folder, with the copies in place of the originals.
  ///
  /// Files are bound one by one into a folder of the sandbox, because replacing a file in its own folder removes
  /// the bind over it. Sockets and named pipes are left out. A link is one in the sandbox, too, if it stays in the folder;
  /// another one is left out, because a bind would show what it leads to.
  private static func binds(
    _ folder: String, _ files: [String], _ executable: String, _ copies: TrustedCopies?
  ) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.flatMap { name -> [String] in
      let path = folder + "/" + name
      if let copy = copies?.path(of: path) { return ["--ro-bind", copy, path] }
      // The program itself may be a link to an interpreter elsewhere.
      let status = path == executable ? try? FileStatus(path) : try? FileStatus(withoutFollowing: path)
      if status?.kind == .link {
        guard let target = PathText.real(path), target.hasPrefix((PathText.real(folder) ?? folder) + "/") else {
          return []
        }
        return ["--symlink", target, path]
      }
      guard let kind = status?.kind, [.regular, .folder].contains(kind) else { return [] }
      let holdsCopies = files.contains { $0.hasPrefix(path + "/") && copies?.path(of: $0) != nil }
      return holdsCopies ? ["--dir", path] + binds(path, files, executable, copies) : ["--ro-bind-try", path, path]
    }
  }

  /// Returns the path of a command: relative to the folder if it has a slash, otherwise the first match in `path`.
  ///
  /// It is nil without an executable file; entries of `path` that are not absolute are skipped.
  static func executable(_ command: String, in folder: String, path: String) -> String? {
    let candidates =
      command.contains("/")
      ? [PathText.resolved(command, in: folder, home: nil)]
      : path.split(separator: ":").filter { $0.hasPrefix("/") }.map { PathText.joined(String($0), command) }
    return candidates.first { FileStatus.isExecutable($0) }
  }
}
