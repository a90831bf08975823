public import BitpalModel
import FoundationEssentials

/// A line chart in one row of characters, for a column of a table.
public enum Sparkline {
  /// Returns the line as `width` characters of eight heights; an interval without a price is a space.
  ///
  /// - Parameters:
  ///   - points: The prices by time. The last price of each interval counts.
  ///   - width: The number of characters; 0 gives an empty text.
  ///   - ascii: Whether only ASCII may be used.
  public static func text(_ points: [ChartDataPoint], width: Int, ascii: Bool = false) -> String {
    guard let first = points.first, let last = points.last, width > 0 else { return "" }
    let span = last.timestamp.timeIntervalSince(first.timestamp)
    var closes = [Decimal?](repeating: nil, count: width)
    for point in points {
      let part = span > 0 ? point.timestamp.timeIntervalSince(first.timestamp) / span : 0
      closes[min(width - 1, max(0, Int(part * Double(width))))] = point.price
    }
    let levels: [Character] = Array(ascii ? "_.,-~=*#" : "▁▂▃▄▅▆▇█")
    let prices = closes.compactMap { $0 }
    guard let low = prices.min(), let high = prices.max() else { return "" }
    // A constant line is drawn at half height, as in every other chart.
    let axis = PriceAxis(low: low, high: high, most: 1)
    return String(
      closes.map { price in
        price.map { levels[min(levels.count - 1, Int(axis.position($0) * Double(levels.count)))] } ?? " "
      })
  }
}
