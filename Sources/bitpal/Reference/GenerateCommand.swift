import BitpalConfig
import BitpalFiles
import BitpalModel
import BitpalService

/// What `bitpal generate` does, for completion scripts and `make docs-cli`.
struct GenerateCommand: Command {
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
      let lines = (try? await Self.lines(words, beginning, session)) ?? []
      try session.console.answer(lines.map { $0 + "\n" }.joined())
    }
    return .answered
  }

  /// A word a line; what it means stands after a tab.
  private static func lines(
    _ words: CompletionWords, _ beginning: String, _ session: Session
  ) async throws -> [String] {
    let settings = try session.settings()
    switch words {
    case .ranges:
      return settings.chart.ranges.map { "\($0.name)\tthe last \($0.window.unitText)" }
    case .providers:
      return ProviderCatalog(settings: settings).list().filter { !$0.isShadowed }.map { listing in
        let name = (try? listing.outcome.get())?.specification.name ?? "cannot be read"
        return "\(listing.id)\t\(name.printable(limit: 60))"
      }
    case .coins:
      return try await coins(beginning, settings, session)
    }
  }

  /// How many coins are offered at once.
  private static let limit = 200

  /// The aliases, and when there is something to go by the coins of the list whose ids begin so; never from the network.
  private static func coins(_ beginning: String, _ settings: Settings, _ session: Session) async throws -> [String] {
    let aliases = settings.aliases.sorted { $0.key < $1.key }.map { "\($0.key)\t\($0.value)" }
    guard !beginning.isEmpty else { return aliases }
    let service = try Assembly(settings: settings, environment: session.environment).priceService()
    let isRecorded =
      (try? ProviderCatalog(settings: settings).specification(for: settings.provider.first ?? ""))?.kind == .recorded
    let list = try? await service.coinList(policy: isRecorded ? .normal : .offline)
    let coins = (list?.value ?? []).lazy.filter { $0.id.hasPrefix(beginning) }.prefix(limit)
    return aliases + coins.map { "\($0.id)\t\($0.name.printable(limit: 60))" }
  }
}
