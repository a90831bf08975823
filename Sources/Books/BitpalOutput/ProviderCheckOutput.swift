package import BitpalJSON

/// The shape `bitpal.provider_check/1`: the results of a provider's examples and of the conformance rules.
package struct ProviderCheckOutput: FieldShape {
  /// The result of one of the file's examples.
  ///
  /// - Parameters:
  ///   - name: Its place in the file.
  ///   - ask: Its question, in a few words.
  ///   - rows: The number of rows that it gave.
  ///   - problem: The difference from its expectation; nil when there is none.
  package typealias Example = (name: String, ask: String, rows: Int, problem: String?)

  /// A conformance rule and its result.
  ///
  /// - Parameters:
  ///   - isKept: Nil where the rule could not be checked.
  ///   - detail: The observation, or the reason why the rule could not be checked.
  package typealias Rule = (
    name: String, isKept: Bool?, outcome: String, detail: String?, demand: String, reason: String
  )

  package let examples: [Example]
  package let rules: [Rule]

  /// The capabilities of the file without an example.
  package let withoutExample: [String]
  private let provider: String
  private let file: String?

  package init(provider: String, file: String?, examples: [Example], withoutExample: [String], rules: [Rule]) {
    self.provider = provider
    self.file = file
    self.examples = examples
    self.withoutExample = withoutExample
    self.rules = rules
  }

  package static let shape = Shape<Self>(
    "bitpal.provider_check/1", "The result of checking a provider.",
    [
      Field("provider", .text("Its id.")) { $0.provider },
      Field("file", .text("The file that describes it.")) { $0.file },
      .list("examples", "Its examples.", exampleFields) { $0.examples },
      Field("without_example", .list(.text("A kind of question."), "The operations without an example.")) {
        $0.withoutExample
      },
      .list("conformance", "The rules for every provider.", ruleFields) { $0.rules },
    ])

  private static let exampleFields: Fields<Example> = [
    Field("example", .text("The file and the line.")) { $0.name },
    Field("ask", .text("The question.")) { $0.ask },
    Field("ok", .flag("Whether it came out as it says.")) { $0.problem == nil },
    Field("rows", .count("The number of rows.")) { $0.rows },
    Field("problem", .text("The reason why it did not.")) { $0.problem },
  ]

  private static let ruleFields: Fields<Rule> = [
    Field("rule", .text("The name of a rule.")) { $0.name },
    Field("outcome", .word(["ok", "FAILED", "skipped"], "Whether it is kept, or could not be tried.")) { $0.outcome },
    Field("detail", .text("The observation, or the reason why it could not be tried.")) { $0.detail },
    Field("demand", .text("The demand of the rule.")) { $0.demand },
    Field("reason", .text("The reason.")) { $0.reason },
  ]

  package var columns: [String] { Self.exampleFields.keys + ["rule"] }

  /// The examples, then the rules; `ok` is null where a rule could not be checked.
  package var rows: [JSONObject] {
    Self.exampleFields.objects(examples).map { $0 + ["rule": .null] }
      + rules.map { rule in
        [
          "example": .null, "ask": .null, "ok": rule.isKept.output, "rows": .null, "problem": JSONValue(rule.detail),
          "rule": .string(rule.name),
        ]
      }
  }
}
