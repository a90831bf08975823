import BitpalCharts
import BitpalModel
import BitpalProviders

/// What stands above a chart.
struct ChartTitles: Sendable {
  let title: String
  let subtitle: String
  let warning: String?

  /// - Parameters:
  ///   - parts: The words of the title.
  ///   - origins: Where what is drawn comes from.
  init(_ parts: [String], _ origins: [Origin], providers: [ProviderDescriptor]) {
    title = parts.map { $0.printable(limit: 120) }.joined(separator: " · ")
    subtitle = Origin.sources(origins, providers: providers)
    warning = Origin.staleText(origins)
  }

  /// The chart of a content under these titles.
  func chart(_ content: Chart.Content, window: TimeWindow?) -> Chart {
    Chart(content, title: title, subtitle: subtitle, warning: warning, window: window)
  }
}
