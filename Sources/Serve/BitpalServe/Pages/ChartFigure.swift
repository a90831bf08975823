import BitpalCharts
import BitpalModel

/// A chart on a page: it is drawn in three sizes, of which the stylesheet shows the one that fits, with the texts for
/// the pointer.
enum ChartFigure {
  /// The sizes for a phone, a tablet and a desktop, so that text keeps a readable size.
  private static let sizes: [(name: StaticString, width: Int, height: Int)] = [
    ("narrow", 400, 300), ("medium", 640, 340), ("wide", 960, 380),
  ]

  /// Returns the drawings of a chart.
  ///
  /// - Parameter range: The range as titles name it. The rest of the title is read with the drawing, and would be heard
  ///   twice.
  static func html(_ chart: Chart, over range: String) -> HTML {
    let drawings = sizes.map { size in
      (name: size.name, drawing: SVGChart(chart, width: size.width, height: size.height, part: .plot))
    }
    let words = drawings.last?.drawing.marks.map { mark in
      [mark.text.time, mark.text.value].map { $0.replacingScalars { "|;".unicodeScalars.contains($0) ? " " : nil } }
        .joined(
          separator: "|")
    }
    return .element(
      .figure,
      [
        .class("plot"), .text(.tabindex, "0"),
        .text(.ariaLabel, "Chart, \(range): Shift and the arrow keys read its points"),
        .text(.dataMarks, words?.joined(separator: ";") ?? ""),
      ]
    ) {
      for (name, drawing) in drawings {
        HTML.element(.div, [.class("\(name)"), .text(.dataPlaces, drawing.marks.map(\.place).joined(separator: " "))]) {
          HTML(drawing.drawing(name))
        }
      }
      HTML.element(.span, [.class("line"), .flag(.hidden)])
      HTML.element(.output, [.class("tip"), .flag(.hidden)])
    }
  }
}

/// The links to the ranges; the arrow keys lead to the neighbours of the current one.
enum ChoiceOfRange {
  static func html(_ ranges: [ChartTimeRange], current: String, _ path: (String) -> PagePath) -> HTML {
    let place = ranges.firstIndex { $0.name.lowercased() == current.lowercased() }
    return .element(.nav, [.class("choices"), .text(.ariaLabel, "Range")]) {
      for (index, range) in ranges.enumerated() {
        let key = place.flatMap { index == $0 - 1 ? "ArrowLeft" : index == $0 + 1 ? "ArrowRight" : nil }
        HTML.element(
          .a,
          [
            // What is seen goes first in what is heard, so that it can be spoken to.
            .href(path(range.name)), .text(.ariaLabel, "\(range.name), \(range.spelledOut)"),
            index == place ? .text(.ariaCurrent, "true") : nil,
            key.map { Attribute.text(.ariaKeys, $0) },
          ]
        ) { range.name }
      }
    }
  }
}
