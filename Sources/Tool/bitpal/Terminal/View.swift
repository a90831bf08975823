import BitpalModel
import BitpalOutput
import BitpalProviders

/// A view for people of an answer that programs get as ``output``.
protocol View: Sendable {
  associatedtype Shape: OutputShape

  /// The answer for programs.
  var output: Shape { get }

  /// Returns the answer for people, with a line end.
  func table(style: Style) -> String
}

extension View {
  /// Returns the answer in a format, with a line end.
  func text(_ format: OutputFormat, style: Style) -> String {
    switch format {
    case .table: table(style: style)
    case .json: output.jsonText
    case .jsonl: output.jsonLines
    case .csv: output.csv
    }
  }
}

/// A sentence for people that carries facts for programs.
struct FactView: View {
  /// The sentence for people.
  let sentence: String
  let output: DoneOutput

  init(_ sentence: String, _ facts: DoneOutput) {
    self.sentence = sentence
    output = facts
  }

  func table(style: Style) -> String { sentence.printable() + "\n" }
}

extension Provenance {
  /// Returns the line about the sources of an answer: `fixture · recorded 2025-01-15 10:30Z · simulated market`.
  ///
  /// In a narrow terminal it is broken into several lines.
  ///
  /// - Parameter providers: The configured providers; a note of a provider replaces the time of fetching.
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
