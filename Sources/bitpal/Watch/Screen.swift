import BitpalModel
import Glibc

/// The terminal while `watch` has it: its second screen, no cursor, keys without echo; given back whatever happens.
final class Screen: Sendable {
  private struct State {
    var isEntered = false
    /// How the keyboard was; nil when there is none.
    var keyboard: termios?
  }

  private static let enterCodes = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l"
  private static let leaveCodes = "\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"

  private let state = Locked(State())
  private let console: Console

  init(_ console: Console) {
    self.console = console
  }

  /// Takes the terminal; also when it is ours already, because whoever stopped us may have changed it.
  func enter() {
    state.withLock { state in
      if state.keyboard == nil, isatty(STDIN_FILENO) == 1 {
        var current = termios()
        if tcgetattr(STDIN_FILENO, &current) == 0 { state.keyboard = current }
      }
      if var keyboard = state.keyboard {
        // Ctrl-C and Ctrl-Z stay signals.
        keyboard.c_lflag &= ~tcflag_t(ICANON | ECHO)
        withUnsafeMutableBytes(of: &keyboard.c_cc) { codes in
          codes[Int(VMIN)] = 1
          codes[Int(VTIME)] = 0
        }
        tcsetattr(STDIN_FILENO, TCSANOW, &keyboard)
      }
      state.isEntered = true
      try? console.answer(Self.enterCodes)
    }
  }

  /// Gives the terminal back as it was.
  func leave() {
    // Output that Ctrl-S holds back would hold us back as well.
    tcflow(STDOUT_FILENO, TCOON)
    state.withLock { state in
      guard state.isEntered else { return }
      state.isEntered = false
      try? console.answer(Self.leaveCodes)
      if var keyboard = state.keyboard { tcsetattr(STDIN_FILENO, TCSADRAIN, &keyboard) }
    }
  }

  /// Shows lines from the top, all in one write, so that nothing flickers; the terminal cuts what is too wide.
  func draw(_ lines: [String]) throws(BitpalError) {
    let text = lines.map { $0 + "\u{1B}[0m\u{1B}[K" }.joined(separator: "\r\n")
    try state.withLock { state throws(BitpalError) in
      guard state.isEntered else { return }
      // 2026 is "synchronized update": terminals that know it show the frame whole.
      try console.answer("\u{1B}[?2026h\u{1B}[H\(text)\u{1B}[J\u{1B}[?2026l")
    }
  }
}
