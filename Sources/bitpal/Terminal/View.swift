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
  /// One line about the sources of an answer: `fixture · recorded 2025-01-15 10:30Z · simulated market`.
  ///
  /// - Parameter providers: The configured ones; a note of the source's stands for the time of fetching.
  static func line(_ parts: [Provenance], providers: [ProviderDescriptor], style: Style) -> String {
    let line = style(sources(parts, providers: providers), .quiet)
    guard let stale = staleText(parts) else { return line }
    return line + style(" · ", .quiet) + style(stale, .warning)
  }
}
