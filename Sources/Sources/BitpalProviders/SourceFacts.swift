import BitpalJSON
import BitpalModel
import FoundationEssentials

/// The facts about a source in its provider file that change none of its answers.
package struct SourceFacts: Hashable, Sendable {
  /// The subjects of sources.
  package enum Category: String, CaseIterable, Sendable {
    case exchange, aggregator, shares, funds, metals, currencies

    /// The category that stands for all that price the same things: exchanges for coins, shares for funds too.
    package var subject: Category {
      switch self {
      case .exchange, .aggregator: .exchange
      case .shares, .funds: .shares
      case .metals, .currencies: self
      }
    }
  }

  /// The comparison of a file with real answers of its source.
  package struct Check: Hashable, Sendable {
    /// The day on which the answers were read: `2026-11-26`.
    package let day: String

    /// The operations whose answers were read, `unknown` for one about an unknown coin, `limit` for one about a budget.
    package let bodies: [String]

    /// The month of the answers where it is known: `2024-03`.
    package let month: String?

    /// Creates a comparison.
    package init(day: String, bodies: [String], month: String?) {
      self.day = day
      self.bodies = bodies
      self.month = month
    }
  }

  /// The subject; nil where the file does not say it.
  package var category: Category?

  /// The conditions of the source's public terms for the use of its data, on one line.
  package var terms: String?

  /// The comparison with real answers; nil where the file is made from documentation only.
  package var checked: Check?

  /// The provider whose prices the source republishes, or that was recorded; nil for prices of its own.
  package var republished: String?

  /// The keys of the facts in provider files.
  static let keys = ["category", "terms", "checked", "of"]

  /// Reads the facts that a file, or an override, states.
  mutating func read(_ file: ProviderFileReader) {
    if let value = file["category"]?.choice(of: Category.self) { category = value }
    if let value = file["terms"], let text = value.text("one line of text") {
      if text.contains(where: \.isNewline) { value.report("terms must be one line") } else { terms = text }
    }
    if let value = file["checked"] { checked = Check(value) }
    if let value = file["of"], let id = value.text("the id of a provider") {
      if let problem = ProviderID.problem(of: id) { value.report(problem) } else { republished = id }
    }
  }
}

extension SourceFacts.Check {
  /// Reads `{ on: 2026-11-26, bodies: [quotes], of: 2024-03 }`; nil, and a fault, for anything else.
  fileprivate init?(_ value: DeclaredValue) {
    let keys = value.mapping(keys: ["on", "bodies", "of"])
    guard let on = keys["on"], let bodies = keys["bodies"] else {
      value.report("checked must hold on and bodies, like { on: 2026-11-26, bodies: [quotes, unknown] }")
      return nil
    }
    guard let day = on.text("a day like 2026-11-26") else { return nil }
    guard day.utf8.count == 10, Date(utcText: day) != nil else {
      on.report("\(on.name) must be a day like 2026-11-26, not \"\(day.printable(limit: 60))\"")
      return nil
    }
    let names = Capability.allCases.map(\.rawValue) + ["unknown", "limit"]
    self.day = day
    self.bodies = bodies.items().compactMap { $0.choice(among: names) }
    month = keys["of"]?.text("a month like 2024-03")
    if let month, month.utf8.count != 7 || Date(utcText: month + "-01") == nil {
      keys["of"]?.report("\(value.name).of must be a month like 2024-03, not \"\(month.printable(limit: 60))\"")
    }
    if self.bodies.isEmpty {
      bodies.report("\(bodies.name) must name the answers that were read, of \(names.joined(separator: ", "))")
    }
  }
}
