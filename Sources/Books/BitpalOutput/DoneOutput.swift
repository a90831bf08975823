package import BitpalJSON

/// The shape `bitpal.done/1`: the confirmation of a command that changed or checked something.
///
///     DoneOutput("watchlist move", about: "bitcoin", ["place": 1, "count": 3])
package struct DoneOutput: FieldShape {
  private let command: String
  private let subject: String?
  private let facts: JSONObject

  /// Creates a confirmation.
  ///
  /// - Parameters:
  ///   - command: The name of the command.
  ///   - subject: The coin, portfolio, provider, folder or file that it was about; nil for several or none.
  ///   - facts: The further facts, by name: texts, counts, flags, null, and lists of texts.
  package init(
    _ command: String, about subject: String? = nil, _ facts: KeyValuePairs<String, any OutputValue> = [:]
  ) {
    self.command = command
    self.subject = subject
    self.facts = JSONObject(facts.map { ($0.key, $0.value.output) })
  }

  package static let shape = Shape<Self>(
    "bitpal.done/1", "The change that a command has made.",
    [
      Field("done", .text("The command.")) { $0.command },
      Field("subject", .text("The coin, portfolio, provider, folder or file; null for several or none.")) {
        $0.subject
      },
      Field("facts", .map(of: fact, "What else there is to know.")) { $0.facts },
    ])

  private static let fact = ValueSchema.either(
    .text("A name or a path.").orNull, .count("A number."), .flag("Whether it is so."),
    .list(.text("A name or a path."), "Several."), about: "A fact.")

  package var columns: [String] { ["done", "subject"] + facts.members.map(\.key) }

  package var rows: [JSONObject] {
    [["done": .string(command), "subject": subject.map(JSONValue.string) ?? .null] + facts]
  }
}
