import BitpalModel
import FoundationEssentials

/// The positions of the parts of a picture, in user units, which are pixels when nothing scales it.
///
/// Titles are above the plot, the price scale is right of it, as wide as its labels need; time and numbers are below.
/// Titles are wrapped, because the credit of a source must not be cut off. Where the height does not suffice, lines move
/// closer, names and then numbers are left out; a picture is never lower than its titles and a small plot.
struct SVGLayout {
  let width: Int

  /// The height: the one asked for, or the least that the titles need.
  let height: Int
  let left: Int
  let top: Int

  /// The right end of the plot, at which the price scale begins.
  let right: Int

  /// The bottom of the plot, at which the time scale begins.
  let bottom: Int

  /// The lines above the plot, each with its base line.
  let head: [(y: Int, pieces: [Piece])]

  /// The items below the time scale, by line.
  let foot: [[Item]]

  /// The least space between base lines of the foot, and the one above the first.
  private let spacing: Spacing

  /// A part of a line above the plot: a text and its class in the stylesheet.
  struct Piece: Equatable {
    let text: String
    let kind: String
  }

  /// An item of the foot: a text and its name.
  struct Item {
    let text: String

    /// The name before the text: of a number in a quiet colour, or of one of several lines.
    let name: String

    /// The index of the line that it describes; nil for none.
    let series: Int?

    /// The width with the space after it, in units.
    var width: Int {
      (series == nil ? 0 : 38) + SVGText.width(name + " " + text) + 20
    }

    /// Returns the item with a name of at most some characters.
    func named(atMost count: Int) -> Item { Item(text: text, name: name.cut(to: count), series: series) }
  }

  /// The distances between lines, in units.
  private struct Spacing {
    let title: Int
    let nextTitle: Int
    let subtitle: Int
    let next: Int
    let abovePlot: Int
    let aboveFoot: Int
    let footLine: Int
    let belowFoot: Int
    let leastPlot: Int

    static let wide = Spacing(
      title: 34, nextTitle: 24, subtitle: 22, next: 18, abovePlot: 28, aboveFoot: 60, footLine: 22, belowFoot: 28,
      leastPlot: 60)
    static let narrow = Spacing(
      title: 22, nextTitle: 20, subtitle: 18, next: 16, abovePlot: 26, aboveFoot: 44, footLine: 18, belowFoot: 10,
      leastPlot: 44)

    /// Returns the space below the plot for the time scale and some lines.
    func foot(_ lines: Int) -> Int { lines == 0 ? 32 : aboveFoot + footLine * (lines - 1) + belowFoot }
  }

  /// The texts that a layout places.
  struct Texts {
    /// The title in parts.
    let title: [String]

    /// The parts below the title: warnings, source, credit.
    let subtitle: [Piece]

    /// The labels of the price scale, including the bold ones.
    let labels: [String]

    /// The name of the time zone.
    let zone: String

    /// The items below the time scale.
    let items: [Item]
  }

  /// Creates a layout.
  ///
  /// - Parameters:
  ///   - part: The plot alone has no margins, no room for titles, and a price scale no wider than its labels.
  ///   - width: The width of the picture in units.
  ///   - height: The height of the picture in units.
  init(_ part: SVGChart.Part, width: Int, height: Int, _ texts: Texts) {
    let isWhole = part == .whole
    self.width = width
    left = isWhole ? (width < 480 ? 16 : 24) : 1
    let room = width - 2 * left
    // Nine units per character, which no digit of the bold face exceeds, a margin within the tag and one beside it.
    let widest = texts.labels.map(\.count).max() ?? 0
    let scale = max(isWhole ? (width < 480 ? 64 : 112) : 0, 24 + 9 * widest, 14 + min(60, SVGText.width(texts.zone)))
    // Longer numbers are squeezed, so that the plot keeps two fifths of the width.
    right = width - min(scale, width * 3 / 5)
    let title = Self.wrapped(texts.title.map { Piece(text: $0, kind: "title") }, room)
    let subtitle = Self.wrapped(texts.subtitle, room)
    let cut = [[Piece(text: SVGText.cut(texts.title.joined(separator: " · "), to: room, .title), kind: "title")]]
    func head(_ titles: [[Piece]], _ spacing: Spacing) -> [(y: Int, pieces: [Piece])] {
      guard isWhole else { return [] }
      var y = spacing.title - spacing.nextTitle
      var lines = titles.map { line in
        y += spacing.nextTitle
        return (y: y, pieces: line)
      }
      for (index, line) in subtitle.enumerated() {
        y += index == 0 ? spacing.subtitle : spacing.next
        lines.append((y, line))
      }
      return lines
    }
    func plotTop(_ head: [(y: Int, pieces: [Piece])], _ spacing: Spacing) -> Int {
      isWhole ? (head.last?.y ?? 0) + spacing.abovePlot : 24
    }
    let complete = Self.lines(texts.items, room)
    let short = Self.lines(texts.items.map { $0.series == nil ? $0 : $0.named(atMost: 8) }, room)
    var plans: [(titles: [[Piece]], foot: [[Item]], spacing: Spacing)] = [
      (title, complete, .wide), (title, complete, .narrow), (title, short, .narrow), (cut, short, .narrow),
    ]
    for count in (0..<short.count).reversed() { plans.append((cut, Array(short.prefix(count)), .narrow)) }
    func least(_ plan: (titles: [[Piece]], foot: [[Item]], spacing: Spacing)) -> Int {
      plotTop(head(plan.titles, plan.spacing), plan.spacing) + plan.spacing.leastPlot
        + plan.spacing.foot(plan.foot.count)
    }
    let plan = plans.first { least($0) <= height } ?? (cut, [], .narrow)
    self.head = head(plan.titles, plan.spacing)
    self.height = max(height, least(plan))
    top = plotTop(self.head, plan.spacing)
    foot = plan.foot
    spacing = plan.spacing
    bottom = self.height - plan.spacing.foot(plan.foot.count)
  }

  /// Returns texts in lines no wider than the room: broken between them, otherwise between words.
  private static func wrapped(_ pieces: [Piece], _ room: Int) -> [[Piece]] {
    var lines: [[Piece]] = []
    func width(_ line: [Piece]) -> Int {
      SVGText.width(line.map(\.text).joined(separator: " · "), line.first?.kind == "title" ? .title : .plain)
    }
    for piece in pieces {
      if let last = lines.last, width(last + [piece]) <= room {
        lines[lines.count - 1].append(piece)
        continue
      }
      let face: SVGText.Face = piece.kind == "title" ? .title : .plain
      lines += SVGText.lines(piece.text, to: room, face).map { [Piece(text: $0, kind: piece.kind)] }
    }
    return lines
  }

  /// Returns items in as few lines as can hold them.
  private static func lines(_ items: [Item], _ room: Int) -> [[Item]] {
    var lines: [[Item]] = []
    var taken = 0
    for item in items {
      if let last = lines.indices.last, taken + item.width - 20 <= room {
        lines[last].append(item)
        taken += item.width
      } else {
        lines.append([item])
        taken = item.width
      }
    }
    return lines
  }

  /// The number of characters of the quiet face for which the time scale has room.
  var columns: Int { max(6, (right - left) / 10) }

  /// The number of labels for which the price scale has room.
  var labels: Int { max(2, (bottom - top) / 50) }

  /// The units for a label of the price scale.
  var labelRoom: Int { width - right - 18 }

  /// The number of tags that fit beside the plot, one above the other.
  var tags: Int { (bottom - top) / SVGLayout.tagSpacing + 1 }

  /// The least distance between two tags, which are 20 units high.
  static let tagSpacing = 22

  /// Returns the base line of a line of the foot.
  func footLine(_ index: Int) -> Int { bottom + spacing.aboveFoot + spacing.footLine * index }

  /// Returns the vertical position of a value.
  func y(_ value: Decimal, _ axis: PriceAxis) -> Double {
    Double(top) + (1 - axis.position(value)) * Double(bottom - top)
  }

  /// Returns the horizontal position of an instant.
  func x(_ instant: Date, _ axis: TimeAxis) -> Double {
    Double(left) + axis.position(instant) * Double(right - left)
  }
}

/// The width of text, and the conversion of text and numbers for SVG.
enum SVGText {
  /// A face of the stylesheet.
  enum Face {
    /// 13 units high.
    case plain

    /// 18 units high and bold.
    case title
  }

  /// Returns an upper bound of the width of a text, in units.
  ///
  /// Text cannot be measured here, so letters have the widths of DejaVu Sans, which is wider than other system fonts.
  static func width(_ text: String, _ face: Face = .plain) -> Int {
    let hundredths = text.unicodeScalars.reduce(0) { $0 + width(of: $1) }
    return (hundredths * (face == .title ? 18 * 112 / 100 : 13) + 99) / 100
  }

  /// The width of a letter in hundredths of its height.
  private static func width(of scalar: Unicode.Scalar) -> Int {
    switch scalar {
    case " ", ".", ",", ":", ";", "'", "|", "!", "i", "j", "l", "I", "·", "(", ")", "[", "]", "-", "/", "t", "f", "r":
      42
    case "m", "w", "M", "W", "@", "%", "…", "—": 100
    case "+", "=", "<", ">", "&", "A"..."Z": 84
    case "\u{0}"..."\u{7F}": 65
    case "\u{80}"..."\u{24F}": 80
    case "\u{300}"..."\u{36F}": 0
    case "\u{1F000}"..."\u{1FFFF}": 140
    default: 100
    }
  }

  /// Returns the attribute that squeezes a text into some units; empty where it is narrow enough.
  static func squeezed(_ width: Int, to room: Int) -> String {
    width <= room ? "" : " textLength=\"\(max(1, room))\" lengthAdjust=\"spacingAndGlyphs\""
  }

  /// Returns the text cut to a width in units, with `…` at its end then.
  static func cut(_ text: String, to room: Int, _ face: Face = .plain) -> String {
    var count = text.count
    while count > 1, width(text.cut(to: count), face) > room { count -= 1 }
    return text.cut(to: count)
  }

  /// Returns the text in lines no wider than a width in units, broken between words and within a longer word.
  static func lines(_ text: String, to room: Int, _ face: Face = .plain) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ", omittingEmptySubsequences: true) {
      var rest = line.isEmpty ? String(word) : line + " " + word
      if width(rest, face) > room, !line.isEmpty {
        lines.append(line)
        rest = String(word)
      }
      while width(rest, face) > room, rest.count > 1 {
        var count = rest.count - 1
        while count > 1, width(String(rest.prefix(count)), face) > room { count -= 1 }
        lines.append(String(rest.prefix(count)))
        rest = String(rest.dropFirst(count))
      }
      line = rest
    }
    return line.isEmpty ? lines : lines + [line]
  }

  /// Returns the text without control characters, and with the reserved characters of XML as entities.
  static func escaped(_ text: String) -> String {
    XMLText.escaped(text.printable(limit: 400), quotes: true)
  }

  /// Returns a coordinate with at most one decimal.
  static func number(_ value: Double) -> String {
    // A tenth of a unit is invisible on a screen; more digits would only enlarge the file.
    guard value.isFinite, abs(value) < 1_000_000 else { return "0" }
    let tenths = Int((value * 10).rounded())
    let sign = tenths < 0 ? "-" : ""
    let (whole, rest) = (abs(tenths) / 10, abs(tenths) % 10)
    return rest == 0 ? "\(sign)\(whole)" : "\(sign)\(whole).\(rest)"
  }

  /// Returns the statistics of a chart with their names.
  static func statistics(_ statistics: ChartStatistics, digits: Int?) -> [(name: String, value: String)] {
    func price(_ value: Decimal) -> String { NumberFormat.price(value, digits: digits) }
    return [
      ("open", price(statistics.startPrice)), ("high", price(statistics.periodHigh)),
      ("low", price(statistics.periodLow)), ("close", price(statistics.endPrice)),
      (
        "change",
        NumberFormat.priceChange(statistics.priceChange, digits: digits)
          + (statistics.percentageChange.map { " (" + NumberFormat.finePercent($0) + ")" } ?? "")
      ),
    ]
  }
}
