import BitpalJSON
import BitpalModel
import BitpalOutput

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
