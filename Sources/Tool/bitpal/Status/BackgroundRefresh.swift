import BitpalModel
import FoundationEssentials
import Glibc

/// A fetch of prices in the background, for a command that does not wait.
///
/// Another process of this program, in a session of its own, stores the prices in the cache. There is one at a time:
/// the process inherits a locked file, and the kernel releases the lock when it ends for any reason. A pause between
/// two attempts keeps a status bar from asking a source that is down too often.
struct BackgroundRefresh {
  /// The shortest time between two attempts.
  static let pause: Duration = .seconds(20)

  /// The flag POSIX_SPAWN_SETSID of <spawn.h>, which Swift does not import.
  private static let newSession: Int16 = 0x80

  /// The path of the cache file; the lock file has the suffix `.refresh`.
  let cachePath: String

  /// Starts `bitpal` with the arguments, unless such a process is running or was started less than ``pause`` ago.
  ///
  /// - Returns: Whether the process was started.
  @discardableResult
  func start(_ arguments: [String], now: Date) -> Bool {
    let descriptor = open(cachePath + ".refresh", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, isDue(descriptor, now: now) else { return false }
    return spawn(arguments, holding: descriptor)
  }

  /// Returns whether the last attempt is at least ``pause`` ago; if so, the time of this attempt is written to the
  /// file.
  private func isDue(_ descriptor: Int32, now: Date) -> Bool {
    var buffer = [UInt8](repeating: 0, count: 32)
    let count = pread(descriptor, &buffer, buffer.count, 0)
    let last = Int64(String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)) ?? 0
    let age = now.milliseconds - last
    // A time in the future was written before the clock was set back.
    guard age < 0 || age >= Self.pause.milliseconds else { return false }
    var text = Array(String(now.milliseconds).utf8)
    ftruncate(descriptor, 0)
    return pwrite(descriptor, &text, text.count, 0) == text.count
  }

  private func spawn(_ arguments: [String], holding descriptor: Int32) -> Bool {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for standard: Int32 in 0...2 { posix_spawn_file_actions_addopen(&actions, standard, "/dev/null", O_RDWR, 0) }
    // The copy is not closed by exec, so it holds the lock for as long as the child lives.
    posix_spawn_file_actions_adddup2(&actions, descriptor, 3)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // A thread of Swift's pool blocks every signal, and a child inherits blocked and ignored signals. Without these
    // attributes only SIGKILL could end it.
    var none = sigset_t()
    var all = sigset_t()
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setflags(
      &attributes, Self.newSession | Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    var words: [UnsafeMutablePointer<CChar>?] = (["bitpal"] + arguments).map { strdup($0) } + [nil]
    var variables: [UnsafeMutablePointer<CChar>?] =
      ProcessInfo.processInfo.environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for pointer in words + variables { free(pointer) } }
    var child: pid_t = 0
    return posix_spawn(&child, "/proc/self/exe", &actions, &attributes, &words, &variables) == 0
  }
}
