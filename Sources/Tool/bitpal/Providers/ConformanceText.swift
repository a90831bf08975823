import BitpalConformance
import BitpalOutput

/// The report on the rules that a provider keeps or breaks.
struct ConformanceText {
  private let results: [ConformanceResult]

  init(_ results: [ConformanceResult]) {
    self.results = results
  }

  /// Whether the provider breaks no rule.
  var isGood: Bool {
    !results.contains(where: \.isBroken)
  }

  /// The results of the rules in the form of the output.
  var rules: [ProviderCheckOutput.Rule] {
    results.map { result in
      let isKept: Bool? = result.isSkipped ? nil : !result.isBroken
      return (
        result.rule.rawValue, isKept, Self.word(for: result), result.detail, result.rule.demand, result.rule.reason
      )
    }
  }

  /// Returns one line per rule; a broken rule is followed by its demand and the reason for it.
  func text(style: Style) -> String {
    var table = TextTable([.init(""), .init("RULE"), .init("", widest: 200, wraps: true)])
    for result in results {
      let word = Self.word(for: result)
      table.add([
        .init(word, result.isBroken ? .bad : nil), .init(result.rule.rawValue), .init(result.detail ?? "", .quiet),
      ])
      if result.isBroken {
        table.add(["", "", .init("rule: " + result.rule.demand)])
        table.add(["", "", .init("why: " + result.rule.reason)])
      }
    }
    let broken = results.filter(\.isBroken).count
    let skipped = results.filter(\.isSkipped).count
    let count = "\(results.count) rules"
    return table.text(style: style) + (broken == 0 ? "\(count), none broken" : "\(broken) of \(count) broken")
      + (skipped == 0 ? "\n" : ", \(skipped) skipped\n")
  }

  private static func word(for result: ConformanceResult) -> String {
    switch result.outcome {
    case .passed: "ok"
    case .failed: "FAILED"
    case .skipped: "skipped"
    }
  }
}
