import BitpalFiles
package import BitpalModel
package import FoundationEssentials
import Glibc

/// The file that widgets and status bars read: `WidgetData/portfolio.json` in the user's data folder.
///
/// It is replaced by a rename, so a reader finds one complete snapshot at any moment.
package struct WidgetSnapshotFile: Sendable {
  /// The path of the file.
  package let path: String

  /// The largest file that is read: 1 MiB, far more than a snapshot needs.
  private static let byteLimit = 1 << 20

  /// Creates a widget snapshot file.
  ///
  /// - Parameters:
  ///   - folder: The user's data folder of bitpal.
  ///   - portfolio: The portfolio's name; `portfolio.json` is for the main one, `portfolio-NAME.json` for another.
  package init(folder: String, portfolio: PortfolioName = .main) {
    path = folder + "/WidgetData/" + (portfolio == .main ? "portfolio.json" : "portfolio-\(portfolio.text).json")
  }

  /// Replaces the snapshot.
  ///
  /// - Throws: ``/BitpalModel/BitpalError/dataFile(path:reason:)`` when the folder or the file cannot be written.
  package func write(_ data: WidgetPortfolioData) throws(BitpalError) {
    do throws(FileFault) { try PrivateFolder.make(above: path) } catch { throw error.error(of: path) }
    try FileReplacement.replace(path, with: Array(WidgetSnapshotText.text(of: data).utf8), access: .user)
  }

  /// Removes the snapshot, whose portfolio is gone.
  package func remove() { unlink(path) }

  /// Makes the snapshot, if there is one, that of the portfolio's new name.
  package func move(to other: WidgetSnapshotFile) {
    other.remove()
    rename(path, other.path)
  }

  /// Returns the snapshot; nil when there is none or it cannot be read.
  package func read() -> WidgetPortfolioData? {
    guard let file = try? BoundedFile(path, limit: Self.byteLimit) else { return nil }
    return try? WidgetSnapshotText.data(of: file.bytes)
  }

  /// Returns the entry that a widget draws now.
  package func entry(at date: Date) -> PortfolioEntry {
    read().map { .entry(data: $0, at: date) } ?? .placeholder(at: date)
  }
}

/// The content of a widget at an instant: data, or a placeholder.
package struct PortfolioEntry: Hashable, Sendable {
  /// The age beyond which data is marked stale.
  static let freshFor: Duration = .seconds(60 * 60)

  /// The time at which it is drawn.
  package let date: Date

  /// The data; nil for the placeholder.
  package let data: WidgetPortfolioData?

  /// Whether the entry has no data.
  package var isPlaceholder: Bool { data == nil }

  /// The age of the data, never below zero; nil for the placeholder.
  package var age: Duration? { data.map { max(.zero, date.since($0.lastUpdated)) } }

  /// Whether the data is more than 60 minutes old, or was made from stale prices.
  package var isStale: Bool { data?.hasStalePrices == true || age.map { $0 > Self.freshFor } ?? false }

  /// Returns an entry without data.
  package static func placeholder(at date: Date) -> PortfolioEntry {
    PortfolioEntry(date: date, data: nil)
  }

  /// Returns an entry with data.
  package static func entry(data: WidgetPortfolioData, at date: Date) -> PortfolioEntry {
    PortfolioEntry(date: date, data: data)
  }
}
