import BitpalFiles
import BitpalModel

/// How a plugin's program is started: with which words, in which folder, with which variables, behind which wall.
package struct PluginLaunch: Sendable {
  /// The program with its path, and what it is given.
  let words: [String]

  /// Where it runs.
  let folder: String

  /// All that it finds in its environment.
  let environment: [String: String]

  /// Whether it runs behind a wall.
  let isConfined: Bool

  /// Names this start; every process that comes of it has it in its environment.
  let mark: String

  /// The variable that holds ``mark``.
  static let markVariable = "BITPAL_PLUGIN"

  /// What a plugin gets of the host's environment.
  static let variables = ["PATH", "HOME", "LANG", "TMPDIR"]

  /// - Parameters:
  ///   - program: What to start.
  ///   - variables: The host's environment.
  ///   - isConfined: Whether it is put behind `bwrap`, where that is installed.
  /// - Throws: ``PluginFault/notStarted(_:)`` when the program is not there.
  init(_ program: PluginProgram, variables: [String: String], isConfined: Bool = true) throws(PluginFault) {
    let path = variables["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
    guard let command = program.command.first else { throw .notStarted("no command is given") }
    guard let executable = Self.executable(command, in: program.folder, path: path) else {
      let place = command.contains("/") ? program.folder : "PATH"
      throw .notStarted("\(command.printable(limit: 80)) is not a program in \(place.printable(limit: 200))")
    }
    mark = String(UInt64.random(in: .min ... .max), radix: 36)
    folder = program.folder
    var environment = variables.filter { Self.variables.contains($0.key) }
    environment["PATH"] = path
    environment[Self.markVariable] = mark
    var words = [executable] + program.command.dropFirst()
    let wall = isConfined ? Self.executable("bwrap", in: "/", path: path) : nil
    self.isConfined = wall != nil
    if let wall {
      words = Self.confinement(wall, program, executable) + words
      environment["TMPDIR"] = "/tmp"
    } else if let setpriv = Self.executable("setpriv", in: "/", path: path) {
      // The kernel ends it with us, however we end.
      words = [setpriv, "--pdeathsig", "KILL", "--"] + words
    }
    self.words = words
    self.environment = environment
  }

  /// What keeps plugins from the network and from writing files.
  package enum Wall: Sendable {
    /// Nothing: `bwrap` is not installed.
    case none

    /// Nothing: the system does not let `bwrap` make namespaces.
    case refused

    /// `bwrap`.
    case stands
  }

  /// Whether a wall can be built for programs in a folder; tried with one that does nothing.
  ///
  /// - Parameters:
  ///   - folder: Where the program would run.
  ///   - variables: The host's environment.
  package static func wall(in folder: String = "/", variables: [String: String]) -> Wall {
    guard let launch = try? PluginLaunch(PluginProgram(command: ["true"], folder: folder), variables: variables),
      launch.isConfined
    else { return .none }
    let process = try? PluginProcess(launch, limits: .standard)
    return process?.exitStatus(within: PluginLimits.standard.call) == 0 ? .stands : .refused
  }

  /// The words that put a program behind a wall: namespaces of its own for network, processes and the rest, every file
  /// read-only, a `/tmp` of its own, and none of the sockets of the system's services in `/run`.
  private static func confinement(_ wall: String, _ program: PluginProgram, _ executable: String) -> [String] {
    var words = [
      wall, "--unshare-all", "--die-with-parent", "--new-session", "--ro-bind", "/", "/", "--dev", "/dev", "--proc",
      "/proc", "--tmpfs", "/tmp", "--tmpfs", "/run",
    ]
    // What is below /tmp would be hidden.
    for path in [program.folder, executable] + program.files where path.hasPrefix("/tmp/") {
      words += ["--ro-bind", path, path]
    }
    return words + ["--chdir", program.folder, "--"]
  }

  /// Where a command is: from the folder on when it has a slash, else the first of that name in `path`.
  static func executable(_ command: String, in folder: String, path: String) -> String? {
    let candidates =
      command.contains("/")
      ? [PathText.resolved(command, in: folder, home: nil)]
      : path.split(separator: ":").filter { $0.hasPrefix("/") }.map { PathText.joined(String($0), command) }
    return candidates.first { FileStatus.isExecutable($0) }
  }
}
