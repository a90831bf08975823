import BitpalModel
import Glibc

/// The last line of a terminal during long work: it states the current step and disappears at the end.
///
/// The line is on standard error, and only if that is a terminal. Each write to the terminal erases it first with
/// ``hide()``, so it leaves nothing behind; an interrupt erases it too.
final class ProgressLine: Sendable {
  private struct State {
    var model = ProgressModel()

    /// The text on the terminal; nil for nothing.
    var shown: String?
    var isTicking = false
  }

  private static let erase = "\r\u{1B}[K"

  private let state = Locked(State())
  private let errors: TextStream
  private let style: Style
  private let isASCII: Bool
  private let time = SystemTime()

  init(_ errors: TextStream, style: Style, isASCII: Bool) {
    self.errors = errors
    self.isASCII = isASCII
    self.style = style
  }

  /// Begins work that emits no trace events.
  func begin(_ message: String) {
    update { $0.begin(message, at: $1) }
  }

  /// Begins one of several questions of a command.
  func begin(_ number: Int, of count: Int, _ message: String) {
    update { $0.begin(number, of: count, message, at: $1) }
  }

  /// Takes a step of an answer.
  func note(_ event: TraceEvent) {
    update { $0.note(event, at: $1) }
  }

  /// Erases the line before something is written; only further work shows it again.
  func hide() {
    state.withLock { state in
      state.model.end()
      show(nil, &state)
    }
  }

  private func update(_ change: (inout ProgressModel, Duration) -> Void) {
    let mustTick = state.withLock { state in
      change(&state.model, time.monotonic)
      defer { state.isTicking = state.isTicking || state.model.isWorking }
      return state.model.isWorking && !state.isTicking
    }
    if mustTick { startTicking() }
  }

  /// Updates the line ten times per second in a task of its own, because the calling thread is busy.
  private func startTicking() {
    Task.detached { [self] in
      var goesOn = true
      while goesOn {
        try? await Task.sleep(for: .milliseconds(100))
        goesOn = state.withLock { state in
          show(state.model.line(at: time.monotonic), &state)
          state.isTicking = state.model.isWorking
          return state.isTicking
        }
      }
    }
  }

  private func show(_ line: String?, _ state: inout State) {
    // The last column stays free, because some terminals would begin another line.
    let text = line.map { line in
      let line = line.printable(limit: 400)
      let text = (isASCII ? line.inPlainASCII : line).truncated(toWidth: max(20, Self.columns - 1))
      return isASCII ? text.inASCII : text
    }
    guard text != state.shown else { return }
    // Set before the line is drawn, so that an interrupt in between erases too much rather than too little.
    if text != nil { Interruption.markLine(true) }
    try? errors.write(Self.erase + (text.map { style($0, .quiet) } ?? ""))
    if text == nil { Interruption.markLine(false) }
    state.shown = text
  }

  /// The number of columns of the terminal at standard error; 80 when it is unknown.
  static var columns: Int {
    var size: (rows: UInt16, columns: UInt16, UInt16, UInt16) = (0, 0, 0, 0)
    let status = withUnsafeMutablePointer(to: &size) { ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), $0) }
    return status == 0 && size.columns > 0 ? Int(size.columns) : 80
  }
}
