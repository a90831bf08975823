import BitpalJSON
package import BitpalModel
import FoundationEssentials

/// The answer of `/coins/{id}/market_chart`: instants in milliseconds, each with a price.
package struct CoinGeckoChart: Sendable {
  private let points: [ChartDataPoint]
  private let number: CoinGeckoNumber

  package init(_ points: [ChartDataPoint], _ number: CoinGeckoNumber) {
    self.points = points
    self.number = number
  }

  /// The answer as JSON.
  ///
  /// No source states market values and volumes over time: they are null for each price, because clients read the three
  /// lists in parallel.
  package var text: String {
    let unknown = JSONValue.array(points.map { number.sample($0.timestamp, nil) })
    let chart: JSONValue = [
      "prices": .array(points.map { number.sample($0.timestamp, $0.price) }), "market_caps": unknown,
      "total_volumes": unknown,
    ]
    return chart.compact()
  }
}

/// The answer of `/coins/{id}/ohlc`: rows of open, high, low and close, stamped with their **end**.
package struct CoinGeckoCandles: Sendable {
  private let series: CandleSeries
  private let number: CoinGeckoNumber

  package init(_ series: CandleSeries, _ number: CoinGeckoNumber) {
    self.series = series
    self.number = number
  }

  package var text: String {
    let rows = series.candles.map {
      number.sample($0.timestamp.adding(series.width), $0.open, $0.high, $0.low, $0.close)
    }
    return JSONValue.array(rows).compact()
  }
}
