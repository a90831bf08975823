import BitpalModel
import BitpalOutput
import BitpalProviders

/// An answer as people read it, around the same answer as programs do.
protocol View: Sendable {
  associatedtype Shape: OutputShape

  /// The answer for programs.
  var output: Shape { get }

  /// For people, with a line end.
  func table(style: Style) -> String
}

extension View {
  /// The answer in a form, with a line end.
  func text(_ format: OutputFormat, style: Style) -> String {
    switch format {
    case .table: table(style: style)
    case .json: output.jsonText
    case .jsonl: output.jsonLines
    case .csv: output.csv
    }
  }
}

/// A sentence for people that is a few facts for programs.
struct FactView: View {
  /// What people read.
  let sentence: String
  let output: FactsOutput

  init(_ sentence: String, _ facts: FactsOutput) {
    self.sentence = sentence
    output = facts
  }

  func table(style: Style) -> String { sentence.printable() + "\n" }
}

extension Provenance {
  /// One line about the sources of an answer: `fixture · recorded 2025-01-15 10:30Z · simulated market`; several where
  /// the terminal is narrower.
  ///
  /// - Parameter providers: The configured ones; a note of the source's stands for the time of fetching.
  static func line(_ parts: [Provenance], providers: [ProviderDescriptor], style: Style) -> String {
    let width = style.width ?? .max
    let whole = sources(parts, providers: providers, zone: style.zone)
    var lines: [String] = whole.displayWidth <= width ? [whole] : []
    for piece in lines.isEmpty ? whole.split(separator: " · ") : [] {
      if let last = lines.last, last.displayWidth + 3 + String(piece).displayWidth <= width {
        lines[lines.count - 1] = last + " · " + piece
      } else {
        lines.append(String(piece))
      }
    }
    let text = lines.map { style($0, .quiet) }.joined(separator: "\n")
    guard let stale = staleText(parts) else { return text }
    let hasRoom = (lines.last?.displayWidth ?? 0) + 3 + stale.displayWidth <= width
    return text + (hasRoom ? style(" · ", .quiet) : "\n") + style(stale, .warning)
  }
}
