import BitpalJSON
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

  /// A row for each rule.
  var rows: [JSONObject] {
    results.map { result in
      let (word, detail) = Self.words(result.outcome)
      return [
        "rule": .string(result.rule.rawValue), "outcome": .string(word), "detail": JSONValue(detail),
        "demand": .string(result.rule.demand), "reason": .string(result.rule.reason),
      ]
    }
  }

  /// Each rule as a row beside examples: whether it is kept, null where it could not be tried, and what is wrong or why.
  var checks: [JSONObject] {
    results.map { result in
      let (word, detail) = Self.words(result.outcome)
      return [
        "ok": word == "skipped" ? .null : .bool(word == "ok"), "rows": .null, "problem": JSONValue(detail),
        "rule": .string(result.rule.rawValue),
      ]
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
    let broken = rows.filter { $0["outcome"] == "FAILED" }.count
    let skipped = rows.filter { $0["outcome"] == "skipped" }.count
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
