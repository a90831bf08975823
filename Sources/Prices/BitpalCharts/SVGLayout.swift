import BitpalModel
import FoundationEssentials

/// The positions of the parts of a picture, in user units, which are pixels when nothing scales it.
///
/// Titles are above the plot, the price scale is right of it, as wide as its labels need; time and numbers are below,
/// in as many lines as they need. Text cannot be measured here, so letters are assumed to be wider than they are.
struct SVGLayout {
  let width: Int
  let height: Int
  let left: Int
  let top: Int

  /// The right end of the plot, at which the price scale begins.
  let right: Int

  /// The bottom of the plot, at which the time scale begins.
  let bottom: Int

  /// The items below the time scale, by line.
  let foot: [[Item]]

  /// An item of the foot: a text and its name.
  struct Item {
    let text: String

    /// The name before the text, in a quiet colour; empty for none.
    let name: String

    /// The index of the line that it describes; nil for none.
    let series: Int?

    /// The width with the space after it, in units.
    var width: Int {
      (series == nil ? 0 : 38) + SVGLayout.textWidth(name + " " + text) + 20
    }
  }

  /// Creates a layout.
  ///
  /// - Parameters:
  ///   - part: The plot alone has no margins, no room for titles, and a price scale no wider than its labels.
  ///   - width: The width of the picture in units.
  ///   - height: The height of the picture in units.
  ///   - labels: The labels of the price scale, including the bold ones.
  ///   - items: The items below the time scale.
  init(_ part: SVGChart.Part, width: Int, height: Int, labels: [String], items: [Item]) {
    self.width = width
    self.height = height
    left = part == .whole ? 24 : 1
    top = part == .whole ? 84 : 24
    // Nine units per character, which no digit of the bold face exceeds, a margin within the tag and one beside it.
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

  /// Returns an upper bound of the width of a text: 7.5 units per character.
  static func textWidth(_ text: String) -> Int { (text.count * 15 + 1) / 2 }

  /// The number of characters of the quiet face for which the time scale has room.
  var columns: Int { max(6, (right - left) / 10) }

  /// The number of labels for which the price scale has room.
  var labels: Int { max(2, (bottom - top) / 50) }

  /// Returns the base line of a line of the foot.
  func footLine(_ index: Int) -> Int { bottom + 60 + SVGLayout.lineHeight * index }

  /// Returns the vertical position of a value.
  func y(_ value: Decimal, _ axis: PriceAxis) -> Double {
    Double(top) + (1 - axis.position(value)) * Double(bottom - top)
  }

  /// Returns the horizontal position of an instant.
  func x(_ instant: Date, _ axis: TimeAxis) -> Double {
    Double(left) + axis.position(instant) * Double(right - left)
  }
}
