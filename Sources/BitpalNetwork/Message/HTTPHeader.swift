/// One header of a request or a response.
public struct HTTPHeader: Hashable, Sendable {
  /// The name; compared without case.
  public let name: String

  /// The value, without surrounding white space.
  public let value: String

  /// Creates a header.
  public init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

extension [HTTPHeader] {
  /// The value of the first header of that name, whatever its case.
  public func first(named name: String) -> String? {
    first { $0.name.lowercased() == name.lowercased() }?.value
  }
}
