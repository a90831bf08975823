import BitpalConfig
import BitpalModel
import BitpalQueries
import Glibc

/// The user's browser, which `--open` starts.
///
/// Every user of the machine can read the arguments of a process, so the address never holds a code.
struct Browser: Sendable {
  static let option = ParameterSpec("open", .flag, "open the pages in the browser (BROWSER, or xdg-open)")

  /// The program and its arguments, including the address.
  let words: [String]

  /// Creates the command that opens an address.
  ///
  /// - Parameter environment: The environment, whose `BROWSER` names programs separated by colons, with `%s` for the
  ///   address; `xdg-open` is the default.
  init(_ url: String, environment: Environment) {
    let named = environment.value("BROWSER")?.split(separator: ":").first.map(String.init) ?? ""
    let words = (named.isEmpty ? "xdg-open" : named).split(separator: " ").map(String.init)
    self.words =
      words.contains { $0.contains("%s") } ? words.map { $0.replacing("%s", with: url) } : words + [url]
  }

  /// Starts the browser, and waits up to 5 s for a failure.
  ///
  /// It survives the end of the terminal, has the default signal handlers, and its streams are connected to
  /// `/dev/null`.
  ///
  /// - Returns: The problem; nil when there was none.
  func open() async -> String? {
    let name = words.first ?? ""
    let child: pid_t
    switch start() {
    case .success(let started): child = started
    case .failure(let error): return "\(name): \(String(cString: strerror(error.number)))"
    }
    let time = SystemTime()
    for _ in 0..<Self.looks {
      var status: Int32 = 0
      guard waitpid(child, &status, WNOHANG) == 0 else { return status == 0 ? nil : "\(name) failed" }
      try? await time.sleep(for: Self.step)
    }
    return nil
  }

  /// The error number of a program that could not be started.
  private struct SpawnError: Error { let number: Int32 }

  private static let step = Duration.milliseconds(100)
  private static let looks = 50

  private func start() -> Result<pid_t, SpawnError> {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var (none, all) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for descriptor in Int32(0)...2 {
      posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", descriptor == 0 ? O_RDONLY : O_WRONLY, 0)
    }
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    guard let program = words.first else { return .failure(SpawnError(number: ENOENT)) }
    var child: pid_t = 0
    let number = posix_spawnp(&child, program, &actions, &attributes, &arguments, environ)
    return number == 0 ? .success(child) : .failure(SpawnError(number: number))
  }
}
