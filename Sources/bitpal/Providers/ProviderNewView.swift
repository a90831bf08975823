import BitpalGuess
import BitpalModel
import BitpalOutput

/// The guessed columns of a sample, with the certainty of each and the result of a first check.
struct ProviderNewView: View {
  let output: ProviderNewOutput
  private let coin: String
  private let capability: Capability

  /// - Parameter problem: The first problem that the check of the file finds; nil when there is none.
  init(_ guess: ProviderGuess, id: String, file: String, coin: String, problem: String?) {
    output = ProviderNewOutput(
      provider: id, file: file, capability: guess.capability.rawValue,
      fields: guess.columns.map { ($0.field, $0.source, $0.confidence.rawValue, $0.why) },
      candidates: guess.candidates.map { ($0.field, $0.source, $0.why) }, notes: guess.notes, problem: problem)
    self.coin = coin
    capability = guess.capability
  }

  /// Whether the new file passes its check.
  var isGood: Bool { output.problem == nil }

  func table(style: Style) -> String {
    var text = "wrote \(output.file): \(output.capability)\n"
    var table = TextTable([
      .init("FIELD"), .init("WHERE", widest: 80, narrowest: 16), .init("SURE"), .init("WHY", widest: 200, wraps: true),
    ])
    for field in output.fields {
      table.add([.init(field.name), .init(field.source), .init(field.sure), .init(field.why, .quiet)])
    }
    text += table.text(style: style)
    for candidate in output.candidates {
      text += "or else the \(candidate.name) is \(candidate.source): \(candidate.why)".printable() + "\n"
    }
    for note in output.notes { text += "look at it: \(note)\n" }
    if let problem = output.problem { return text + "its example does not come out yet: \(problem)\n" }
    let command =
      "\(capability == .quotes ? "price" : "chart") \(coin)\(capability == .candles ? " --type candle" : "")"
    return text + "its example comes out right; try  bitpal \(command) -p \(output.provider)\n"
  }
}
