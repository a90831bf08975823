import Bitpal
import BitpalConfig
import BitpalConformance
import BitpalFiles
import BitpalModel
import BitpalNetwork
import BitpalOutput
import BitpalProviders
import BitpalQueries
import BitpalReplay
import FoundationEssentials

/// The `bitpal providers check NAME` command, which runs the examples and the conformance rules of a provider.
struct ProvidersCheckCommand: Command {
  static let name = "providers check"
  static let spec = CommandSpec(
    name, "read a provider file and run its examples, offline", operands: .optional("NAME"),
    options: [
      ParameterSpec("all", .flag, "check every provider, a line for each"),
      ParameterSpec("live", .flag, "ask the source once, and write its answer into the file as an example"),
      ParameterSpec("coin", .text("ID"), "with --live: the coin to ask for (of an example, or bitcoin)"),
      ParameterSpec(
        "ask", .choice(Capability.allCases.map(\.rawValue)),
        "with --live: what to ask for (the first operation without an example)"),
    ],
    details: [
      "Every fault of the file is named with its line and column. Each example's recorded body is read like an answer "
        + "of the source, and the result is compared. Then all conformance tests are run, with the examples or the "
        + "recording as answers. The exit status is 3 after a fault, and 1 for a file without examples, which cannot "
        + "be checked.",
      "With --live one question is sent, and the answer becomes an example with the rows that come of it. An answer that "
        + "cannot be read yet is kept there too: correct the file and run the command again, which then asks for nothing.",
    ],
    examples: [
      .init("providers check kraken", "a line for each example and each rule"),
      .init("providers check --all", "every provider, a line for each"),
      .init("providers check mine --format json", "the same for a program"),
      .init("providers check mine --live --coin gold", "one request, whose answer becomes an example"),
    ])

  /// The provider; nil for all.
  private let chosen: String?
  private var name: String { chosen ?? "" }
  private let isLive: Bool
  private let coin: String?
  private let capability: Capability?

  init(_ arguments: Invocation.Arguments) throws(BitpalError) {
    chosen = arguments.operands.first
    guard chosen != nil || arguments.raw.has("all") else {
      throw .usage("providers check needs a NAME", hint: "\"bitpal providers check --all\" checks every one")
    }
    isLive = arguments.raw.has("live")
    coin = arguments.raw["coin"]
    capability = arguments.raw["ask"].flatMap(Capability.init(rawValue:))
    guard isLive || coin == nil && capability == nil else {
      throw .usage("--coin and --ask say what --live asks for", hint: "add --live")
    }
    guard !arguments.raw.has("all") || !isLive && chosen == nil else {
      throw .usage("--all takes neither a NAME nor --live, which asks one source")
    }
  }

  func run(_ session: Session) async throws -> ExitStatus {
    var settings = try session.settings()
    guard chosen != nil else { return try await checkAll(settings, session) }
    if isLive {
      try await writeExample(settings, session)
      settings = try session.settings(isSilent: true)
    }
    let loaded = try ProviderCatalog(settings: settings).provider(for: name)
    session.showWarnings(of: settings, withheld: loaded.withheld)
    let specification = loaded.specification
    let view = try await view(of: specification, settings, session)
    try session.show(view)
    guard view.isGood else { return .configuration }
    return view.hasChecked ? .answered : .partlyAnswered
  }

  private func view(
    of specification: ProviderSpecification, _ settings: Settings, _ session: Session
  ) async throws -> ProviderCheckView {
    session.console.working("checking \(specification.id)")
    // Reading the SELECTs, and a plugin's first message, finds the faults in them.
    let fixtures = try session.assembly(settings).offlineFixtures(of: specification.id)
    let conformance = ConformanceText(try await ProviderConformance(fixtures).check())
    return ProviderCheckView(specification, examples: fixtures.examples, conformance: conformance)
  }

  private func checkAll(_ settings: Settings, _ session: Session) async throws -> ExitStatus {
    let catalog = ProviderCatalog(settings: settings)
    session.showWarnings(of: settings, withheld: catalog.withheld)
    var rows: [ProviderChecksOutput.Row] = []
    for listing in catalog.list() where !listing.isShadowed {
      do {
        let view = try await view(of: try listing.outcome.get().specification, settings, session)
        rows.append((listing.id, .success(view.output)))
      } catch {
        let file = listing.file ?? listing.id
        rows.append((listing.id, .failure(error as? BitpalError ?? .dataFile(path: file, reason: "\(error)"))))
      }
    }
    try session.show(ProviderChecksView(output: ProviderChecksOutput(rows)))
    return rows.allSatisfy { ProviderChecksOutput.problem(of: $0) == nil } ? .answered : .configuration
  }
}

extension ProvidersCheckCommand {
  /// Writes a live answer into the provider file; one that an earlier run kept is read without asking.
  ///
  /// - Throws: `BitpalError` when the source gives no answer, the answer cannot be read (it is kept first), or the file
  ///   cannot be written.
  private func writeExample(_ settings: Settings, _ session: Session) async throws {
    let specification = try ProviderCatalog(settings: settings).provider(for: name).specification
    let assembly = session.assembly(settings)
    guard let path = specification.file, !ShippedFiles.contains(path),
      let source = try assembly.offlineFixtures(of: name).examples
    else {
      throw BitpalError.usage(
        "\(name) has no file of your own with examples", hint: "\"bitpal providers new\" begins one")
    }
    var example: LiveExample
    if let kept = LiveExample(keptIn: source) {
      example = kept
      if let problem = kept.problem { throw problem }
    } else {
      guard session.options.policy != .offline else {
        throw BitpalError.usage("--offline forbids asking \(name)", hint: "leave out --live")
      }
      let now = session.options.now ?? SystemTime().now.startOfSecond
      let query = try query(of: source, specification, settings, now: now)
      let recorder = try await assembly.exchanges(asking: query, of: name)
      example = try LiveExample(
        recorder.exchanges, answering: query, now: specification.plugin == nil ? nil : now,
        hiding: Redaction(recorder.secrets), of: source)
      // A wrong address denies each coin, too. Where the address has answered before, the coin is what is wrong.
      let isProven = source.examples.contains { known in
        if case .rows(let rows) = known.expectation {
          known.query.capability == query.capability && !rows.isEmpty
        } else {
          false
        }
      }
      if example.example.expectation == .failure(.notFound), !isProven {
        throw BitpalError.noPrice(
          coin: query.coins.first ?? query.capability.rawValue, provider: name,
          reason: "it does not have it, or not at \(example.example.url ?? "this address"); nothing was written")
      }
    }
    if let problem = example.problem, !(200...299).contains(example.example.status) { throw problem }
    let text = String(decoding: try BoundedFile(path, limit: 1 << 20).bytes, as: UTF8.self)
    guard let new = example.added(to: text, named: name) else {
      throw BitpalError.dataFile(path: path, reason: "its examples: are not a list with a line per example")
    }
    if let body = example.bodyFile {
      try FileReplacement.create("\(PathText.directory(of: path))/\(body.name)", with: body.bytes, access: .user)
    }
    try FileReplacement.replace(path, with: Array(new.utf8), access: .user)
    try session.renewTrust(in: settings, written: .init(path, after: Array(new.utf8)))
    let shown = PathText.shown(path, from: session.environment.currentDirectory)
    guard let problem = example.problem else { return session.console.notice("wrote an example into \(shown)") }
    session.console.notice(
      "kept the answer as an example in \(shown); correct the file and run this again: nothing is asked")
    throw problem
  }

  /// Returns the question that a live example asks: of the operations without an example the first.
  private func query(
    of source: DialectWithExamples, _ specification: ProviderSpecification, _ settings: Settings, now: Date
  ) throws(BitpalError) -> ProviderQuery {
    let descriptor = source.dialect.descriptor
    let has = descriptor.capabilities
    let known = Set(source.examples.map(\.query.capability))
    let order: [Capability] = [.quotes, .line, .candles, .detail, .coinList].filter {
      has.contains($0) && ($0 != .quotes || descriptor.quotesLine == nil)
    }
    guard let asked = capability ?? order.first(where: { !known.contains($0) }) ?? order.first, has.contains(asked)
    else {
      throw .unsupported(capability ?? .quotes, provider: name, others: [])
    }
    let ids = (specification.declared?.ids ?? [:]).keys.sorted() + specification.symbols.keys.sorted()
    let coin = coin ?? source.examples.first?.query.coins.first ?? ids.first ?? "bitcoin"
    let currencies = descriptor.currencies
    let currency =
      descriptor.mayAnswer(in: settings.currency) ? settings.currency : currencies.first ?? settings.currency
    let day = Duration.seconds(86_400)
    switch asked {
    case .quotes: return .quotes(coins: [coin], currency: currency)
    case .detail: return .detail(coin: coin, currency: currency)
    case .coinList: return .coinList
    case .line: return .line(coin: coin, currency: currency, window: TimeWindow(ending: now, length: day * 7))
    case .candles:
      let widths = descriptor.candleWidths
      let width = widths.last { $0 <= day } ?? widths.first ?? day
      return .candles(coin: coin, currency: currency, window: TimeWindow(ending: now, length: width * 7), width: width)
    }
  }
}
