import BitpalModel
import BitpalOutput
import BitpalProviders

/// What came of checking a provider: its file, each example, what has none, and what every provider must do.
struct ProviderCheckView: View {
  let output: ProviderCheckOutput
  private let specification: ProviderSpecification
  private let outcomes: [ExampleCheck.Outcome]
  private let conformance: ConformanceText

  init(_ specification: ProviderSpecification, examples: ExampledDialect?, conformance: ConformanceText) {
    let outcomes = examples.map { ExampleCheck($0).run() } ?? []
    self.conformance = conformance
    self.specification = specification
    self.outcomes = outcomes
    let asked = Set(outcomes.map(\.example.query.capability))
    let capabilities = examples?.dialect.descriptor.capabilities.subtracting(asked) ?? []
    let withoutExample = Capability.allCases.filter(capabilities.contains)
    output = ProviderCheckOutput(
      provider: specification.id, file: specification.file,
      examples: outcomes.map {
        ($0.example.place.place, $0.example.query.checkWords, $0.rows, $0.problem)
      },
      withoutExample: withoutExample.map(\.rawValue), rules: conformance.rules)
  }

  /// Whether anything was there to be checked: only those that have examples need some for that.
  var hasChecked: Bool { specification.examples == nil || !outcomes.isEmpty }

  /// Whether every example came out as it says, and no rule is broken.
  var isGood: Bool { outcomes.allSatisfy { $0.problem == nil } && conformance.isGood }

  func table(style: Style) -> String {
    var text = "\(specification.id): the file is in order\n"
    guard specification.examples != nil else { return text + conformance.text(style: style) }
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
  /// What an example asks, in a few words.
  fileprivate var checkWords: String {
    ([capability.rawValue] + coins + (currency.map { [$0] } ?? [])).joined(separator: " ")
  }
}
