import BitpalConformance
import BitpalJSON

/// The report card of a provider.
struct ConformanceText {
  private let results: [ConformanceResult]

  init(_ results: [ConformanceResult]) {
    self.results = results
  }

  /// Whether no rule is broken.
  var isGood: Bool {
    !results.contains(where: \.isBroken)
  }

  /// A row for each rule.
  var rows: [JSONObject] {
    results.map { result in
      [
        "rule": .string(result.rule.rawValue), "outcome": .string(Self.word(for: result)),
        "detail": JSONValue(result.detail), "demand": .string(result.rule.demand),
        "reason": .string(result.rule.reason),
      ]
    }
  }

  /// Each rule as a row beside examples: whether it is kept, null where it could not be tried, and what is wrong or why.
  var checks: [JSONObject] {
    results.map { result in
      [
        "ok": result.isSkipped ? .null : .bool(!result.isBroken), "rows": .null, "problem": JSONValue(result.detail),
        "rule": .string(result.rule.rawValue),
      ]
    }
  }

  /// A line for each rule; below a broken one what it demands and why.
  func text(style: Style) -> String {
    var table = TextTable([.init(""), .init("RULE"), .init("", widest: 200)])
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
