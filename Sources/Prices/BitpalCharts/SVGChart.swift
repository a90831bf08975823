import BitpalModel
import FoundationEssentials

/// A chart as an SVG document that scales to the page, follows its light or dark colours, and contains no script.
///
/// Screen readers get a title and a description with the numbers. A rising candle is hollow and a falling one filled;
/// compared lines differ in their dashes.
public struct SVGChart: Sendable {
  let chart: Chart

  /// The decimals of the figures; nil for the usual format.
  let digits: Int?

  /// The positions of its parts.
  let layout: SVGLayout

  private let part: Part

  /// The height in units: the one asked for, or the least that the titles and the credit of the source need.
  package var height: Int { layout.height }

  /// A choice of the parts that are drawn.
  public enum Part: Sendable {
    /// All of it: titles, plot and numbers.
    case whole

    /// The plot without titles and numbers, for a page that shows these in its own text; compared lines keep their
    /// names.
    case plot
  }

  /// The widths and heights that a picture can have, in pixels.
  public static let sizes = (width: 320...4000, height: 200...4000)

  /// Creates the drawing.
  ///
  /// - Parameters:
  ///   - chart: The chart to be drawn.
  ///   - width: The width in pixels; a value outside ``sizes`` is clamped.
  ///   - height: The height in pixels; a value outside ``sizes`` is clamped, and one in which the titles and the credit
  ///     of the source have no room is raised.
  ///   - digits: The decimals of prices, 0 to 18; nil for as many as distinguish them.
  ///   - part: The parts that are drawn.
  public init(_ chart: Chart, width: Int = 960, height: Int = 480, digits: Int? = nil, part: Part = .whole) {
    self.chart = chart
    let digits = chart.digits(digits)
    self.digits = digits
    self.part = part
    layout = SVGLayout(
      part, width: min(Self.sizes.width.upperBound, max(Self.sizes.width.lowerBound, width)),
      height: min(Self.sizes.height.upperBound, max(Self.sizes.height.lowerBound, height)),
      chart.texts(digits: digits, part))
  }

  /// Returns the whole document, with a line end.
  public func document() -> String {
    """
    <svg xmlns="http://www.w3.org/2000/svg" width="\(layout.width)" height="\(layout.height)" \(opening("chart"))
    <style>
    \(Self.styles)
    </style>
    <rect class="page" width="\(layout.width)" height="\(layout.height)" rx="8"/>
    \(drawn.joined(separator: "\n"))
    </svg>

    """
  }

  /// Returns the drawing as a part of an HTML page, which provides ``styles`` and the background: its policy may forbid
  /// those of a document.
  ///
  /// - Parameter name: The beginning of its ids, unique for each drawing of a page.
  package func drawing(_ name: StaticString) -> SVGDrawing {
    SVGDrawing(markup: "<svg class=\"chart\" \(opening("\(name)"))\n\(drawn.joined(separator: "\n"))\n</svg>")
  }

  /// Returns the rest of the first tag, and the texts for screen readers.
  private func opening(_ name: String) -> String {
    """
    viewBox="0 0 \(layout.width) \(layout.height)" role="img" aria-labelledby="\(name)-title \(name)-description">
    <title id="\(name)-title">\(SVGText.escaped(chart.title))</title>
    <desc id="\(name)-description">\(SVGText.escaped(description))</desc>
    """
  }

  /// The visible elements.
  private var drawn: [String] {
    guard part == .whole else { return body }
    let head = layout.head.map { line in
      let kind = line.pieces.first?.kind == "title" ? "title" : "quiet"
      let text = line.pieces.map { piece in
        let text = SVGText.escaped(piece.text)
        return piece.kind == kind ? text : "<tspan class=\"\(piece.kind)\">\(text)</tspan>"
      }
      return "<text class=\"\(kind)\" x=\"\(layout.left)\" y=\"\(line.y)\">\(text.joined(separator: " · "))</text>"
    }
    return head + body
  }

  private var body: [String] {
    switch chart.content {
    case .line(let points) where !points.isEmpty: line(points)
    case .candles(let series, let isLastOpen) where !series.candles.isEmpty: candles(series, isLastOpen: isLastOpen)
    case .comparison, .amounts: severalLines ?? nothing
    default: nothing
    }
  }

  private var nothing: [String] {
    ["<text class=\"quiet\" x=\"\(layout.left)\" y=\"\(layout.top)\">no data</text>"]
  }

  /// The text for screen readers.
  private var description: String {
    if let (lines, unit) = chart.lines {
      return (unit == .percent ? "Change since the beginning: " : "At the end: ")
        + lines.map { "\($0.name) \($0.last(in: unit).map { unit.label($0, digits: digits) } ?? "no data")" }
        .joined(separator: ", ")
    }
    guard let statistics = chart.statistics else { return "no data" }
    return SVGText.statistics(statistics, digits: digits).map { "\($0.name) \($0.value)" }.joined(separator: ", ")
  }

  /// The CSS of charts and sparklines: by classes alone, for light and dark colours.
  package static let styles = """
    text { font: 13px system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; fill: #1f2328; \
    font-variant-numeric: tabular-nums }
    .title { font-size: 18px; font-weight: 600 }
    .quiet { fill: #59636e }
    .warning { fill: #9a6700 }
    .page { fill: #ffffff }
    .grid { stroke: #d8dee4; stroke-width: 1 }
    .zero { stroke: #8c959f }
    .stroke { fill: none; stroke-width: 2; stroke-linejoin: round; stroke-linecap: round }
    .rise { stroke: #1a7f37 } .fall { stroke: #cf222e }
    .rise-area { fill: #1a7f37; opacity: .12 } .fall-area { fill: #cf222e; opacity: .12 }
    .rise-tag { fill: #1a7f37 } .fall-tag { fill: #cf222e }
    .last { stroke-width: 1; stroke-dasharray: 2 4 }
    .tag { fill: #ffffff; font-weight: 600 }
    .up { stroke: #1a7f37; fill: #ffffff } .down { stroke: #cf222e; fill: #cf222e } .open { stroke-dasharray: 3 2 }
    .s0 { stroke: #0072b2 } .s1 { stroke: #c25400; stroke-dasharray: 8 5 } .s2 { stroke: #00805c; stroke-dasharray: 1 5 }
    .s3 { stroke: #a8527f; stroke-dasharray: 10 4 1 4 } .s4 { stroke: #6e7781; stroke-dasharray: 16 4 }
    .s5 { stroke: #8a6d00; stroke-dasharray: 4 4 }
    .t0 { fill: #0072b2 } .t1 { fill: #c25400 } .t2 { fill: #00805c } .t3 { fill: #a8527f } .t4 { fill: #6e7781 }
    .t5 { fill: #8a6d00 }
    @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 } .quiet { fill: #9198a1 } .warning { fill: #d29922 } .page { fill: #0d1117 }
    .grid { stroke: #2a313c } .zero { stroke: #656c76 } .rise { stroke: #3fb950 } .fall { stroke: #f85149 }
    .rise-area { fill: #3fb950 } .fall-area { fill: #f85149 } .rise-tag { fill: #238636 } .fall-tag { fill: #da3633 }
    .tag { fill: #ffffff }
    .up { stroke: #3fb950; fill: #0d1117 } .down { stroke: #f85149; fill: #f85149 }
    .s0 { stroke: #56b4e9 } .s1 { stroke: #e69f00 } .s2 { stroke: #2cc39b } .s3 { stroke: #d98cb3 }
    .s4 { stroke: #9198a1 } .s5 { stroke: #d4b106 }
    }
    """
}

extension Chart {
  /// The city of the time zone of the labels.
  var zoneName: String { zone.name.split(separator: "/").last.map { String($0.replacing("_", with: " ")) } ?? "" }

  /// The most candles of a picture, at least four units wide: in less, a body looks like its wick.
  static let candlesAtMost = 206

  /// Returns the texts of a picture.
  fileprivate func texts(digits: Int?, _ part: SVGChart.Part) -> SVGLayout.Texts {
    var pieces = (warning?.components(of: " · ") ?? []).map { SVGLayout.Piece(text: $0, kind: "warning") }
    pieces += subtitle.isEmpty ? [] : subtitle.components(of: " · ").map { SVGLayout.Piece(text: $0, kind: "quiet") }
    if part == .whole, let note = drawnNote { pieces.append(SVGLayout.Piece(text: note, kind: "quiet")) }
    return SVGLayout.Texts(
      title: title.components(of: " · "), subtitle: pieces, labels: scaleLabels(digits: digits) + [unit],
      zone: zoneName, items: footItems(digits: digits, part))
  }

  /// A sentence about candles that are wider than those of the source; nil for others.
  var drawnNote: String? {
    guard case .candles(let series, _) = content else { return nil }
    let width = CandleSlots(series, most: Self.candlesAtMost).width
    return width == series.width ? nil : "drawn as \(width.shortText) candles to fit"
  }

  /// Returns the labels of the price scale that decide its width.
  private func scaleLabels(digits: Int?) -> [String] {
    // No scale has labels with more digits than that of the largest number of labels.
    let ticks = extremes.map { PriceAxis(low: $0.low, high: $0.high, most: 8, unit: lines?.unit ?? .price).ticks }
    let last: [String] =
      if let (lines, unit) = lines {
        lines.compactMap { line in line.last(in: unit).map { unit.label($0, digits: digits) } }
      } else {
        [statistics.map { NumberFormat.price($0.endPrice, digits: digits) }].compactMap(\.self)
      }
    return (ticks ?? []).map(\.label) + last
  }

  /// Returns the texts below the picture: the numbers of one series, or the names of several.
  private func footItems(digits: Int?, _ part: SVGChart.Part) -> [SVGLayout.Item] {
    if let (lines, unit) = lines {
      return lines.enumerated().map { index, line in
        let last = line.last(in: unit).map { unit.label($0, digits: digits) } ?? "no data"
        return SVGLayout.Item(text: last, name: line.name.cut(to: 24), series: index)
      }
    }
    guard part == .whole, let statistics else { return [] }
    return SVGText.statistics(statistics, digits: digits).map {
      SVGLayout.Item(text: $0.value, name: $0.name, series: nil)
    }
  }
}
