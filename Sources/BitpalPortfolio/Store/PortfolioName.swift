/// The name of a portfolio: up to 64 of `a-z 0-9 - _`, beginning with a letter or digit.
public struct PortfolioName: Hashable, Sendable {
  /// The portfolio of those who have one.
  public static let main = PortfolioName(unchecked: "main")

  /// The name.
  public let text: String

  /// Checks a name.
  ///
  /// - Throws: ``PortfolioError/invalidPortfolioName(_:)``.
  public init(_ text: String) throws(PortfolioError) {
    func isPlain(_ byte: UInt8) -> Bool {
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
    guard let first = text.utf8.first, isPlain(first), text.utf8.count <= 64,
      text.utf8.allSatisfy({ isPlain($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") })
    else { throw .invalidPortfolioName(text) }
    self.text = text
  }

  private init(unchecked text: String) {
    self.text = text
  }
}
