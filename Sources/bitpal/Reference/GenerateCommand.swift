import BitpalConfig
import BitpalFiles
import BitpalModel
import BitpalOutput
import BitpalService

/// What `bitpal generate` does, for completion scripts and `make docs-cli`.
struct GenerateCommand: Command {
  static let name = "generate"
  static let spec = CommandSpec(
    name, "what completions ask, and the pages made from commands", operands: .some("WHAT"),
    isHidden: true,
    details: [
      "WHAT is coins, providers or ranges, with the beginning of a word; or docs, with a folder to write to."
    ],
    examples: [
      .init("generate coins bit", "the cached coins that begin so"),
      .init("generate docs docs", "the man page, the reference, the completions and the schemas"),
    ])

  private enum Product {
    case words(CompletionWords, beginning: String)
    case pages(folder: String)
  }

  private let product: Product

  init(_ arguments: Invocation.Arguments) throws(BitpalError) {
    let kind = arguments.operands.first ?? ""
    let rest = arguments.operands.dropFirst().first
    if kind == "docs", let rest {
      product = .pages(folder: rest)
    } else if let words = CompletionWords(rawValue: kind) {
      product = .words(words, beginning: rest ?? "")
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
    case .words(let words, let beginning):
      // A shell that completes wants words or nothing; what is wrong is told when the command is run.
      let offers = (try? await Self.offers(words, beginning, session)) ?? []
      try session.console.answer(offers.lazy.filter(\.isPlain).map(\.line).joined())
    }
    return .answered
  }

  /// A word to complete with, and what it means.
  private struct Offer {
    let word: String
    let meaning: String

    /// Whether a shell can take the word for nothing but a word, whatever its script does with it.
    ///
    /// Aliases, ranges and ids come from settings and coin lists of others, and some shells evaluate what they are
    /// offered. An odd one is left out: it can still be typed.
    var isPlain: Bool {
      !word.isEmpty && word.first != "-"
        && word.unicodeScalars.allSatisfy { $0.properties.isAlphabetic || Self.plain.contains($0) }
    }

    private static let plain = Set("0123456789._+-:/@".unicodeScalars)

    /// The word, and after a tab what it means.
    var line: String { "\(word)\t\(meaning.printable(limit: 60))\n" }
  }

  private static func offers(
    _ words: CompletionWords, _ beginning: String, _ session: Session
  ) async throws -> [Offer] {
    let settings = try session.settings()
    switch words {
    case .ranges:
      return settings.chart.ranges.map { Offer(word: $0.name, meaning: Self.meaning($0)) }
    case .providers:
      return ProviderCatalog(settings: settings).list().filter { !$0.isShadowed }.map { listing in
        Offer(word: listing.id, meaning: (try? listing.outcome.get())?.specification.name ?? "cannot be read")
      }
    case .coins:
      return try await coins(beginning, settings, session)
    }
  }

  private static func meaning(_ range: ChartTimeRange) -> String {
    switch range.beginning {
    case .windowAgo, .at: "the last \(range.window.unitText)"
    case .newYear: "since the year began"
    case .ever: "all there is"
    }
  }

  /// How many coins are offered at once.
  private static let limit = 200

  /// The aliases, and when there is something to go by the well-known tickers and the coins of the list whose ids begin so;
  /// never from the network.
  private static func coins(_ beginning: String, _ settings: Settings, _ session: Session) async throws -> [Offer] {
    let aliases = settings.aliases.sorted { $0.key < $1.key }.map { Offer(word: $0.key, meaning: $0.value) }
    guard !beginning.isEmpty else { return aliases }
    let service = try Assembly(settings: settings, environment: session.environment).priceService()
    let isRecorded =
      (try? ProviderCatalog(settings: settings).specification(for: settings.provider.first ?? ""))?.needsNetwork
      == false
    let list = try? await service.coinList(policy: isRecorded ? .normal : .offline)
    let coins = (list?.value ?? []).lazy.filter { $0.id.hasPrefix(beginning) }.prefix(limit)
    let tickers = WellKnownCoins.all.filter { $0.symbol.hasPrefix(beginning) && settings.aliases[$0.symbol] == nil }
    // An id that is a ticker, too, is offered once.
    let ids = coins.filter { coin in !tickers.contains { $0.symbol == coin.id } }
    return aliases + tickers.map { Offer(word: $0.symbol, meaning: $0.name) }
      + ids.map { Offer(word: $0.id, meaning: $0.name) }
  }
}

/// The files that are made from the table of commands and from the shapes of answers, as they stand in `docs`.
struct GeneratedPages {
  /// A file, below the folder.
  struct Page: Equatable {
    /// With slashes, below the folder that pages are written to.
    let path: String
    let text: String
  }

  let pages: [Page]

  init(_ table: CommandTable) {
    pages =
      [
        Page(path: "cli.md", text: CommandReference(table).text),
        Page(path: "environment.md", text: EnvironmentPage().text),
        Page(path: "bitpal.1", text: ManualPage(table).text),
        Page(path: "completions/bitpal.bash", text: BashCompletion(table).text),
        Page(path: "completions/_bitpal", text: ZshCompletion(table).text),
        Page(path: "completions/bitpal.fish", text: FishCompletion(table).text),
      ]
      + OutputSchema.all.map {
        Page(path: "schemas/\($0.name).json", text: $0.text)
      }
  }
}
