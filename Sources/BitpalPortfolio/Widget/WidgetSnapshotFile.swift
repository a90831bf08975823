import BitpalFiles
public import BitpalModel
public import FoundationEssentials

/// The file that widgets and status bars read: `WidgetData/portfolio.json` in the user's data folder.
///
/// It is replaced by rename, so whoever reads it at any moment finds one whole snapshot.
public struct WidgetSnapshotFile: Sendable {
  /// Where it is.
  public let path: String

  /// A snapshot is far below; what is larger is no snapshot.
  private static let byteLimit = 1 << 20

  /// - Parameters:
  ///   - folder: The user's data folder of bitpal.
  ///   - portfolio: The main one's file is `portfolio.json`, another's `portfolio-NAME.json`.
  public init(folder: String, portfolio: PortfolioName = .main) {
    path = folder + "/WidgetData/" + (portfolio == .main ? "portfolio.json" : "portfolio-\(portfolio.text).json")
  }

  /// Replaces the snapshot.
  ///
  /// - Throws: ``/BitpalModel/BitpalError/dataFile(path:reason:)``.
  public func write(_ data: WidgetPortfolioData) throws(BitpalError) {
    do throws(FileFault) { try PrivateFolder.make(above: path) } catch { throw error.error(of: path) }
    try FileReplacement.replace(path, with: Array(WidgetSnapshotText.text(of: data).utf8), access: .user)
  }

  /// The snapshot; nil when there is none or it cannot be understood.
  public func read() -> WidgetPortfolioData? {
    guard let file = try? BoundedFile(path, limit: Self.byteLimit) else { return nil }
    return try? WidgetSnapshotText.data(of: file.bytes)
  }

  /// What a widget draws now.
  public func entry(at date: Date) -> PortfolioEntry {
    read().map { .entry(data: $0, at: date) } ?? .placeholder(at: date)
  }
}
