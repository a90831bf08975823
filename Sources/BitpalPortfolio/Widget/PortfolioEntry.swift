import BitpalModel
public import FoundationEssentials

/// What a widget draws at an instant: data, or a placeholder.
public struct PortfolioEntry: Hashable, Sendable {
  /// Data older than that is marked stale.
  public static let freshFor: Duration = .seconds(60 * 60)

  /// When it is drawn.
  public let date: Date

  /// The data; nil for the placeholder.
  public let data: WidgetPortfolioData?

  /// Whether there is nothing to draw.
  public var isPlaceholder: Bool { data == nil }

  /// How old the data is, never below zero; nil for the placeholder.
  public var age: Duration? { data.map { max(.zero, date.since($0.lastUpdated)) } }

  /// Whether the data is more than 60 minutes old.
  public var isStale: Bool { age.map { $0 > Self.freshFor } ?? false }

  /// An entry without data.
  public static func placeholder(at date: Date) -> PortfolioEntry {
    PortfolioEntry(date: date, data: nil)
  }

  /// An entry with data.
  public static func entry(data: WidgetPortfolioData, at date: Date) -> PortfolioEntry {
    PortfolioEntry(date: date, data: data)
  }
}
