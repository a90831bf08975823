public import BitpalModel
import Glibc

/// Locks between processes, so that of several that miss the same answer one fetches it and the others find it cached.
///
/// Each key belongs to one of 64 empty files beside the cache, locked with `flock`, which the kernel frees when the
/// holder dies, even by kill −9. Two keys may share a stripe: that costs a wait, never a wrong answer.
public struct StripeLocks: Sendable {
  /// Locks held; they are given back when this is released.
  public final class Hold: Sendable {
    private let descriptors: [Int32]

    init(_ descriptors: [Int32]) {
      self.descriptors = descriptors
    }

    deinit {
      for descriptor in descriptors { close(descriptor) }
    }
  }

  private static let stripeCount: UInt64 = 64

  /// How long to wait between two tries; `flock` itself cannot be waited for without holding a thread.
  private static let pause: Duration = .milliseconds(15)

  private let folder: String
  private let time: any TimeSource

  /// - Parameters:
  ///   - cachePath: The cache file; the locks are in a folder beside it.
  ///   - time: Where waiting for a lock is done.
  public init(cachePath: String, time: any TimeSource) {
    folder = cachePath + ".locks"
    self.time = time
  }

  /// Waits until this process alone may fetch these keys.
  ///
  /// - Returns: What holds the locks; nil when they cannot be had, because the folder cannot be written or `deadline` (on
  ///   the monotonic clock) passed.
  /// - Throws: `CancellationError`.
  public func lock(_ keys: [CacheKey], deadline: Duration?) async throws -> Hold? {
    mkdir(folder, 0o700)
    var descriptors: [Int32] = []
    // In ascending order, so that no two processes wait for each other.
    for stripe in Set(keys.map(Self.stripe)).sorted() {
      let descriptor = open("\(folder)/\(stripe)", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else {
        _ = Hold(descriptors)
        return nil
      }
      descriptors.append(descriptor)
      while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
        if let deadline, time.monotonic >= deadline {
          _ = Hold(descriptors)
          return nil
        }
        do {
          try await time.sleep(for: Self.pause)
        } catch {
          _ = Hold(descriptors)
          throw error
        }
      }
    }
    return Hold(descriptors)
  }

  /// FNV-1a: the same in every process, unlike Swift's own hashes.
  private static func stripe(_ key: CacheKey) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for part in [key.provider, key.operation.rawValue, key.coin, key.currency, key.range] {
      for byte in part.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0100_0000_01b3 }
      hash = (hash ^ 0xFF) &* 0x0100_0000_01b3
    }
    return hash % stripeCount
  }
}
