package import BitpalJSON
package import BitpalModel
package import FoundationEssentials

/// An answer in the form for programs: one object with its schema, and the same data as rows.
///
/// `docs/output.md` describes each shape. An existing key remains and keeps its meaning for as long as the version of
/// the schema does; the tool, the server and the agent interface all use these shapes.
package protocol OutputShape: Sendable {
  /// The name, version and structure of the shape.
  var schema: OutputSchema { get }

  /// The members between `schema` and `errors`, in order.
  var members: JSONObject { get }

  /// The subjects without an answer; empty unless a shape overrides it.
  var errors: [OutputError] { get }

  /// The keys of a row, in order.
  var columns: [String] { get }

  /// The rows of the answer.
  var rows: [JSONObject] { get }

  /// The one number that answers the question, with all its digits; nil unless a shape overrides it.
  var figure: Decimal? { get }
}

extension OutputShape {
  package var errors: [OutputError] { [] }
  package var figure: Decimal? { nil }

  /// The whole answer: its schema first, `errors` last and always present, so that readers need no special case.
  package var json: JSONObject {
    ["schema": .string(schema.schema)] + members + ["errors": .array(errors.map { .object($0.json) })]
  }

  /// The whole answer over several lines, with a line end.
  package var jsonText: String { JSONValue.object(json).indented() }

  /// The whole answer in one line, with a line end.
  package var jsonLine: String { JSONValue.object(json).compact() + "\n" }

  /// The rows as JSON, one per line, each with a line end.
  package var jsonLines: String { rows.map { JSONValue.object($0).compact() + "\n" }.joined() }

  /// The rows as CSV: a header line, then one line per row.
  package var csv: String { CSVText.text(columns: columns, rows: rows) }

  /// The rows as CSV for spreadsheets, which take an empty cell for zero: a price or a value that is missing is `#N/A`.
  package var sheet: String {
    let figures: Set = ["price", "value", "result"]
    return CSVText.text(
      columns: columns,
      rows: rows.map { row in
        JSONObject(
          columns.map { key in
            let value = row[key] ?? .null
            return (key, value == .null && figures.contains(key) ? "#N/A" : value)
          })
      })
  }

  /// The figure alone, without a line end, or the rows in aligned columns.
  package var plainText: String { figure?.plainText ?? CSVText.aligned(columns: columns, rows: rows) }
}

/// A subject without an answer, and the reason.
package struct OutputError: Sendable {
  /// The key of the subject in the row of an error.
  package enum Subject: String, Sendable {
    case coin
    case date
    case provider
  }

  private let error: BitpalError
  private let subject: (kind: Subject, name: String)?
  private let message: String?
  private let isOverHTTP: Bool

  /// Creates an error.
  ///
  /// - Parameters:
  ///   - subject: The kind of the subject, and its name as the user gave it; nil for an error about everything.
  ///   - message: The message; nil for the error's own description.
  ///   - isOverHTTP: Whether commands and options of the command line are left out of messages.
  package init(
    _ error: BitpalError, about subject: (kind: Subject, name: String)? = nil, message: String? = nil,
    isOverHTTP: Bool = false
  ) {
    self.error = error
    self.subject = subject
    self.message = message
    self.isOverHTTP = isOverHTTP
  }

  /// The error as an element of `errors`.
  var json: JSONObject { Self.fields.object(self) }

  /// The schema of a subject without an answer, and the reason.
  static let schema: ValueSchema = .named(
    "problem", .object(fields.schema, "Something that has no answer, and why."))

  private static let fields: Fields<OutputError> =
    [
      Field("coin", .text("The coin that it is about, as it was named.").orMissing) { $0.name(of: .coin) },
      Field("date", .day("The day that it is about.").orMissing) { $0.name(of: .date) },
      Field("provider", .text("The provider that it is about.").orMissing) { $0.name(of: .provider) },
    ] + reason.of { ($0.error, $0.message, $0.isOverHTTP) } + [
      Field(
        "causes",
        .list(.object(causeFields.schema), "Each provider's reason, where several were asked.").orMissing
      ) { failure -> [JSONObject]? in
        guard case .allFailed(let causes) = failure.error else { return nil }
        return causeFields.objects(causes.decisiveOnes.map { ($0, failure.isOverHTTP) })
      },
      Field("agreement", .agreement.orMissing) { failure -> JSONObject? in
        guard case .sourcesDisagree(_, let agreement) = failure.error else { return nil }
        return Agreement.fields.object(agreement)
      },
    ]

  private static let causeFields: Fields<(cause: ProviderFailure, isOverHTTP: Bool)> =
    [Field("provider", .text("A provider that was asked.")) { $0.cause.provider }]
    + reason.of { ($0.cause.error, nil, $0.isOverHTTP) }

  private static let reason: Fields<(error: BitpalError, message: String?, isOverHTTP: Bool)> = [
    Field("code", .named("error_code", .word(ErrorCode.allCases.map(\.rawValue), "Why, for programs."))) {
      $0.error.code.rawValue
    },
    Field("message", .text("The same for people, with what to do.")) {
      $0.message ?? ($0.isOverHTTP ? $0.error.messageOverHTTP : $0.error.description)
    },
  ]

  private func name(of kind: Subject) -> String? { subject?.kind == kind ? subject?.name : nil }
}

/// The shape `bitpal.error/1`: a failure without any answer.
///
/// Each fault of a file is an error of its own, so that an editor can show it at its place.
package struct ErrorOutput: FieldShape {
  private let error: BitpalError
  private let coin: String?
  private let isOverHTTP: Bool

  /// Creates the shape.
  ///
  /// - Parameters:
  ///   - coin: The coin without an answer, when it is one of several.
  ///   - isOverHTTP: Whether commands and options of the command line are left out of the message.
  package init(_ error: BitpalError, coin: String? = nil, isOverHTTP: Bool = false) {
    self.error = error
    self.coin = coin
    self.isOverHTTP = isOverHTTP
  }

  package static let shape = Shape<Self>(
    "bitpal.error/1", "An error without any answer.", [Field("error", OutputError.schema) { $0.whole.json }])

  private var whole: OutputError {
    OutputError(error, about: coin.map { (.coin, $0) }, isOverHTTP: isOverHTTP)
  }

  package var errors: [OutputError] {
    guard case .configuration(let issues) = error else { return [whole] }
    return issues.map { OutputError(error, message: $0.description) }
  }

  package var columns: [String] { ["code", "message"] }

  package var rows: [JSONObject] { errors.map(\.json) }
}

/// The shape `bitpal.notice/1`: a remark on an answer, or on a deviation from the request.
package struct NoticeOutput: FieldShape {
  /// The importance of the remark.
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

  package static let shape = Shape<Self>(
    "bitpal.notice/1", "A warning about an answer, or a difference from what was asked.",
    [
      Field("level", .word(["warning", "note"], "The severity.")) { $0.level.rawValue },
      Field("message", .text("A sentence for people.")) { $0.message },
    ])
}

extension Array {
  /// Returns at most `count` elements, evenly spread, including the first and the last; for a count below 2 only the
  /// last.
  package func evenlyPicked(atMost count: Int) -> [Element] {
    guard self.count > count else { return self }
    guard count >= 2 else { return suffix(1) }
    let gaps = count - 1
    return (0...gaps).map { self[($0 * (self.count - 1) + gaps / 2) / gaps] }
  }
}

extension JSONValue {
  /// Returns the name that stands for the coin of an id, so that printed names can be used as input.
  static func coin(_ id: String) -> JSONValue { .string(WellKnownCoins.name(ofID: id)) }
}
