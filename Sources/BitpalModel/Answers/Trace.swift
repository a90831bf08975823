/// Tells the life of an answer to whoever listens; costs nothing when nobody does.
public struct Trace: Sendable {
  private let listener: (@Sendable (TraceEvent) -> Void)?

  /// A trace that nobody hears.
  public static let silent = Trace(nil)

  /// Creates a trace; `listener` may be called from any thread.
  public init(_ listener: (@Sendable (TraceEvent) -> Void)?) {
    self.listener = listener
  }

  /// Tells the listener, if there is one; the event is not even made otherwise.
  public func callAsFunction(_ event: @autoclosure () -> TraceEvent) {
    if let listener { listener(event()) }
  }
}
