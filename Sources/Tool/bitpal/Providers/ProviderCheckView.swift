import BitpalModel
import BitpalOutput
import BitpalProviders

/// The results of a check of a provider: its file, each example, the operations without one, and the conformance rules.
struct ProviderCheckView: View {
  let output: ProviderCheckOutput
  private let specification: ProviderSpecification
  private let outcomes: [ExampleCheck.Outcome]
  private let conformance: ConformanceText

  init(_ specification: ProviderSpecification, examples: DialectWithExamples?, conformance: ConformanceText) {
    let outcomes = examples.map { ExampleCheck($0).run() } ?? []
    self.conformance = conformance
    self.specification = specification
    self.outcomes = outcomes
    var asked = Set(outcomes.map(\.example.query.capability))
    // Quotes of a line are shown by the examples of lines.
    if asked.contains(.line), examples?.dialect.descriptor.quotesLine != nil { asked.insert(.quotes) }
    let capabilities = examples?.dialect.descriptor.capabilities.subtracting(asked) ?? []
    let withoutExample = Capability.allCases.filter(capabilities.contains)
    output = ProviderCheckOutput(
      provider: specification.id, file: specification.file,
      examples: outcomes.map {
        ($0.example.place.place, $0.example.query.checkWords, $0.rows, $0.problem)
      },
      withoutExample: withoutExample.map(\.rawValue), rules: conformance.rules)
  }

  /// Whether anything was checked; a provider of a kind that takes examples needs at least one for that.
  var hasChecked: Bool { specification.kind.examples == nil || !outcomes.isEmpty }

  /// Whether every example gave the result that it states, and no rule is broken.
  var isGood: Bool { outcomes.allSatisfy { $0.problem == nil } && conformance.isGood }

  func table(style: Style) -> String {
    var text = "\(specification.id): the file is in order\n"
    guard specification.kind.examples != nil else { return text + conformance.text(style: style) }
    var table = TextTable([
      .init(""), .init("EXAMPLE", widest: 200, narrowest: 12), .init("ASKS", widest: 80, narrowest: 12),
      .init("", widest: 200, wraps: true),
    ])
    for (outcome, example) in zip(outcomes, output.examples) {
      table.add([
        outcome.problem == nil ? "ok" : "FAILED", .init(example.name, .quiet), .init(example.ask),
        .init(result(of: outcome)),
      ])
    }
    guard hasChecked || !conformance.isGood else {
      return text
        + "nothing was checked: it has no examples; see docs/providers.md, or let \"bitpal providers new\" make one\n"
    }
    if !outcomes.isEmpty { text += table.text(style: style) }
    let failed = outcomes.filter { $0.problem != nil }.count
    text += failed == 0 ? "\(count(outcomes.count)) ok\n" : "\(failed) of \(count(outcomes.count)) failed\n"
    if !output.withoutExample.isEmpty {
      text += "without an example: " + output.withoutExample.joined(separator: ", ") + "\n"
    }
    return text + conformance.text(style: style)
  }

  private func count(_ count: Int) -> String { "\(count) example\(count == 1 ? "" : "s")" }

  private func result(of outcome: ExampleCheck.Outcome) -> String {
    if let problem = outcome.problem { return problem }
    if case .failure(let code) = outcome.example.expectation { return "fails as it should: \(code.rawValue)" }
    return "\(outcome.rows) row\(outcome.rows == 1 ? "" : "s")"
  }
}

extension ProviderQuery {
  /// The question of an example in a few words: the capability, the coins and the currency.
  fileprivate var checkWords: String {
    ([capability.rawValue] + coins + (currency.map { [$0] } ?? [])).joined(separator: " ")
  }
}

/// The results of a check of all providers, with a line for each.
struct ProviderChecksView: View {
  let output: ProviderChecksOutput

  func table(style: Style) -> String {
    var table = TextTable([
      .init(""), .init("PROVIDER"), .init("EXAMPLES", .right), .init("", widest: 400, wraps: true),
    ])
    for row in output.rowSubjects {
      let problem = ProviderChecksOutput.problem(of: row)
      let examples = (try? row.result.get())?.examples.count ?? 0
      table.add([
        problem == nil ? "ok" : .init("FAILED", .bad), .init(row.provider), .init("\(examples)"),
        .init(problem ?? "", .quiet),
      ])
    }
    let failed = output.rowSubjects.count { ProviderChecksOutput.problem(of: $0) != nil }
    let count = "\(output.rowSubjects.count) providers"
    return table.text(style: style) + (failed == 0 ? "\(count) ok\n" : "\(failed) of \(count) failed\n")
  }
}
