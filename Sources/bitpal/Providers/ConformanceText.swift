import BitpalOutput
import BitpalProviders

/// The report card of a provider.
struct ConformanceText {
  private let results: [ConformanceResult]

  init(_ results: [ConformanceResult]) {
    self.results = results
  }

  /// Whether no rule is broken.
  var isGood: Bool {
    results.allSatisfy { if case .failed = $0.outcome { false } else { true } }
  }

  /// The rules as the output shows them.
  var rules: [ProviderCheckOutput.Rule] {
    results.map { result in
      let (word, detail) = Self.words(result.outcome)
      let isKept: Bool? = if case .skipped = result.outcome { nil } else { result.outcome == .passed }
      return (result.rule.rawValue, isKept, word, detail, result.rule.demand, result.rule.reason)
    }
  }

  /// A line for each rule; below a broken one what it demands and why.
  func text(style: Style) -> String {
    var table = TextTable([.init(""), .init("RULE"), .init("", widest: 200)])
    for result in results {
      let (word, detail) = Self.words(result.outcome)
      let isBroken = word == "FAILED"
      table.add([.init(word, isBroken ? .bad : nil), .init(result.rule.rawValue), .init(detail ?? "", .quiet)])
      if isBroken {
        table.add(["", "", .init("rule: " + result.rule.demand)])
        table.add(["", "", .init("why: " + result.rule.reason)])
      }
    }
    let broken = rules.count { $0.isKept == false }
    let skipped = rules.count { $0.isKept == nil }
    let count = "\(results.count) rules"
    return table.text(style: style) + (broken == 0 ? "\(count), none broken" : "\(broken) of \(count) broken")
      + (skipped == 0 ? "\n" : ", \(skipped) skipped\n")
  }

  private static func words(_ outcome: ConformanceResult.Outcome) -> (String, String?) {
    switch outcome {
    case .passed: ("ok", nil)
    case .failed(let problem): ("FAILED", problem)
    case .skipped(let reason): ("skipped", reason)
    }
  }
}
