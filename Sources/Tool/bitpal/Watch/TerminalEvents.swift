import Glibc

/// An event of a terminal.
enum TerminalEvent: Sendable {
  case key(TerminalKey)

  /// The terminal has another size, or has been taken over again.
  case redraw
}

/// A source of terminal events: keys and signals, each from a thread that waits for them.
///
/// Signals are waited for and not handled, so ordinary code can restore the terminal. Their thread is separate, so that
/// Ctrl-C works even while the rest is busy.
struct TerminalEvents: Sendable {
  let screen: Screen

  /// Sends an event to the loop, from any thread.
  let post: @Sendable (TerminalEvent) -> Void

  /// The time after which an escape without another byte is that key (50 ms): the bytes of an arrow key come together.
  private static let escapeTime: Int32 = 50

  private static let ending = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]
  private static let others = [SIGTSTP, SIGCONT, SIGWINCH]

  /// Starts the threads.
  ///
  /// It must be called before other threads start, because those must not receive the signals.
  func start() {
    var signals = sigset_t()
    sigemptyset(&signals)
    for signal in Self.ending + Self.others { sigaddset(&signals, signal) }
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    Self.detach { [signals] in
      var signals = signals
      while true {
        var signal: Int32 = 0
        guard sigwait(&signals, &signal) == 0 else { continue }
        take(signal)
      }
    }
    guard isatty(STDIN_FILENO) == 1 else { return }
    Self.detach {
      var byte: UInt8 = 0
      var reader = KeyReader()
      while true {
        var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        if reader.isPending, poll(&input, 1, Self.escapeTime) == 0 {
          if let key = reader.pause() { post(.key(key)) }
          continue
        }
        let count = read(STDIN_FILENO, &byte, 1)
        guard count == 1 else {
          if count == 0 || errno != EINTR { return }
          continue
        }
        if let key = reader.take(byte) { post(.key(key)) }
      }
    }
  }

  private func take(_ signal: Int32) {
    switch signal {
    case SIGTSTP:
      screen.leave()
      kill(getpid(), SIGSTOP)
    // SIGCONT reports the continuation.
    case SIGCONT:
      screen.enter()
      post(.redraw)
    case SIGWINCH:
      post(.redraw)
    default:
      screen.leave()
      // The status is 128 plus the number of the signal, as in shells.
      _exit(128 + signal)
    }
  }

  private static func detach(_ body: @escaping @Sendable () -> Void) {
    final class Box {
      let body: @Sendable () -> Void
      init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
    var thread = pthread_t()
    let box = Unmanaged.passRetained(Box(body))
    let code = pthread_create(
      &thread, nil,
      { argument in
        if let argument { Unmanaged<Box>.fromOpaque(argument).takeRetainedValue().body() }
        return nil
      }, box.toOpaque())
    if code == 0 { pthread_detach(thread) } else { box.release() }
  }
}
