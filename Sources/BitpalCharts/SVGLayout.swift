import BitpalModel
import FoundationEssentials

/// Where the parts of a page stand, in user units, which are pixels where nothing scales it.
///
/// Titles stand above the plot, the price scale right of it, as wide as its labels need; time and numbers below, in as
/// many lines as they need. A text cannot be measured here, so letters are taken for wider than they are.
struct SVGLayout {
  let width: Int
  let height: Int
  let left: Int
  let top: Int

  /// Where the plot ends and the price scale begins.
  let right: Int

  /// Where the plot ends and the time scale begins.
  let bottom: Int

  /// What stands below the time scale, by line.
  let foot: [[Item]]

  /// A part of the foot: its text, and what stands before it.
  struct Item {
    let text: String

    /// Quiet, before the text; empty for none.
    let name: String

    /// Which line it is about; nil for none.
    let series: Int?

    /// What it takes with the room after it.
    var width: Int {
      (series == nil ? 0 : 38) + SVGLayout.textWidth(name + " " + text) + 20
    }
  }

  /// - Parameters:
  ///   - part: The plot alone has no margins, no room for titles, and a price scale no wider than its labels.
  ///   - labels: Those of the price scale, the bold ones among them.
  ///   - items: What stands below the time scale.
  init(_ part: SVGChart.Part, width: Int, height: Int, labels: [String], items: [Item]) {
    self.width = width
    self.height = height
    left = part == .whole ? 24 : 1
    top = part == .whole ? 84 : 24
    // Nine units a character, which no digit of the bold face exceeds, a margin within the tag and one beside it.
    let widest = labels.map(\.count).max() ?? 0
    right = max(left + 40, width - (part == .whole ? max(112, 24 + 9 * widest) : 18 + 9 * widest))
    var lines: [[Item]] = []
    var taken = 0
    for item in items {
      if let last = lines.indices.last, taken + item.width <= width - 2 * left {
        lines[last].append(item)
        taken += item.width
      } else {
        lines.append([item])
        taken = item.width
      }
    }
    foot = lines
    let footHeight = part == .plot && lines.isEmpty ? 32 : 66 + SVGLayout.lineHeight * max(1, lines.count)
    bottom = max(top + 60, height - footHeight)
  }

  static let lineHeight = 22

  /// How many units a text takes at the most.
  static func textWidth(_ text: String) -> Int { (text.count * 15 + 1) / 2 }

  /// How many characters of the quiet face the time scale has room for.
  var columns: Int { max(6, (right - left) / 10) }

  /// How many labels the price scale has room for.
  var labels: Int { max(2, (bottom - top) / 50) }

  /// The base line of a line of the foot.
  func footLine(_ index: Int) -> Int { bottom + 60 + SVGLayout.lineHeight * index }

  /// The vertical place of a value.
  func y(_ value: Decimal, _ axis: PriceAxis) -> Double {
    Double(top) + (1 - axis.position(value)) * Double(bottom - top)
  }

  /// The horizontal place of an instant.
  func x(_ instant: Date, _ axis: TimeAxis) -> Double {
    Double(left) + axis.position(instant) * Double(right - left)
  }
}
