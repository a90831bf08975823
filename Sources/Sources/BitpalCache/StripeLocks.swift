import BitpalFiles
package import BitpalModel
import Glibc

/// A lock between fetchers: of several that miss the same answer one fetches it, and the others find it cached.
///
/// Every lock follows these rules: a key has one holder at a time, a holder that dies or releases the lock frees it,
/// and a caller waits no longer than its patience.
package protocol FlightLock: Sendable {
  /// Waits until the caller alone may fetch these keys.
  ///
  /// - Parameter patience: The longest wait for all of them together.
  /// - Returns: The locks; nil when they cannot be had, because their folder is unknown or another holder keeps one
  ///   for too long.
  /// - Throws: `CancellationError`.
  func lock(_ keys: [AnswerKey], patience: Duration) async throws -> (any FlightHold)?
}

/// Locks held until ``release()``, or until the object is gone.
package protocol FlightHold: AnyObject, Sendable {
  /// The answers of the remote tier at the moment of the lock; nil where it was not asked.
  var answers: [AnswerKey: Sourced<Answer>]? { get }

  /// Releases the locks; later calls do nothing.
  func release()
}

extension FlightHold {
  package var answers: [AnswerKey: Sourced<Answer>]? { nil }
}

/// A lock between processes: of several that miss the same answer one fetches it, and the others find it cached.
///
/// Each key belongs to one of a million stripes of a sparse file beside the cache. They are locked with open file
/// description locks, which the kernel releases when the process dies, even by kill −9, and which take one descriptor
/// for any number of keys. Two keys rarely share a stripe: that costs a wait, never a wrong answer.
package struct StripeLocks: FlightLock {
  /// An open file whose locks the kernel releases when it is closed.
  private final class Hold: FlightHold {
    private let descriptor: Locked<Int32?>

    init(_ descriptor: Int32) {
      self.descriptor = Locked(descriptor)
    }

    deinit { release() }

    func release() {
      let open = descriptor.withLock { descriptor in
        defer { descriptor = nil }
        return descriptor
      }
      if let open { close(open) }
    }
  }

  /// The number of stripes: a question about one coin shares a stripe with a batch of a hundred others in one of ten
  /// thousand cases.
  private static let stripeCount: UInt64 = 1 << 20

  /// The length of a stripe in bytes; it has room for the holder's process id and a line end.
  private static let stripeLength = 16

  /// `F_OFD_SETLK` of fcntl.h, the same on every architecture, which Swift's Glibc does not show.
  private static let setDescriptionLock: Int32 = 37

  /// The time between two attempts; waiting in the kernel would hold a thread.
  private static let pause: Duration = .milliseconds(15)

  private let path: String
  private let time: any TimeSource
  private let warn: FirstWarning

  /// Creates locks; their file is created at the first lock.
  ///
  /// - Parameters:
  ///   - cachePath: The cache file; the locks are in a file beside it.
  ///   - time: The clock of the waits.
  ///   - warn: Receives, once, the process that kept a lock for longer than the patience.
  package init(
    cachePath: String, time: any TimeSource, warn: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    path = cachePath + ".lock"
    self.time = time
    self.warn = FirstWarning(warn)
  }

  /// Waits until this process alone may fetch these keys; a stopped process keeps its locks.
  ///
  /// - Throws: `CancellationError`.
  package func lock(_ keys: [AnswerKey], patience: Duration) async throws -> (any FlightHold)? {
    try? PrivateFolder.make(above: path)
    let descriptor = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return nil }
    let hold = Hold(descriptor)
    let end = time.monotonic + patience
    // In ascending order, so that no two processes wait for each other.
    for stripe in Set(keys.map(Self.stripe)).sorted() {
      let start = Int(stripe) * Self.stripeLength
      while !Self.tryLock(descriptor, start) {
        // A file system without such locks has no holders either.
        guard [EAGAIN, EACCES].contains(errno) else { return nil }
        guard time.monotonic < end else {
          tell(Self.holder(descriptor, start), patience)
          return nil
        }
        try await time.sleep(for: Self.pause)
      }
      Self.sign(descriptor, start)
    }
    return hold
  }

  private static func tryLock(_ descriptor: Int32, _ start: Int) -> Bool {
    var lock = flock(
      l_type: Int16(F_WRLCK), l_whence: Int16(SEEK_SET), l_start: start, l_len: stripeLength, l_pid: 0)
    return fcntl(descriptor, setDescriptionLock, &lock) == 0
  }

  // MARK: The holder of a lock

  /// Writes the process id into a stripe, for the warnings of waiting processes.
  private static func sign(_ descriptor: Int32, _ start: Int) {
    let text = Array("\(getpid())\n".utf8)
    pwrite(descriptor, text, min(text.count, stripeLength), start)
  }

  private static func holder(_ descriptor: Int32, _ start: Int) -> Int32? {
    var bytes = [UInt8](repeating: 0, count: stripeLength)
    let count = pread(descriptor, &bytes, bytes.count, start)
    return Int32(String(decoding: bytes.prefix(max(0, count)).prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self))
  }

  private func tell(_ holder: Int32?, _ patience: Duration) {
    let who = holder.map { "process \($0)" } ?? "another process"
    warn(
      "\(who) has asked for the same for more than \(patience.shortText) without an answer and is not waited for any longer"
        + (holder.map { "; if it is stopped: kill -CONT \($0)" } ?? ""))
  }

  // MARK: Stripes

  /// Returns the stripe of a key by FNV-1a, which is the same in every process, unlike Swift's own hashes.
  private static func stripe(_ key: AnswerKey) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for part in [key.provider, key.kind.rawValue, key.coin, key.currency, key.range] {
      for byte in part.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0100_0000_01b3 }
      hash = (hash ^ 0xFF) &* 0x0100_0000_01b3
    }
    return hash % stripeCount
  }
}
