import Bitpal
import BitpalConfig
import BitpalFiles
import BitpalModel
import BitpalOutput
import BitpalProviders

/// The `bitpal generate` command, for completion scripts and `make docs-cli`.
struct GenerateCommand: Command {
  static let name = "generate"
  static let spec = CommandSpec(
    name, "the words of completions, and the pages made from commands", operands: .some("WHAT"),
    isHidden: true,
    details: [
      "WHAT is complete, with the words of a command line of which the last is completed; docs or schemas, with a folder to write "
        + "to."
    ],
    examples: [
      .init("generate complete -- price bit", "the aliases and the cached coins that begin with bit"),
      .init("generate docs docs", "the man page, the reference, the completions and the schemas by line"),
      .init("generate schemas .", "a file for each JSON Schema"),
    ])

  private enum Product {
    case completions([String])
    case pages(folder: String)
    case schemas(folder: String)
  }

  private let product: Product

  init(_ arguments: Invocation.Arguments) throws(BitpalError) {
    let kind = arguments.operands.first ?? ""
    if kind == "docs", let folder = arguments.operands.dropFirst().first {
      product = .pages(folder: folder)
    } else if kind == "schemas", let folder = arguments.operands.dropFirst().first {
      product = .schemas(folder: folder)
    } else if kind == "complete" {
      product = .completions(Array(arguments.operands.dropFirst()))
    } else {
      throw .usage("\"\(kind)\" cannot be generated", hint: "see \"bitpal generate --help\"")
    }
  }

  func run(_ session: Session) async throws -> ExitStatus {
    switch product {
    case .pages(let folder):
      for page in GeneratedPages(.bitpal).pages {
        try FileReplacement.replace("\(folder)/\(page.path)", with: Array(page.text.utf8), access: .shared)
      }
    case .schemas(let folder):
      let schema = try BoundedFile(ShippedFiles.providerSchema, limit: 1 << 20).bytes
      try FileReplacement.replace("\(folder)/provider.json", with: schema, access: .shared)
      for schema in OutputSchema.all {
        try FileReplacement.replace("\(folder)/\(schema.name).json", with: Array(schema.text.utf8), access: .shared)
      }
    case .completions(let words):
      let completer = Completer(words, .bitpal)
      if completer.source == .files {
        try session.console.answer(":files\n")
        return .answered
      }
      // A completion script takes words or nothing; errors are reported when the command runs.
      let offers = (try? await Self.offers(completer, session)) ?? []
      let lines = offers.lazy.filter { $0.isPlain && $0.word.hasPrefix(completer.beginning) }.map { offer in
        "\(completer.prefix)\(offer.word)\t\(offer.meaning.printable(limit: 60))\n"
      }
      try session.console.answer(lines.joined())
    }
    return .answered
  }

  private static func offers(_ completer: Completer, _ session: Session) async throws -> [CompletionOffer] {
    switch completer.source {
    case .nothing, .files: return []
    case .offers(let offers): return offers
    case .ranges:
      return try session.settings().chart.ranges.map { CompletionOffer($0.name, Self.meaning($0)) }
    case .providers:
      return ProviderCatalog(settings: try session.settings()).list().filter { !$0.isShadowed }.map { listing in
        CompletionOffer(listing.id, (try? listing.outcome.get())?.specification.name ?? "cannot be read")
      }
    case .coins:
      // A word that begins with a dash would be read as an option.
      return try await coins(completer.beginning, try session.settings(), session).filter { $0.word.first != "-" }
    }
  }

  private static func meaning(_ range: ChartTimeRange) -> String {
    switch range.beginning {
    case .windowAgo, .at: "the last \(range.window.unitText)"
    case .newYear: "since the year began"
    case .ever: "all there is"
    }
  }

  /// The largest number of coins that are offered at once.
  private static let limit = 200

  /// Returns the aliases, and after at least one character also the well-known tickers and the ids of the coin list.
  ///
  /// The list comes from the cache or a recording, never from the network.
  private static func coins(_ beginning: String, _ settings: Settings, _ session: Session) async throws
    -> [CompletionOffer]
  {
    let aliases = settings.aliases.sorted { $0.key < $1.key }.map { CompletionOffer($0.key, $0.value) }
    guard !beginning.isEmpty else { return aliases }
    let service = try Assembly(settings: settings, environment: session.environment).priceService()
    let isRecorded =
      (try? ProviderCatalog(settings: settings).specification(for: settings.provider.first ?? ""))?.needsNetwork
      == false
    let list = try? await service.coinList(policy: isRecorded ? .normal : .offline)
    let coins = (list?.value ?? []).lazy.filter { $0.id.hasPrefix(beginning) }.prefix(limit)
    let tickers = WellKnownCoins.all.filter { $0.symbol.hasPrefix(beginning) && settings.aliases[$0.symbol] == nil }
    // An id that is also a ticker is offered once.
    let ids = coins.filter { coin in !tickers.contains { $0.symbol == coin.id } }
    return aliases + tickers.map { CompletionOffer($0.symbol, $0.name) }
      + ids.map { CompletionOffer($0.id, $0.name) }
  }
}

/// The files in `docs` that are made from the command table and from the shapes of answers.
struct GeneratedPages {
  /// A file with its path below the folder of the pages.
  struct Page: Equatable {
    /// The path below the folder of the pages, with slashes.
    let path: String
    let text: String
  }

  let pages: [Page]

  init(_ table: CommandTable) {
    pages =
      [
        Page(path: "cli.md", text: CommandReference(table).text),
        Page(path: "environment.md", text: EnvironmentPage().text),
        Page(path: "sources.md", text: SourcesPage().text), Page(path: "bitpal.1", text: ManualPage(table).text),
      ]
      + CompletionScript.allCases.map { Page(path: "completions/\($0.file)", text: $0.text) }
      + [Page(path: "schemas.jsonl", text: OutputSchema.all.map { $0.line + "\n" }.joined())]
  }
}
