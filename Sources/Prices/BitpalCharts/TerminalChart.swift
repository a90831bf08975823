import BitpalModel
import FoundationEssentials

/// A chart in characters, for terminals and for pasting into a text.
///
/// The price scale is on the right, beside the latest price, and marks it. Rises and falls differ in shape as well as
/// in colour, compared lines in their dashes.
public struct TerminalChart: Sendable {
  let chart: Chart
  let options: TerminalOptions
  let glyphs: TerminalGlyphs

  /// The decimals of the figures; nil for the usual format.
  let digits: Int?

  /// Creates the drawing.
  public init(_ chart: Chart, options: TerminalOptions = TerminalOptions()) {
    self.chart = chart
    self.options = options
    glyphs = .of(options)
    digits = chart.digits(options.digits)
  }

  /// Returns the lines from the top, none wider than the options' width.
  public func lines() -> [String] {
    let lines = titles + [StyledText()] + plot + [StyledText()] + legend
    return lines.map { $0.rendered(color: options.color) }.map { options.ascii ? $0.asciiOnly : $0 }
  }

  /// The rows of the plot.
  private var plot: [StyledText] {
    switch chart.content {
    case .line(let points) where !points.isEmpty: linePlot(points)
    case .candles(let series, let isLastOpen) where !series.candles.isEmpty: candlePlot(series, isLastOpen: isLastOpen)
    case .comparison, .amounts: severalLines ?? nothing
    default: nothing
    }
  }

  private var nothing: [StyledText] { [StyledText("no data", .quiet)] }

  private var titles: [StyledText] {
    var lines = [StyledText(chart.title.cut(to: options.width), .heading)]
    lines += wrapped(
      (chart.subtitle.isEmpty ? [] : chart.subtitle.components(of: " · ").map { StyledText($0, .quiet) })
        + (chart.warning?.components(of: " · ").map { StyledText($0, .warning) } ?? []), separator: " · ")
    return lines
  }

  private var legend: [StyledText] {
    switch chart.content {
    case .line: return wrapped(statistics, separator: "  ")
    case .comparison, .amounts: return wrapped(names, separator: "   ")
    case .candles(_, let isLastOpen):
      var items = statistics
      if !items.isEmpty {
        var shapes = StyledText(options.ascii ? "o" : "▒", .rise)
        shapes.append(" up ")
        shapes.append(options.ascii ? "#" : "█", .fall)
        shapes.append(" down")
        items.append(shapes)
      }
      if isLastOpen { items.append(StyledText("\(glyphs.openMark) still open", .quiet)) }
      return wrapped(items, separator: "  ")
    }
  }

  /// The names of several lines, each with its last value.
  private var names: [StyledText] {
    guard let (lines, unit) = chart.lines else { return [] }
    return lines.enumerated().map { index, line in
      let last = line.last(in: unit)
      let text = last.map { unit.label($0, digits: digits) } ?? "no data"
      var item = StyledText(glyphs.series[index % glyphs.series.count] + " ", .series(index))
      item.append(line.name.cut(to: max(4, options.width - text.count - 5)))
      item.append(" ")
      item.append(text, unit == .price ? nil : Role.change(text))
      return item
    }
  }

  private var statistics: [StyledText] {
    guard let statistics = chart.statistics else { return [] }
    let numbers = [
      ("open", statistics.startPrice), ("high", statistics.periodHigh), ("low", statistics.periodLow),
      ("close", statistics.endPrice),
    ]
    var items = numbers.map { name, value -> StyledText in
      var item = StyledText(name + " ", .quiet)
      item.append(NumberFormat.price(value, digits: digits))
      return item
    }
    let change = NumberFormat.priceChange(statistics.priceChange, digits: digits)
    let percent = statistics.percentageChange.map { NumberFormat.finePercent($0) }
    let direction = Role.change(change) ?? percent.flatMap(Role.change)
    // Without colour the sign alone would be overlooked.
    let arrow = direction.map { $0 == .rise ? glyphs.rise : glyphs.fall } ?? ""
    items.append(StyledText(arrow + change + (percent.map { " (\($0))" } ?? ""), direction))
    return items
  }

  /// Returns the items in as few lines as can hold them.
  private func wrapped(_ items: [StyledText], separator: String) -> [StyledText] {
    var lines: [StyledText] = []
    for item in items {
      if var last = lines.last, last.width + separator.count + item.width <= options.width {
        last.append(separator, .quiet)
        last.append(item)
        lines[lines.count - 1] = last
      } else if item.width <= options.width {
        lines.append(item)
      } else {
        lines += item.pieces.map(\.text).joined().wrapped(to: options.width).map {
          StyledText($0, item.pieces.first?.role)
        }
      }
    }
    return lines
  }
}

extension String {
  /// Returns the text in lines of at most `width` characters, broken between words and within a longer word.
  fileprivate func wrapped(to width: Int) -> [String] {
    var lines: [String] = []
    for word in split(separator: " ") {
      if let last = lines.last, last.count + 1 + word.count <= width {
        lines[lines.count - 1] += " " + word
      } else {
        var rest = word
        while !rest.isEmpty {
          lines.append(String(rest.prefix(width)))
          rest = rest.dropFirst(width)
        }
      }
    }
    return lines
  }

  func components(of separator: String) -> [String] {
    var parts: [String] = []
    var rest = self[...]
    while let range = rest.firstRange(of: separator) {
      parts.append(String(rest[..<range.lowerBound]))
      rest = rest[range.upperBound...]
    }
    return parts + [String(rest)]
  }

  /// The text with `-` for a middle dot, `~` for an ellipsis and `?` for any other character beyond ASCII; escape
  /// sequences remain.
  fileprivate var asciiOnly: String {
    String(map { $0.isASCII ? $0 : $0 == "·" ? "-" : $0 == "…" ? "~" : "?" })
  }
}

/// The options for drawing a chart in characters.
public struct TerminalOptions: Hashable, Sendable {
  /// The available columns, clamped to 20 to 300.
  public let width: Int

  /// The rows of the plot itself, without titles and scales, clamped to 3 to 100.
  public let height: Int

  /// Whether colours may be used; colour is never the only distinction.
  public let color: Bool

  /// Whether only ASCII may be used.
  public let ascii: Bool

  /// The decimals of prices; nil for as many as distinguish them.
  ///
  /// The decimals of scales depend on their steps.
  public let digits: Int?

  /// Creates options.
  public init(width: Int = 80, height: Int = 16, color: Bool = false, ascii: Bool = false, digits: Int? = nil) {
    self.width = min(300, max(20, width))
    self.height = min(100, max(3, height))
    self.color = color
    self.ascii = ascii
    self.digits = digits
  }
}

/// The characters of scales and legends.
struct TerminalGlyphs {
  let axis: Character
  let axisTick: Character
  let last: Character
  let base: Character
  let baseTick: Character
  let corner: Character
  let rise: String
  let fall: String
  let openMark: Character
  let series: [String]

  static func of(_ options: TerminalOptions) -> TerminalGlyphs { options.ascii ? ascii : unicode }

  private static let unicode = TerminalGlyphs(
    axis: "│", axisTick: "├", last: "◄", base: "─", baseTick: "┬", corner: "┘", rise: "▲ ", fall: "▼ ", openMark: "○",
    series: ["──", "╌╌", "┈┈", "─·", "─ ", "··"])

  private static let ascii = TerminalGlyphs(
    axis: "|", axisTick: "+", last: "<", base: "-", baseTick: "+", corner: "+", rise: "", fall: "", openMark: "^",
    series: ["**", "oo", "xx", "++", "##", "@@"])
}
