import BitpalModel
import FoundationEssentials
import Glibc

/// Fetches prices behind a command that does not wait: another process of this program, in a session of its own, that
/// leaves them in the cache.
///
/// There is one at a time: it inherits a locked file, which the kernel unlocks when it ends, however it does. Where the
/// last try was a moment ago there is none, so that a status bar does not hammer a source that is down.
struct BackgroundRefresh {
  /// The shortest time between two tries.
  static let pause: Duration = .seconds(20)

  /// POSIX_SPAWN_SETSID of <spawn.h>, which Swift does not import.
  private static let newSession: Int16 = 0x80

  /// - Parameter cachePath: The cache file; the lock stands beside it.
  let cachePath: String

  /// Starts `bitpal` with these arguments, unless that is going on or was just tried.
  ///
  /// - Returns: Whether it was started.
  @discardableResult
  func start(_ arguments: [String], now: Date) -> Bool {
    let descriptor = open(cachePath + ".refresh", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, isDue(descriptor, now: now) else { return false }
    return spawn(arguments, holding: descriptor)
  }

  /// Whether the last try is long enough ago; notes this one.
  private func isDue(_ descriptor: Int32, now: Date) -> Bool {
    var buffer = [UInt8](repeating: 0, count: 32)
    let count = pread(descriptor, &buffer, buffer.count, 0)
    let last = Int64(String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)) ?? 0
    let age = now.milliseconds - last
    // A note from the future is from before the clock was set back.
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
    // A copy that is not closed by exec: it holds the lock for as long as the child lives.
    posix_spawn_file_actions_adddup2(&actions, descriptor, 3)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // A thread of Swift's pool blocks every signal, and what a process ignores its children do too: one that inherited
    // either could not be ended but by force.
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
