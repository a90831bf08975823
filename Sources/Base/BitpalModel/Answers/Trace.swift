/// A report of the steps that lead to an answer, sent to an optional listener.
///
/// A trace without a listener costs nothing.
public struct Trace: Sendable {
  private let listener: (@Sendable (TraceEvent) -> Void)?

  /// Whether the listener shows each event to the user, and not only counts them.
  package let isShown: Bool

  /// A trace without a listener.
  public static let silent = Trace(nil)

  /// Creates a trace; `listener` may be called from any thread.
  public init(_ listener: (@Sendable (TraceEvent) -> Void)?) {
    self.listener = listener
    isShown = listener != nil
  }

  /// Creates a trace whose listener only counts events; those that take long to find are left out.
  package init(counting listener: @escaping @Sendable (TraceEvent) -> Void) {
    self.listener = listener
    isShown = false
  }

  /// Sends an event to the listener; without a listener the event is not created.
  package func callAsFunction(_ event: @autoclosure () -> TraceEvent) {
    if let listener { listener(event()) }
  }
}

/// A filter that passes on only the first warning, so that a lasting failure is reported once.
package final class FirstWarning: Sendable {
  private let warn: @Sendable (String) -> Void
  private let hasWarned = Locked(false)

  package init(_ warn: @escaping @Sendable (String) -> Void) {
    self.warn = warn
  }

  /// Sends the first warning and ignores later ones, whose text is not created.
  package func callAsFunction(_ message: @autoclosure () -> String) {
    let isFirst = hasWarned.withLock { hasWarned in
      defer { hasWarned = true }
      return !hasWarned
    }
    if isFirst { warn(message()) }
  }
}
