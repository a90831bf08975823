package import BitpalJSON
package import BitpalModel

/// An answer in the form that programs read: one object with its schema, and the same as rows.
///
/// `docs/output.md` describes each of them. A key that is there stays and keeps its meaning for as long as the number of
/// the schema does; whoever serves answers (the tool, a server, an agent) serves these.
package protocol OutputShape: Sendable {
  /// Its name and version, and what it looks like.
  var schema: OutputSchema { get }

  /// What stands between `schema` and `errors`, in order.
  var members: JSONObject { get }

  /// What has no answer; empty unless a shape says otherwise.
  var errors: [OutputError] { get }

  /// The keys of a row, in order.
  var columns: [String] { get }

  /// The rows of the answer.
  var rows: [JSONObject] { get }
}

extension OutputShape {
  package var errors: [OutputError] { [] }

  /// The whole answer: its schema first, `errors` last and always there, so that a reader need not ask whether it is.
  package var json: JSONObject {
    ["schema": .string(schema.schema)] + members + ["errors": .array(errors.map { .object($0.json) })]
  }

  /// The whole answer over several lines, with a line end.
  package var jsonText: String { JSONValue.object(json).indented() }

  /// The whole answer in one line, with a line end.
  package var jsonLine: String { JSONValue.object(json).compact() + "\n" }

  /// A row a line, each with a line end.
  package var jsonLines: String { rows.map { JSONValue.object($0).compact() + "\n" }.joined() }

  /// A header line, then a line a row.
  package var csv: String { CSVText.text(columns: columns, rows: rows) }

  /// The rows as the value of a member.
  var rowsValue: JSONValue { .array(rows.map(JSONValue.object)) }
}

/// Something that has no answer, and why.
package struct OutputError: Equatable, Sendable {
  /// What the subject of an error is called in its row.
  package enum Subject: String, Sendable {
    case coin
    case date
    case provider
  }

  /// The error as it stands in `errors`.
  let json: JSONObject

  /// - Parameters:
  ///   - subject: What it is about, as it was named; nil when it is about everything.
  ///   - message: What is told; nil for the error's own description.
  package init(_ error: BitpalError, about subject: (kind: Subject, name: String)? = nil, message: String? = nil) {
    let about: JSONObject = subject.map { JSONObject([($0.kind.rawValue, .string($0.name))]) } ?? [:]
    json = about + Self.facts(error, message) + Self.causes(error)
  }

  private static func facts(_ error: BitpalError, _ message: String? = nil) -> JSONObject {
    ["code": .string(error.code.rawValue), "message": .string(message ?? error.description)]
  }

  /// Each provider's reason, where several were asked.
  private static func causes(_ error: BitpalError) -> JSONObject {
    guard case .allFailed(let causes) = error else { return [:] }
    return ["causes": .array(causes.map { .object(["provider": .string($0.provider)] + facts($0.error)) })]
  }
}

/// `bitpal.error/1`: that there is no answer at all.
///
/// Of a file every fault is an error of its own, so that an editor can show each in its place.
package struct ErrorOutput: OutputShape {
  private let error: BitpalError
  private let coin: String?
  private let hasHint: Bool

  /// - Parameters:
  ///   - coin: The coin that has no answer, when it is one of several.
  ///   - hasHint: Whether the message ends with the hint, which is often a command to type.
  package init(_ error: BitpalError, coin: String? = nil, hasHint: Bool = true) {
    self.error = error
    self.coin = coin
    self.hasHint = hasHint
  }

  package let schema = OutputSchema.error

  package var members: JSONObject { ["error": .object(whole.json)] }

  private var whole: OutputError {
    OutputError(error, about: coin.map { (.coin, $0) }, message: hasHint ? nil : error.message)
  }

  package var errors: [OutputError] {
    guard case .configuration(let issues) = error else { return [whole] }
    return issues.map { OutputError(error, message: $0.description) }
  }

  package var columns: [String] { ["code", "message"] }

  package var rows: [JSONObject] { errors.map(\.json) }
}

/// `bitpal.notice/1`: what is odd about an answer, or was done differently from what was asked.
package struct NoticeOutput: OutputShape {
  /// How much it matters.
  package enum Level: String, Sendable {
    case warning
    case note
  }

  private let level: Level
  private let message: String

  package init(_ level: Level, _ message: String) {
    self.level = level
    self.message = message
  }

  package let schema = OutputSchema.notice

  package var columns: [String] { ["level", "message"] }

  package var members: JSONObject { ["level": .string(level.rawValue), "message": .string(message)] }

  package var rows: [JSONObject] { [members] }
}

/// A few facts that are one row: what a command says that has changed something.
///
/// Each is made beside the shape it belongs to.
package struct FactsOutput: OutputShape {
  package let schema: OutputSchema
  package let members: JSONObject

  init(_ schema: OutputSchema, _ facts: JSONObject) {
    self.schema = schema
    members = facts
  }

  package var columns: [String] { members.members.map(\.key) }

  package var rows: [JSONObject] { [members] }
}

extension OutputSchema {
  package static let error = OutputSchema(
    "bitpal.error/1", "That there is no answer at all.",
    ["error": .problem])

  static let notice = OutputSchema(
    "bitpal.notice/1", "What is odd about an answer, or was done differently from what was asked.",
    [
      "level": .word(["warning", "note"], "How much it matters."), "message": .text("A sentence for people."),
    ])
}

extension ValueSchema {
  /// Something that has no answer, and why.
  static let problem: ValueSchema = .named(
    "problem",
    .object(
      [
        "coin": .text("The coin that it is about, as it was named.").orMissing,
        "date": .day("The day that it is about.").orMissing,
        "provider": .text("The provider that it is about.").orMissing,
      ] + reason + [
        "causes": .list(
          .object(["provider": .text("A provider that was asked.")] + reason),
          "Each provider's reason, where several were asked."
        ).orMissing
      ], "Something that has no answer, and why."))

  private static let reason: SchemaMembers = [
    "code": .named("error_code", .word(ErrorCode.allCases.map(\.rawValue), "Why, for programs.")),
    "message": .text("The same for people, with what to do."),
  ]
}

extension Array {
  /// At most `count` elements, evenly spread, the first and the last among them; for a count below 2 only the last.
  package func evenlyPicked(atMost count: Int) -> [Element] {
    guard self.count > count else { return self }
    guard count >= 2 else { return suffix(1) }
    let gaps = count - 1
    return (0...gaps).map { self[($0 * (self.count - 1) + gaps / 2) / gaps] }
  }
}

extension JSONValue {
  /// The name by which the coin of an id is asked for, so that what is printed can be given back.
  static func coin(_ id: String) -> JSONValue { .string(WellKnownCoins.name(ofID: id)) }
}
