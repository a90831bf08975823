import Foundation
package import Glibc

/// A child process, started with `posix_spawn` and waited for with `waitpid`.
///
/// Foundation's `Process.waitUntilExit` spins a run loop, which on a thread of Swift's pool can wait for ever; and children
/// of it inherit the signals that the thread blocks.
package struct Child: Sendable {
  /// How a child ended.
  package enum Ending: Hashable, Sendable {
    case exited(Int32)
    case killed(signal: Int32)
  }

  /// Why a child could not be started.
  package struct Failure: Error {
    package let path: String
    package let code: Int32
  }

  package let processID: pid_t

  /// Starts the program at `path`.
  ///
  /// - Parameters:
  ///   - environment: All its variables.
  ///   - folder: Its working folder.
  ///   - output: The descriptor that becomes its standard output; nil for nowhere. It stays open here.
  ///   - errors: The same for its standard error.
  package init(
    _ path: String, _ arguments: [String], environment: [String: String], in folder: String, output: Int32? = nil,
    errors: Int32? = nil
  ) throws(Failure) {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    for (descriptor, target) in [(output, Int32(1)), (errors, Int32(2))] {
      if let descriptor {
        posix_spawn_file_actions_adddup2(&actions, descriptor, target)
      } else {
        posix_spawn_file_actions_addopen(&actions, target, "/dev/null", O_WRONLY, 0)
      }
    }

    // A child begins with every signal allowed and doing what it does by default.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    var all = sigset_t()
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

    // What would change the folder within posix_spawn is not imported; env changes it and becomes the program.
    let launcher = "/usr/bin/env"
    let line = [launcher, "-C", folder, path] + arguments
    var words: [UnsafeMutablePointer<CChar>?] = line.map { strdup($0) } + [nil]
    var environment = environment
    // `make coverage` wants to know the lines that a child runs.
    // Memory that is in use at the end is not a leak: the tool ends by exit.
    if getenv("BITPAL_INSTRUMENTED") != nil { environment["ASAN_OPTIONS"] = "detect_leaks=0" }
    if let profiles = getenv("BITPAL_TEST_PROFILES") {
      environment["LLVM_PROFILE_FILE"] = environment["LLVM_PROFILE_FILE"] ?? String(cString: profiles) + "/%8m.profraw"
    }
    var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for pointer in words + variables { free(pointer) } }
    // What another thread of the tests is writing just now, Foundation would leave open in the child for all its life:
    // a program that is being written could not be started until then.
    for name in (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? [] {
      if let descriptor = Int32(name), descriptor > 2 { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    }
    var processID: pid_t = 0
    let code = posix_spawn(&processID, launcher, &actions, &attributes, &words, &variables)
    guard code == 0 else { throw Failure(path: path, code: code) }
    self.processID = processID
  }

  /// Waits for its end.
  package func wait() -> Ending {
    var status: Int32 = 0
    while waitpid(processID, &status, 0) < 0, errno == EINTR {}
    let signal = status & 0x7F
    return signal == 0 ? .exited(status >> 8 & 0xFF) : .killed(signal: signal)
  }

  /// Sends it a signal.
  package func send(_ signal: Int32) {
    kill(processID, signal)
  }
}
