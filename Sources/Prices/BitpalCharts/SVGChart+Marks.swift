import BitpalModel
import FoundationEssentials

extension SVGChart {
  /// A position in the picture at which a pointer shows a time and a value.
  package struct Mark: Sendable {
    /// The position from the left and from the top, in the picture's units: `412.5,88`.
    package let place: String

    /// Makes the texts when they are read: a chart drawn in three sizes needs them only once.
    private let description: @Sendable () -> (time: String, value: String)

    fileprivate init(
      _ x: Double, _ y: Double, _ description: @escaping @autoclosure @Sendable () -> (time: String, value: String)
    ) {
      place = SVGText.number(x) + "," + SVGText.number(y)
      self.description = description
    }

    /// The texts at the mark.
    ///
    /// The time is in the time zone of the chart, `2025-01-15 10:30Z`. The value is a price, `96,841.33`, the four
    /// prices of a candle, or the value of each of several lines.
    package var text: (time: String, value: String) { description() }
  }

  /// The marks of the picture, in the order of time.
  package var marks: [Mark] {
    switch chart.content {
    case .line(let points): lineMarks(points)
    case .candles(let series, _): candleMarks(series)
    case .comparison, .amounts: severalMarks
    }
  }

  private func lineMarks(_ points: [ChartDataPoint]) -> [Mark] {
    guard let statistics = ChartStatistics(line: points) else { return [] }
    let (drawn, axis, time) = scaled(points, statistics)
    return drawn.runs.joined().map { point in
      Mark(
        layout.x(point.timestamp, time), layout.y(point.price, axis),
        (timeText(point.timestamp), NumberFormat.price(point.price, digits: digits)))
    }
  }

  private func candleMarks(_ series: CandleSeries) -> [Mark] {
    guard let statistics = ChartStatistics(candles: series.candles) else { return [] }
    let places = places(series, statistics)
    @Sendable func price(_ value: Decimal) -> String { NumberFormat.price(value, digits: digits) }
    return places.slots.candles.map { slot, candle in
      Mark(
        places.x(slot), layout.y(candle.close, places.axis),
        (
          timeText(candle.timestamp),
          "O \(price(candle.open)) H \(price(candle.high)) L \(price(candle.low)) C \(price(candle.close))"
        ))
    }
  }

  /// The marks at each point of the first line, with the latest values of the others at that time.
  private var severalMarks: [Mark] {
    guard let (drawn, axis, time) = scaledLines() else { return [] }
    func description(_ line: DrawnLine, _ value: Decimal) -> String {
      line.name + " " + drawn.unit.label(value, digits: digits)
    }
    let others = drawn.lines.dropFirst().map { (line: $0, points: Array($0.runs.joined())) }
    var next = others.map { _ in 0 }
    return drawn.lines.prefix(1).flatMap { first in
      first.runs.joined().map { point in
        var parts = [description(first, point.price)]
        for (index, other) in others.enumerated() {
          while next[index] < other.points.count, other.points[next[index]].timestamp <= point.timestamp {
            next[index] += 1
          }
          if next[index] > 0 { parts.append(description(other.line, other.points[next[index] - 1].price)) }
        }
        let value = parts.joined(separator: ", ")
        return Mark(
          layout.x(point.timestamp, time), layout.y(point.price, axis), (timeText(point.timestamp), value))
      }
    }
  }

  private func timeText(_ instant: Date) -> String {
    chart.isOfDays && instant == instant.startOfDay ? instant.dayText : instant.minuteText(in: chart.zone)
  }
}
