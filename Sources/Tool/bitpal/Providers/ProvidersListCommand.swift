import Bitpal
import BitpalConfig
import BitpalModel
import BitpalOutput
import BitpalProviders
import BitpalQueries

/// The `bitpal providers list` command, which lists the providers and their capabilities.
struct ProvidersListCommand: Command {
  static let name = "providers list"
  static let spec = CommandSpec(
    name, "the providers and their capabilities",
    options: [
      ParameterSpec("category", .choice(SourceFacts.Category.allCases.map(\.rawValue)), "only those about this")
    ],
    details: [
      "They are sorted by category: exchanges, aggregators, shares, funds, metals, currencies. A provider file that cannot be read is named on stderr; the others are listed. A plugin of settings that are "
        + "not trusted is not started, so its capabilities are unknown."
    ],
    examples: [
      .init("providers list", "one line each"),
      .init("providers list --category exchange", "the exchanges"),
      .init("providers list --format json", "the same for a program"),
    ])

  private let category: SourceFacts.Category?

  init(_ arguments: Invocation.Arguments) {
    category = arguments.raw["category"].flatMap(SourceFacts.Category.init(rawValue:))
  }

  func run(_ session: Session) throws -> ExitStatus {
    let settings = try session.settings()
    let assembly = session.assembly(settings)
    let providers = (assembly.providers().filter { !$0.isShadowed } + assembly.withheldPlugins()).filter {
      category == nil || $0.problem != nil || $0.specification?.facts.category == category
    }.sorted { ($0.categoryOrder, $0.id) < ($1.categoryOrder, $1.id) }
    session.showWarnings(
      of: settings,
      withheld: ProviderCatalog(settings: settings).withheld
        + providers.filter { !$0.isTrusted }.map { "plugin \($0.id)" })
    try session.show(ProvidersView(providers, inUse: settings.provider))
    var status = ExitStatus.answered
    // The providers that can be read are listed first; one bad file does not hide them.
    for provider in providers {
      guard let problem = provider.problem else { continue }
      session.console.failure(problem, subject: provider.id)
      status = .configuration
    }
    return status
  }
}

/// The `bitpal providers show NAME` command, which shows the values in force of a provider.
struct ProvidersShowCommand: Command {
  static let name = "providers show"
  static let spec = CommandSpec(
    name, "every setting of one provider, and its origin", operands: .one("NAME"),
    details: ["Overrides of the settings are laid over the provider's file. Keys are never shown."],
    examples: [.init("providers show kraken", "value and origin, line by line")])

  private let name: String

  init(_ arguments: Invocation.Arguments) throws(BitpalError) {
    name = try arguments.onlyOperand("NAME")
  }

  func run(_ session: Session) throws -> ExitStatus {
    let settings = try session.settings()
    let catalog = ProviderCatalog(settings: settings)
    session.showWarnings(of: settings, withheld: try catalog.provider(for: name).withheld)
    try session.show(ConfigView(provider: try catalog.entries(for: name)))
    return .answered
  }
}

/// The providers and their capabilities, with one row per provider.
struct ProvidersView: View {
  let output: ProvidersOutput
  private let inUse: [String]

  /// Creates a providers view.
  ///
  /// - Parameter inUse: The ids of the configured providers, which are marked with `*`.
  init(_ providers: [ProviderSummary], inUse: [String]) {
    output = ProvidersOutput(providers)
    self.inUse = inUse
  }

  func table(style: Style) -> String {
    var table = TextTable([
      .init(""), .init("ID"), .init("NAME", widest: 32, narrowest: 12, drops: 4), .init("KIND", drops: 2),
      .init("CATEGORY", drops: 5), .init("ANSWERS", narrowest: 12), .init("CURRENCIES", widest: 24, drops: 6),
      .init("BUDGET", drops: 7), .init("KEY", drops: 3), .init("FILE", widest: 400, narrowest: 16, drops: 1),
    ])
    for summary in output.providers {
      // Providers that cannot be read are reported on standard error.
      guard let descriptor = summary.descriptor else { continue }
      let answers = Capability.allCases.filter(descriptor.capabilities.contains).map(\.rawValue)
      table.add([
        inUse.contains(descriptor.id) ? "*" : "", .init(descriptor.id), .init(descriptor.name), .init(descriptor.kind),
        .init(summary.specification?.facts.category?.rawValue ?? "-"),
        summary.isTrusted ? .init(answers.joined(separator: " ")) : .init("?", .quiet),
        .init(descriptor.currencies.isEmpty ? "any" : descriptor.currencies.joined(separator: " ")),
        .init(summary.budgets.isEmpty ? "-" : summary.budgets.joined(separator: ", ")),
        .init(summary.isKeySet.map { $0 ? "set" : "not set" } ?? "-"),
        summary.isTrusted
          ? .init(summary.file ?? "built in", .quiet) : .init("not trusted: \(summary.file ?? "")", .warning),
      ])
    }
    return table.text(style: style)
  }
}

extension ProviderSummary {
  /// The place of its category in lists; one without comes last.
  var categoryOrder: Int {
    let categories = SourceFacts.Category.allCases
    return specification?.facts.category.flatMap(categories.firstIndex) ?? categories.count
  }
}
