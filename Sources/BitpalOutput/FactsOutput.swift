package import BitpalJSON

/// A few facts that are one row: what a command says that has changed something.
///
/// Each is made beside the shape it belongs to.
package struct FactsOutput: OutputShape {
  package let schema: String
  package let members: JSONObject

  init(_ schema: String, _ facts: JSONObject) {
    self.schema = schema
    members = facts
  }

  package var columns: [String] { members.members.map(\.key) }

  package var rows: [JSONObject] { [members] }
}
