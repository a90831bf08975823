import BitpalJSON
import BitpalModel

/// A sentence for people that is a few facts for programs.
struct FactView: View {
  /// What people read.
  let sentence: String
  private let schema: String
  private let facts: JSONObject

  init(_ sentence: String, schema: String, facts: JSONObject) {
    self.sentence = sentence
    self.schema = schema
    self.facts = facts
  }

  var columns: [String] { facts.members.map(\.key) }

  var rows: [JSONObject] { [facts] }

  var json: JSONObject { ["schema": .string(schema)] + facts + ["errors": []] }

  func table(style: Style) -> String { sentence.printable() + "\n" }
}
