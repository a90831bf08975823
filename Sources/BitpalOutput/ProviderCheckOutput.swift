package import BitpalJSON

/// The shape `bitpal.provider_check/1`: the results of a provider's examples and of the conformance rules.
package struct ProviderCheckOutput: OutputShape {
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

  package let schema = OutputSchema.providerCheck

  package var columns: [String] { ["example", "ask", "ok", "rows", "problem", "rule"] }

  /// The examples, then the rules; `ok` is null where a rule could not be checked.
  package var rows: [JSONObject] {
    examples.map { Self.row($0) + ["rule": .null] }
      + rules.map { rule in
        [
          "example": .null, "ask": .null, "ok": rule.isKept.map(JSONValue.bool) ?? .null, "rows": .null,
          "problem": JSONValue(rule.detail), "rule": .string(rule.name),
        ]
      }
  }

  package var members: JSONObject {
    [
      "provider": .string(provider), "file": JSONValue(file),
      "examples": .array(examples.map { .object(Self.row($0)) }),
      "without_example": .array(withoutExample.map(JSONValue.string)),
      "conformance": .array(
        rules.map { rule in
          [
            "rule": .string(rule.name), "outcome": .string(rule.outcome), "detail": JSONValue(rule.detail),
            "demand": .string(rule.demand), "reason": .string(rule.reason),
          ]
        }),
    ]
  }

  private static func row(_ example: Example) -> JSONObject {
    [
      "example": .string(example.name), "ask": .string(example.ask), "ok": .bool(example.problem == nil),
      "rows": .integer(example.rows), "problem": JSONValue(example.problem),
    ]
  }
}

/// The shape `bitpal.provider_new/1`: the fields found in a sample, with the certainty of each, and the result of a
/// first check.
package struct ProviderNewOutput: OutputShape {
  /// A field of ours: its source in the answer, its certainty and the reason.
  package typealias Field = (name: String, source: String, sure: String, why: String)

  /// The id of the new provider.
  package let provider: String

  /// The path of its file, in the form in which a user would type it.
  package let file: String

  /// The operation that the sample answers: quotes, a line, candles.
  package let capability: String
  package let fields: [Field]

  /// The alternatives for an uncertain field, the most likely first.
  package let candidates: [(name: String, source: String, why: String)]

  /// The notes that the user should check, one sentence each.
  package let notes: [String]

  /// The problem that the check of the new file found; nil for none.
  package let problem: String?

  package init(
    provider: String, file: String, capability: String, fields: [Field],
    candidates: [(name: String, source: String, why: String)], notes: [String], problem: String?
  ) {
    self.provider = provider
    self.file = file
    self.capability = capability
    self.fields = fields
    self.candidates = candidates
    self.notes = notes
    self.problem = problem
  }

  package let schema = OutputSchema.providerNew

  package var columns: [String] { ["field", "source", "sure", "why"] }

  package var rows: [JSONObject] {
    fields.map {
      ["field": .string($0.name), "source": .string($0.source), "sure": .string($0.sure), "why": .string($0.why)]
    }
  }

  package var members: JSONObject {
    [
      "provider": .string(provider), "file": .string(file), "capability": .string(capability), "fields": rowsValue,
      "candidates": .array(
        candidates.map { ["field": .string($0.name), "source": .string($0.source), "why": .string($0.why)] }),
      "notes": .array(notes.map(JSONValue.string)), "ok": .bool(problem == nil), "problem": JSONValue(problem),
    ]
  }
}

extension FactsOutput {
  /// Returns the shape `bitpal.plugin_new/1`: the files of a new plugin, and the problem that its own examples show.
  package static func pluginBegun(provider: String, file: String, program: String, problem: String?) -> FactsOutput {
    FactsOutput(
      .pluginNew,
      [
        "provider": .string(provider), "file": .string(file), "program": .string(program), "ok": .bool(problem == nil),
        "problem": JSONValue(problem),
      ])
  }
}

extension OutputSchema {
  static let providerNew = OutputSchema(
    "bitpal.provider_new/1", "The provider file that was guessed from a sample, and its check.",
    [
      "provider": .text("The id of the new provider."), "file": .text("The file that describes it."),
      "capability": .text("The operation that the sample answers."),
      "fields": .list(
        .object([
          "field": .text("A field of ours."), "source": .text("The path in the sample."),
          "sure": .text("The confidence."), "why": .text("The reason."),
        ]), "The columns that were found."),
      "candidates": .list(
        .object([
          "field": .text("A field of ours."), "source": .text("A possible path in the sample."),
          "why": .text("The reason."),
        ]), "Alternatives for a field that is not certain, the most likely first."),
      "notes": .list(.text("A sentence."), "The points that a person should check."),
    ] + verdict)

  static let pluginNew = OutputSchema(
    "bitpal.plugin_new/1", "That a plugin was begun.",
    [
      "provider": .text("The id of the new provider."), "file": .text("The file that describes it."),
      "program": .text("The program."),
    ] + verdict)

  private static let verdict: SchemaMembers = [
    "ok": .flag("Whether the file passes its own check."), "problem": .text("The reason why it does not.").orNull,
  ]

  static let providerCheck = OutputSchema(
    "bitpal.provider_check/1", "The result of checking a provider.",
    [
      "provider": .text("Its id."), "file": .text("The file that describes it.").orNull,
      "examples": .list(
        .object([
          "example": .text("The file and the line."), "ask": .text("The question."),
          "ok": .flag("Whether it came out as it says."), "rows": .count("The number of rows."),
          "problem": .text("The reason why it did not.").orNull,
        ]), "Its examples."),
      "without_example": .list(.text("A kind of question."), "The operations without an example."),
      "conformance": .list(
        .object([
          "rule": .text("The name of a rule."),
          "outcome": .word(["ok", "FAILED", "skipped"], "Whether it is kept, or could not be tried."),
          "detail": .text("The observation, or the reason why it could not be tried.").orNull,
          "demand": .text("The demand of the rule."), "reason": .text("The reason."),
        ]), "The rules for every provider."),
    ])
}
