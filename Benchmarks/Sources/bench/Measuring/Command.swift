import Foundation

/// A program with its arguments, run as a process.
struct Command {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  let path: String
  let arguments: [String]

  /// The whole environment; nil for ours.
  let environment: [String: String]?

  init(_ path: String, _ arguments: [String], environment: [String: String]? = nil) {
    self.path = path
    self.arguments = arguments
    self.environment = environment
  }

  var isThere: Bool { FileManager.default.isExecutableFile(atPath: path) }

  /// Runs to the end and says how long that took.
  ///
  /// - Throws: ``Failure`` when it does not end with 0: what fails fast would look good.
  @discardableResult func run(output: String = "/dev/null") throws -> Duration {
    let clock = ContinuousClock()
    let begin = clock.now
    let status = wait(for: try start(output: output))
    let time = clock.now - begin
    guard status == 0 else {
      throw Failure(description: "\(words.prefix(6).joined(separator: " ")) ended with \(status)")
    }
    return time
  }

  /// What it prints.
  func output() throws -> String {
    let file = Self.scratch("output")
    defer { try? FileManager.default.removeItem(atPath: file) }
    try run(output: file)
    return try String(contentsOfFile: file, encoding: .utf8)
  }

  /// The most it ever has in memory, in KiB, by GNU `time`: a small process, so what is told is not ours from before exec.
  func peakKiB() throws -> Int? {
    let file = Self.scratch("peak")
    defer { try? FileManager.default.removeItem(atPath: file) }
    let time = Command("/usr/bin/time", ["-o", file, "-f", "%M"] + words, environment: environment)
    guard time.isThere, isThere else { return nil }
    try time.run()
    return try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").last.flatMap { Int($0) }
  }

  /// Returns the number of page faults, by GNU `time`.
  func pageFaults() throws -> Int {
    let file = Self.scratch("faults")
    defer { try? FileManager.default.removeItem(atPath: file) }
    try Command("/usr/bin/time", ["-o", file, "-f", "%R"] + words, environment: environment).run()
    return try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").last.flatMap { Int($0) } ?? 0
  }

  /// Returns the number of system calls of all its threads, by `strace`.
  func systemCalls() throws -> Int {
    let file = Self.scratch("calls")
    defer { try? FileManager.default.removeItem(atPath: file) }
    try Command("/usr/bin/strace", ["-f", "-qq", "-e", "signal=none", "-o", file] + words, environment: environment)
      .run()
    return try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").count { !$0.contains("resumed>") }
  }

  /// The processor time of it and of what it starts, in user and kernel mode.
  func processorTime() throws -> Duration {
    let process = try start()
    var status: Int32 = 0
    var usage = rusage()
    while wait4(process, &status, 0, &usage) < 0, errno == EINTR {}
    guard status == 0 else {
      throw Failure(description: "\(words.prefix(6).joined(separator: " ")) ended with \(status)")
    }
    return [usage.ru_utime, usage.ru_stime].reduce(.zero) {
      $0 + .seconds($1.tv_sec) + .microseconds(Int($1.tv_usec))
    }
  }

  /// Starts it.
  func start(output: String = "/dev/null") throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    // Threads of the task pool have every signal blocked, and a child would inherit that.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    var words = self.words.map { strdup($0) } + [nil]
    var variables = (environment ?? ProcessInfo.processInfo.environment).map { strdup("\($0)=\($1)") } + [nil]
    defer { for word in words + variables { free(word) } }
    var process: pid_t = 0
    let code = posix_spawn(&process, path, &actions, &attributes, &words, &variables)
    guard code == 0 else { throw Failure(description: "\(path): \(String(cString: strerror(code)))") }
    return process
  }

  /// Waits for the end of a process that was started; its status, or 128 and the signal.
  func wait(for process: pid_t) -> Int32 {
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
  }

  /// Runs commands in turns, so many rounds of them, each after an unmeasured `before`.
  static func inTurns(
    _ commands: [Command], rounds: Int, before: (_ index: Int) throws -> Void = { _ in }
  ) throws -> [Measurement] {
    var times = commands.map { _ in [Duration]() }
    for _ in 0..<rounds {
      for (index, command) in commands.enumerated() {
        try before(index)
        times[index].append(try command.run())
      }
    }
    return times.map { Measurement(median: $0) }
  }

  private static func scratch(_ name: String) -> String { NSTemporaryDirectory() + "bitpal-bench-\(getpid())-\(name)" }

  private var words: [String] { [path] + arguments }
}
