import BitpalFiles
import BitpalModel
import CSpawn
import Glibc

/// A running plugin, to which lines are written and from which lines are read, within limits.
///
/// It belongs to one thread. After an error the caller ends the process with ``end()``.
final class PluginProcess {
  private let limits: PluginLimits
  private let mark: String
  private let copies: TrustedCopies?
  private let process: pid_t
  private var input: Int32
  private let output: Int32
  private let errors: Int32
  private var unread: [UInt8] = []
  private var errorText: [UInt8] = []
  private var kept = 0
  private var isEnded = false
  private var hasAnswered = false

  /// The wait status of the process (`waitpid`); nil while it runs.
  private var status: Int32?

  /// Starts the program.
  ///
  /// - Throws: ``PluginFault/notStarted(_:)`` with the system's reason when the process cannot be made.
  init(_ launch: PluginLaunch, limits: PluginLimits) throws(PluginFault) {
    self.limits = limits
    mark = launch.mark
    copies = launch.copies
    var words: [UnsafeMutablePointer<CChar>?] = launch.words.map { strdup($0) } + [nil]
    var variables: [UnsafeMutablePointer<CChar>?] =
      launch.environment.sorted { $0.key < $1.key }.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for pointer in words + variables { free(pointer) } }
    var child: pid_t = 0
    var pipes: [Int32] = [-1, -1, -1]
    let code = bitpal_spawn(&child, launch.words[0], &words, &variables, launch.folder, &pipes)
    guard code == 0 else { throw .notStarted(String(cString: strerror(code))) }
    process = child
    (input, output, errors) = (pipes[0], pipes[1], pipes[2])
  }

  deinit { end() }

  // MARK: Messages

  /// Writes a line, and returns the line that answers it, without its line end.
  ///
  /// - Parameters:
  ///   - line: The line, without a line end.
  ///   - question: The name of the question in failures.
  ///   - limit: The longest time for the answer.
  /// - Throws: ``PluginFault/unasked(_:)`` for a line before the question, ``PluginFault/longLine(limit:)``,
  ///   ``PluginFault/silent(to:limit:)`` after the time limit, ``PluginFault/closed(complaint:)`` and
  ///   ``PluginFault/ended(how:complaint:)`` at the end of its output.
  func ask(_ line: [UInt8], question: String, limit: Duration) throws(PluginFault) -> [UInt8] {
    let end = ContinuousClock.now + limit
    // A line that it writes at its start, before it has read `hello`, counts as its first answer. Otherwise the outcome
    // would depend on a race.
    if hasAnswered { receive() }
    guard unread.isEmpty else { throw .unasked(String(decoding: unread.prefix(80), as: UTF8.self)) }
    var written = 0
    let message = line + [0x0A]
    var searched = 0
    while true {
      if let close = unread[searched...].firstIndex(of: 0x0A) {
        let answer = Array(unread[..<close])
        unread.removeSubrange(...close)
        guard answer.count <= limits.line else { throw .longLine(limit: limits.line) }
        hasAnswered = true
        return answer
      }
      searched = unread.count
      guard unread.count <= limits.line else { throw .longLine(limit: limits.line) }
      let left = end - .now
      guard left > .zero else { throw .silent(to: question, limit: limit) }
      wait(upTo: left, writing: written < message.count)
      if written < message.count { written += write(message[written...]) }
      // A line that it wrote before its end counts, also when both are noticed at once.
      if !receive(), !unread.contains(0x0A) { throw whyClosed() }
    }
  }

  /// Waits until something can be read or written, or the time is up, and reads its standard error.
  private func wait(upTo time: Duration, writing isWriting: Bool) {
    var waiting = [
      pollfd(fd: output, events: Int16(POLLIN), revents: 0), pollfd(fd: errors, events: Int16(POLLIN), revents: 0),
      pollfd(fd: isWriting ? input : -1, events: Int16(POLLOUT), revents: 0),
    ]
    poll(&waiting, nfds_t(waiting.count), Int32(clamping: max(1, time.milliseconds)))
    receiveErrorText()
  }

  /// Writes as much as fits, and returns the number of bytes; a closed pipe counts as written.
  private func write(_ bytes: ArraySlice<UInt8>) -> Int {
    let count = bytes.withUnsafeBytes { Glibc.write(input, $0.baseAddress, $0.count) }
    // A closed pipe stays closed, so writing is not tried again; the missing answer or the end is the failure.
    return count >= 0 ? count : errno == EAGAIN || errno == EINTR ? 0 : bytes.count
  }

  /// Reads the available output, and returns false when its standard output is closed.
  @discardableResult private func receive() -> Bool {
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while unread.count <= limits.line {
      let count = buffer.withUnsafeMutableBytes { read(output, $0.baseAddress, $0.count) }
      guard count > 0 else { return count < 0 && (errno == EAGAIN || errno == EINTR) }
      unread.append(contentsOf: buffer[..<count])
    }
    return true
  }

  // MARK: Standard error

  /// Reads its standard error, and keeps its first bytes (``PluginLimits/errorText``).
  private func receiveErrorText() {
    var buffer = [UInt8](repeating: 0, count: 16 << 10)
    // At most 256 KiB per call, because a plugin that never stops writing must not hold the thread.
    for _ in 0..<16 {
      let count = buffer.withUnsafeMutableBytes { read(errors, $0.baseAddress, $0.count) }
      guard count > 0 else { return }
      let room = min(count, limits.errorText - kept)
      errorText.append(contentsOf: buffer[..<room])
      kept += room
    }
  }

  /// Removes and returns the complete lines of its standard error since the last call.
  ///
  /// After the end of the process, or at the byte limit, a last line without a line end is returned too.
  func takeErrorText() -> [String] {
    receiveErrorText()
    var text = errorText[...]
    if !isEnded, kept < limits.errorText {
      text = errorText.lastIndex(of: 0x0A).map { errorText[...$0] } ?? []
    }
    errorText.removeFirst(text.count)
    return text.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
  }

  private var lastErrorLine: String? {
    receiveErrorText()
    return errorText.split(separator: 0x0A).last.map { String(decoding: $0, as: UTF8.self) }
  }

  // MARK: Ending

  /// Returns the fault of a closed standard output: the end of the process, or the closed output alone.
  private func whyClosed() -> PluginFault {
    guard isGone(within: limits.ending), let status else { return .closed(message: lastErrorLine) }
    let signal = status & 0x7F
    let how = signal == 0 ? "exit status \(status >> 8 & 0xFF)" : "killed by signal \(signal)"
    return .ended(how: how, message: lastErrorLine)
  }

  /// Ends the process by closing its input, then with SIGTERM, then with SIGKILL, and kills all processes it started.
  func end() {
    guard !isEnded else { return }
    close(input)
    input = -1
    if !isGone(within: limits.ending) {
      kill(-process, SIGTERM)
      if !isGone(within: limits.ending) {
        kill(-process, SIGKILL)
        _ = isGone(within: .seconds(1))
      }
    }
    // Processes that it started may still be in its group, or have left it.
    kill(-process, SIGKILL)
    Self.killAll(marked: mark)
    receiveErrorText()
    copies?.remove()
    isEnded = true
    close(output)
    close(errors)
  }

  /// Returns the exit status of the process; nil when it does not exit in time, or a signal ends it.
  func exitStatus(within time: Duration) -> Int32? {
    guard isGone(within: time), let status, status & 0x7F == 0 else { return nil }
    return status >> 8 & 0xFF
  }

  /// Returns whether the process ends in time; its entry in the process table is then released.
  private func isGone(within time: Duration) -> Bool {
    guard status == nil else { return true }
    let end = ContinuousClock.now + time
    // The end of the process closes its pipes, which wakes `poll` at once. A process that closed its output before is
    // checked every millisecond.
    var isOpen = true
    while true {
      var status: Int32 = 0
      let found = waitpid(process, &status, WNOHANG)
      if found != 0 {
        self.status = found == process ? status : 0
        return true
      }
      let left = end - .now
      guard left > .zero else { return false }
      var waiting = pollfd(fd: isOpen ? output : -1, events: Int16(POLLIN), revents: 0)
      poll(&waiting, 1, isOpen ? Int32(clamping: max(1, left.milliseconds)) : 1)
      unread.removeAll()
      isOpen = isOpen && receive()
      receiveErrorText()
    }
  }

  /// Kills every process with the mark of this start in its environment, including those that left the process group.
  private static func killAll(marked mark: String) {
    guard let folder = opendir("/proc") else { return }
    defer { closedir(folder) }
    let word = Array("\(PluginLaunch.markVariable)=\(mark)".utf8)
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      guard let number = pid_t(name), number != getpid(),
        let environment = try? BoundedFile(prefixOf: "/proc/\(number)/environ", limit: 64 << 10),
        environment.bytes.split(separator: 0).contains(where: { $0.elementsEqual(word) })
      else { continue }
      kill(number, SIGKILL)
    }
  }
}
