import BitpalGuess
import BitpalJSON
import BitpalModel

/// What was found in a sample, how surely, and what came of it.
struct ProviderNewView: View {
  private let guess: ProviderGuess
  private let id: String
  private let file: String
  private let coin: String
  private let problem: String?

  /// - Parameter problem: What the file's own check says; nil when all is well.
  init(_ guess: ProviderGuess, id: String, file: String, coin: String, problem: String?) {
    self.guess = guess
    self.id = id
    self.file = file
    self.coin = coin
    self.problem = problem
  }

  /// Whether the new file passes its check.
  var isGood: Bool { problem == nil }

  var columns: [String] { ["field", "source", "sure", "why"] }

  var rows: [JSONObject] {
    guess.columns.map { column in
      [
        "field": .string(column.field), "source": .string(column.source),
        "sure": .string(column.confidence.rawValue), "why": .string(column.why),
      ]
    }
  }

  var json: JSONObject {
    [
      "schema": "bitpal.provider_new/1", "provider": .string(id), "file": .string(file),
      "capability": .string(guess.capability.rawValue), "fields": .array(rows.map(JSONValue.object)),
      "notes": .array(guess.notes.map(JSONValue.string)), "ok": .bool(isGood), "problem": JSONValue(problem),
      "errors": [],
    ]
  }

  func table(style: Style) -> String {
    var text = "wrote \(file): \(guess.capability.rawValue)\n"
    var table = TextTable([.init("FIELD"), .init("WHERE", widest: 80), .init("SURE"), .init("WHY", widest: 200)])
    for column in guess.columns {
      table.add([
        .init(column.field), .init(column.source), .init(column.confidence.rawValue), .init(column.why, .quiet),
      ])
    }
    text += table.text(style: style)
    for note in guess.notes { text += "look at it: \(note)\n" }
    if let problem { return text + "its example does not come out yet: \(problem)\n" }
    let verb = guess.capability == .quotes ? "price" : "chart"
    return text + "its example comes out right; try  bitpal \(verb) \(coin) -p \(id)\n"
  }
}
