import BitpalJSON
import BitpalModel
import BitpalProviders

/// What came of checking a provider: its file, each example, what has none, and what every provider must do.
struct ProviderCheckView: View {
  private let specification: ProviderSpecification
  private let outcomes: [ExampleCheck.Outcome]
  private let conformance: ConformanceText

  init(
    _ specification: ProviderSpecification, outcomes: [ExampleCheck.Outcome], conformance: ConformanceText
  ) {
    self.conformance = conformance
    self.specification = specification
    self.outcomes = outcomes
  }

  /// Whether every example came out as it says, and no rule is broken.
  var isGood: Bool { outcomes.allSatisfy { $0.problem == nil } && conformance.isGood }

  var columns: [String] { ["example", "ask", "ok", "rows", "problem", "rule"] }

  /// The examples, then the rules; `ok` is null where a rule could not be tried.
  var rows: [JSONObject] {
    examples.map { $0 + ["rule": .null] } + conformance.checks.map { ["example": .null, "ask": .null] + $0 }
  }

  private var examples: [JSONObject] {
    outcomes.map { outcome in
      [
        "example": .string(outcome.example.place.place), "ask": .string(outcome.example.query.checkWords),
        "ok": .bool(outcome.problem == nil), "rows": .integer(outcome.rows), "problem": JSONValue(outcome.problem),
      ]
    }
  }

  var json: JSONObject {
    [
      "schema": "bitpal.provider_check/1", "provider": .string(specification.id), "file": JSONValue(specification.file),
      "examples": .array(examples.map(JSONValue.object)),
      "without_example": .array(withoutExample.map { .string($0.rawValue) }),
      "conformance": .array(conformance.rows.map(JSONValue.object)), "errors": [],
    ]
  }

  func table(style: Style) -> String {
    var text = "\(specification.id): the file is in order\n"
    guard specification.declared != nil else { return text + conformance.text(style: style) }
    var table = TextTable([.init(""), .init("EXAMPLE", widest: 200), .init("ASKS", widest: 80), .init("", widest: 200)])
    for outcome in outcomes {
      table.add([
        outcome.problem == nil ? "ok" : "FAILED", .init(outcome.example.place.place, .quiet),
        .init(outcome.example.query.checkWords), .init(result(of: outcome)),
      ])
    }
    if !outcomes.isEmpty { text += table.text(style: style) }
    let failed = outcomes.filter { $0.problem != nil }.count
    text += failed == 0 ? "\(count(outcomes.count)) ok\n" : "\(failed) of \(count(outcomes.count)) failed\n"
    if !withoutExample.isEmpty {
      text += "without an example: " + withoutExample.map(\.rawValue).joined(separator: ", ") + "\n"
    }
    return text + conformance.text(style: style)
  }

  private var withoutExample: [Capability] {
    let asked = Set(outcomes.map(\.example.query.capability))
    return Capability.allCases.filter { specification.declared?.operations[$0] != nil && !asked.contains($0) }
  }

  private func count(_ count: Int) -> String { "\(count) example\(count == 1 ? "" : "s")" }

  private func result(of outcome: ExampleCheck.Outcome) -> String {
    if let problem = outcome.problem { return problem }
    if case .failure(let code) = outcome.example.expectation { return "fails as it should: \(code.rawValue)" }
    return "\(outcome.rows) row\(outcome.rows == 1 ? "" : "s")"
  }
}

extension ProviderQuery {
  /// What an example asks, in a few words.
  fileprivate var checkWords: String {
    ([capability.rawValue] + coins + (currency.map { [$0] } ?? [])).joined(separator: " ")
  }
}
