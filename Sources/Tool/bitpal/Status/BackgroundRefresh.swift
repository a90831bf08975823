import BitpalFiles
import BitpalModel
import FoundationEssentials
import Glibc

/// A fetch of prices in the background, for commands that do not wait.
///
/// Another process of this program, in a session of its own, stores the prices in the cache. There is one at a time:
/// the process inherits a locked file, and the kernel releases the lock when it ends for any reason. A bar may have a
/// command for each coin, all started at once, so one that cannot start it leaves a wish in a file, and the next one asks
/// for what the others wish too. A pause between two attempts for a coin keeps them from asking a source that is down too
/// often, and a coin that does not exist from keeping others waiting.
struct BackgroundRefresh {
  /// A price that is wanted, and how it is asked for.
  struct Wish: Hashable {
    /// The command and its options, without the coins.
    let arguments: [String]
    let coin: String
  }

  /// A wish as it stands in the file, with the times of the wish and of the last attempt; 0 for none.
  private struct Entry {
    let wish: Wish
    var wished: Int64
    var asked: Int64

    var isOpen: Bool { wished > asked }
  }

  /// The longest time between two attempts for a coin, while the price is due: for short times to live it is half of one.
  static let pause: Duration = .seconds(20)

  /// The time after which a wish is forgotten: its command may not run any more.
  private static let patience: Duration = .seconds(120)

  /// The most wishes that are kept.
  private static let mostWishes = 1_000

  /// The flag POSIX_SPAWN_SETSID of <spawn.h>, which Swift does not import.
  private static let newSession: Int16 = 0x80

  /// The path of the cache file; the lock file has the suffix `.refresh`, that of the wishes `.wishes`.
  let cachePath: String

  /// Adds wishes, and starts `bitpal` for those of the oldest command unless such a process is running.
  ///
  /// - Parameter timeToLive: The time for which a price counts as fresh.
  /// - Returns: Whether the process was started.
  @discardableResult
  func start(_ wishes: [Wish], timeToLive: Duration, now: Date) -> Bool {
    guard !wishes.isEmpty, let file = Self.locked(cachePath + ".wishes", within: .milliseconds(100)) else {
      return false
    }
    defer { close(file) }
    let now = now.milliseconds
    var entries = Self.entries(in: file, now: now)
    for wish in wishes {
      if let place = entries.firstIndex(where: { $0.wish == wish }) {
        if !entries[place].isOpen { entries[place].wished = max(now, entries[place].asked + 1) }
      } else if entries.count < Self.mostWishes {
        entries.append(Entry(wish: wish, wished: now, asked: 0))
      }
    }
    defer { Self.write(entries, to: file) }
    let pause = min(Self.pause, max(.seconds(1), timeToLive / 2)).milliseconds
    func isDue(_ entry: Entry) -> Bool { entry.isOpen && now - entry.asked >= pause }
    guard let first = entries.filter(isDue).min(by: { $0.wished < $1.wished }),
      let process = Self.locked(cachePath + ".refresh")
    else { return false }
    defer { close(process) }
    let places = entries.indices.filter { isDue(entries[$0]) && entries[$0].wish.arguments == first.wish.arguments }
    for place in places { entries[place].asked = max(now, entries[place].wished) }
    return spawn(first.wish.arguments + ["--"] + places.map { entries[$0].wish.coin }, holding: process)
  }

  /// Opens and locks a file; nil where another process holds it for longer than the patience.
  private static func locked(_ path: String, within patience: Duration = .zero) -> Int32? {
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return nil }
    if (try? FileLock.take(descriptor, within: patience)) != nil { return descriptor }
    close(descriptor)
    return nil
  }

  /// Returns the wishes of the file that are not forgotten; times in the future were written before the clock was set back.
  private static func entries(in file: Int32, now: Int64) -> [Entry] {
    var bytes = [UInt8](repeating: 0, count: 256 << 10)
    let count = pread(file, &bytes, bytes.count, 0)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self).split(separator: "\n").compactMap { line in
      let parts = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      guard parts.count > 3, let wished = Int64(parts[0]), let asked = Int64(parts[1]), max(wished, asked) <= now + 1,
        now - max(wished, asked) < patience.milliseconds
      else { return nil }
      return Entry(wish: Wish(arguments: Array(parts[3...]), coin: parts[2]), wished: wished, asked: asked)
    }
  }

  private static func write(_ entries: [Entry], to file: Int32) {
    var text = Array(
      entries.map { entry in
        (["\(entry.wished)", "\(entry.asked)", entry.wish.coin] + entry.wish.arguments).joined(separator: "\t") + "\n"
      }.joined().utf8)
    ftruncate(file, 0)
    _ = pwrite(file, &text, text.count, 0)
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
