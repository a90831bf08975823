import Bitpal
import BitpalConfig
import BitpalFiles
import BitpalModel
import BitpalProviders
import FoundationEssentials

/// The page `docs/sources.md`, with the sources that come with bitpal, made from their files.
struct SourcesPage {
  private let sources: [(descriptor: ProviderDescriptor, file: ProviderSpecification)]

  /// Reads the files inside the program.
  init() {
    let environment = Environment(variables: [:], currentDirectory: "/")
    let settings = Settings(asking: ProviderSpecification.builtInCoinGecko.id, in: nil, environment: environment)
    sources = Assembly(settings: settings, environment: environment, sharesBudgets: false).providers().compactMap {
      guard let descriptor = $0.descriptor, let file = $0.specification, file.needsNetwork else { return nil }
      return (descriptor, file)
    }
  }

  var text: String {
    let sections = (SourceFacts.Category.allCases.map(Optional.init) + [nil]).map { category in
      let rows = sources.filter { $0.file.facts.category == category }.map { row($0.descriptor, $0.file) + "\n" }
      let name = category?.rawValue.capitalized ?? "Others"
      let title = name.hasSuffix("s") ? name : name + "s"
      return rows.isEmpty ? "" : "\n## \(title)\n\n\(Self.header)\n" + rows.joined()
    }
    return """
      # Sources

      The sources that come with bitpal: \(sources.count), of which \(sources.count { $0.file.facts.checked != nil }) were held against real answers. This page is made from
      their files by `make docs-cli`; `bitpal providers list` shows those on your machine, `bitpal providers find btc eur` who has a coin,
      and [providers.md](providers.md) how another one is added.

      * **Series**: the widths of candles, or the spacing of a line, and the most rows of an answer. Older rows than the "latest" cannot
        be asked for; any other source is asked several times, at most 24 for one chart.
      * **Budget**: the most requests, by the source's documentation, or ours where none was found (the file says so); `30/1m` is 30 in a minute. With a key some sources allow more.
      * **Days**: whose days its daily rows are.
      * **Checked**: the day on which real answers were read, and of what: an operation, an unknown coin, a limit. In parentheses the
        month that the answers are from. The other files are made from documentation only.
      * **Terms**: what was found in public terms, in short. Read them before you pass data on; the source's own text counts.
      \(sections.joined())
      """
  }

  private static let header =
    "| source | answers | series | currencies | budget | key | days | checked | terms |\n"
    + "| --- | --- | --- | --- | --- | --- | --- | --- | --- |"

  private func row(_ descriptor: ProviderDescriptor, _ file: ProviderSpecification) -> String {
    let (name, facts, currencies) = (MarkdownText.cell(descriptor.name), file.facts, descriptor.currencies)
    let answers = Capability.allCases.filter(descriptor.capabilities.contains).map { capability in
      capability.rawValue.replacing("_", with: " ")
        + (capability == .quotes && file.declared?.operations[.quotes]?.hasVolume == true ? " with volume" : "")
    }
    let checked = facts.checked.map {
      "\($0.day): \($0.bodies.joined(separator: ", ").replacing("_", with: " "))" + ($0.month.map { " (\($0))" } ?? "")
    }
    let link = file.website.map { "[\(name)](\($0))" } ?? name
    let origin = facts.republished.map { ", prices of `\($0)`" } ?? ""
    let more = currencies.count > 6 ? " +\(currencies.count - 6)" : ""
    let cells: [String] = [
      "`\(descriptor.id)` \(link)\(origin)", answers.joined(separator: ", "), series(descriptor, file),
      currencies.isEmpty ? "any" : currencies.prefix(6).joined(separator: " ") + more,
      file.budgets.map { "\($0)" }.joined(separator: ", "), file.keyEnvironment.map { "`\($0)`" } ?? "–", days(file),
      checked ?? "documentation only", MarkdownText.cell(facts.terms ?? "–"),
    ]
    return "| " + cells.joined(separator: " | ") + " |"
  }

  private func series(_ descriptor: ProviderDescriptor, _ file: ProviderSpecification) -> String {
    func span(_ widths: [Duration]) -> String? {
      guard let first = widths.first, let last = widths.last else { return nil }
      return first == last ? first.unitText : "\(first.unitText) to \(last.unitText)"
    }
    let parts = [Capability.candles, .line].compactMap { capability -> String? in
      guard let operation = file.declared?.operations[capability] else { return nil }
      let isLatest = if case .latest? = descriptor.reach[capability]?.cause { true } else { false }
      let limit = operation.limit.map { isLatest ? "the latest \($0)" : "\($0) rows" }
      let facts = [span(operation.intervals.map(\.width)), limit].compactMap(\.self)
      return capability.rawValue + (facts.isEmpty ? "" : " \(facts.joined(separator: ", "))")
    }
    let other = span(descriptor.candleWidths).map { "candles \($0)" } ?? "–"
    return parts.isEmpty ? other : parts.joined(separator: "; ")
  }

  private func days(_ file: ProviderSpecification) -> String {
    let operations = [Capability.candles, .line].compactMap { file.declared?.operations[$0] }
    switch operations.lazy.compactMap(\.days).first {
    case .zone(let zone)?: return MarkdownText.cell(zone.text)
    case .source?: return "by the answer"
    case nil where operations.isEmpty: return "–"
    // A share or a currency has a price of a date, and what trades at every hour one of a day in UTC.
    case nil: return [.exchange, .aggregator].contains(file.facts.category) ? "UTC" : "its own dates"
    }
  }
}
