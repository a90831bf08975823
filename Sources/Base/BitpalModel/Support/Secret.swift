/// A key that cannot be printed by accident: its description and its mirror show only that it is set.
public struct Secret: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  private let value: String

  /// Wraps a key.
  public init(_ value: String) {
    self.value = value
  }

  /// Returns the key for the code that sends it and the code that removes it from recordings.
  package func reveal() -> String { value }

  /// Always `(set)`.
  public var description: String { "(set)" }

  /// Always `(set)`.
  public var debugDescription: String { "(set)" }

  /// A mirror without children.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
