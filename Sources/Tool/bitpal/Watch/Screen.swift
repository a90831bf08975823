import BitpalModel
import Glibc

/// The terminal while `watch` or `search -i` uses it: the alternate screen, without a cursor or an echo of keys.
///
/// ``leave()`` restores it in every case, also on a signal.
final class Screen: Sendable {
  private struct State {
    var isEntered = false
    /// The settings of the keyboard before; nil when standard input is not a terminal.
    var keyboard: termios?
  }

  private static let enterCodes = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l"
  private static let leaveCodes = "\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"

  private let state = Locked(State())
  private let console: Console

  init(_ console: Console) {
    self.console = console
  }

  /// Takes over the terminal.
  ///
  /// It can be called again after a stop, because another program may have changed the terminal.
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

  /// Restores the terminal.
  func leave() {
    // Output that Ctrl-S has stopped would block the next write.
    tcflow(STDOUT_FILENO, TCOON)
    state.withLock { state in
      guard state.isEntered else { return }
      state.isEntered = false
      try? console.answer(Self.leaveCodes)
      if var keyboard = state.keyboard { tcsetattr(STDIN_FILENO, TCSADRAIN, &keyboard) }
    }
  }

  /// Draws the lines from the top in one write, so that nothing flickers; the terminal cuts wide lines.
  ///
  /// - Throws: ``BitpalError/dataFile(path:reason:)`` when standard output cannot be written.
  func draw(_ lines: [String]) throws(BitpalError) {
    // Each line is erased before it is written: after a full line the cursor stands on its last character.
    let text = lines.enumerated().map { index, line in
      "\u{1B}[\(index == lines.count - 1 ? "J" : "K")\(console.wantsASCII ? line.inASCII : line)\u{1B}[0m"
    }.joined(separator: "\r\n")
    try state.withLock { state throws(BitpalError) in
      guard state.isEntered else { return }
      // 2026 is "synchronized update": terminals that support it show the whole frame at once.
      try console.answer("\u{1B}[?2026h\u{1B}[H\(text)\u{1B}[?2026l")
    }
  }
}
