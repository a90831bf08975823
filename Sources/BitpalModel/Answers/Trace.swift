/// Tells the life of an answer to whoever listens; costs nothing when nobody does.
public struct Trace: Sendable {
  private let listener: (@Sendable (TraceEvent) -> Void)?

  /// A trace that nobody hears.
  public static let silent = Trace(nil)

  /// Creates a trace; `listener` may be called from any thread.
  public init(_ listener: (@Sendable (TraceEvent) -> Void)?) {
    self.listener = listener
  }

  /// Whether somebody listens.
  public var isHeard: Bool { listener != nil }

  /// Tells the listener, if there is one; the event is not even made otherwise.
  public func callAsFunction(_ event: @autoclosure () -> TraceEvent) {
    if let listener { listener(event()) }
  }
}

/// Passes on the first warning that it is given, and no other: a trouble that lasts is told once.
package final class FirstWarning: Sendable {
  private let warn: @Sendable (String) -> Void
  private let hasWarned = Locked(false)

  package init(_ warn: @escaping @Sendable (String) -> Void) {
    self.warn = warn
  }

  /// Warns, unless that was done before; the text is not even made otherwise.
  package func callAsFunction(_ message: @autoclosure () -> String) {
    let isFirst = hasWarned.withLock { hasWarned in
      defer { hasWarned = true }
      return !hasWarned
    }
    if isFirst { warn(message()) }
  }
}
