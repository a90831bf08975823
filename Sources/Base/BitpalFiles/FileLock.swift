import Glibc

/// The lock of an open file or folder, which ends with its descriptor.
package enum FileLock {
  /// Takes the exclusive lock of a descriptor.
  ///
  /// Blocks the thread for up to `patience`.
  ///
  /// - Parameter patience: The maximum wait for another process that holds the lock.
  /// - Throws: `FileFault.refused(code:)` with `EWOULDBLOCK` when another process still has it, and with the error of the
  ///   system where the file cannot be locked, as on some network file systems.
  package static func take(_ descriptor: Int32, within patience: Duration) throws(FileFault) {
    let end = ContinuousClock.now + patience
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      let code = errno
      guard [EWOULDBLOCK, EINTR].contains(code), ContinuousClock.now < end else { throw .refused(code: code) }
      poll(nil, 0, 10)
    }
  }
}
