/// How a chart is drawn in characters.
public struct TerminalOptions: Hashable, Sendable {
  /// Columns at hand: 20 to 300; what lies outside is brought inside.
  public let width: Int

  /// Rows of the plot itself, without titles and scales: 3 to 100.
  public let height: Int

  /// Whether colours may be used; nothing is said by colour alone.
  public let color: Bool

  /// Whether only ASCII may be used.
  public let ascii: Bool

  /// Creates options.
  public init(width: Int = 80, height: Int = 16, color: Bool = false, ascii: Bool = false) {
    self.width = min(300, max(20, width))
    self.height = min(100, max(3, height))
    self.color = color
    self.ascii = ascii
  }
}
