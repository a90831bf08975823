import BitpalConfig
import BitpalFiles
import BitpalGuess
import BitpalModel
import BitpalPlugins
import BitpalProviders
import BitpalService
import Glibc

/// The `bitpal providers new NAME` command, which writes a provider file from an answer, or begins a plugin.
struct ProvidersNewCommand: Command {
  static let name = "providers new"
  static let spec = CommandSpec(
    name, "write a provider file from one answer, or begin a plugin", operands: .one("NAME"),
    options: [
      OptionSpec(.fromURL, .text("URL"), help: "where the answer comes from; fetched unless --from-file has it"),
      OptionSpec(.fromFile, .text("FILE"), help: "the answer as it came; - for standard input"),
      OptionSpec(.coin, .text("ID"), help: "the coin that was asked for, bitcoin by default"),
      OptionSpec(.symbol, .text("TICKER"), help: "its ticker, BTC by default"),
      OptionSpec(
        .ask, .choice(SampleKind.allCases.map(\.rawValue)), help: "what the answer is taken for; found out by default"),
      OptionSpec(.add, help: "add the operation to the file of NAME, which is there already"),
      OptionSpec(
        .header, .text("NAME:VALUE"), help: "send a header with the request; may be given again, a key is never written"
      ),
      OptionSpec(.post, .text("BODY"), help: "the answer is that to a POST which sent this"),
      OptionSpec(
        .plugin, .choice(PluginTemplate.Language.allCases.map(\.rawValue)),
        help: "begin a program that speaks for the source, and its provider file"),
    ],
    details: [
      "Looks at names and numbers to find prices, times and candles, and says of each column how sure it is. What names "
        + "the coin, the currency or the candle width in the URL, or in what was sent, becomes a placeholder; keys are left out.",
      "One answer is one operation: quotes, a line or candles. With --add the next answer of the same source becomes "
        + "another operation of the same file, whose other lines stay as they are.",
      "With --plugin there is no answer to look at: a short program for a source that is made up, and its provider file "
        + "with examples that come out right, are written to be changed.",
      "The file goes to the providers_dir of the settings, else to $XDG_DATA_HOME/bitpal/providers. The answer becomes "
        + "its example, so that \"providers check NAME\" can be run at once. Nothing is overwritten.",
    ],
    examples: [
      .init("providers new mine --from-url 'https://api.example/p?c=BTC'", "fetch one answer and guess"),
      .init(
        "providers new mine --add --from-url 'https://api.example/ohlc?c=BTC'", "and its candles, into the same file"
      ),
      .init("providers new mine --from-file answer.json --from-url URL", "the same, offline"),
      .init("providers new mine --plugin python", "a program that reads what no provider file can"),
    ])

  let name: String
  private let url: String?
  private let file: String?
  private let coin: String
  private let symbol: String
  private let kind: SampleKind?
  private let isAddition: Bool
  private let headers: [SampleHeader]
  private let sent: String?
  private let language: PluginTemplate.Language?

  init(_ arguments: Invocation.Arguments) throws(BitpalError) {
    name = try arguments.onlyOperand("NAME")
    url = arguments.raw.value(.fromURL)
    file = arguments.raw.value(.fromFile)
    coin = arguments.raw.value(.coin) ?? "bitcoin"
    symbol = arguments.raw.value(.symbol) ?? "BTC"
    kind = arguments.raw.value(.ask).flatMap(SampleKind.init(rawValue:))
    isAddition = arguments.raw.has(.add)
    headers = try arguments.raw.values(.header).map { text throws(BitpalError) in try SampleHeader(text) }
    guard headers.count(where: { $0.key != nil }) < 2 else {
      throw .usage("more than one --header looks like a key", hint: "a provider file has one; leave the others out")
    }
    sent = arguments.raw.value(.post)
    guard arguments.raw.values(.fromURL).count < 2, arguments.raw.values(.fromFile).count < 2 else {
      throw .usage(
        "one answer is taken at a time",
        hint: "give the next with --add: bitpal providers new \(name) --add --from-url URL")
    }
    language = arguments.raw.value(.plugin).flatMap(PluginTemplate.Language.init(rawValue:))
    if language != nil {
      let others: [OptionName] = [.fromURL, .fromFile, .coin, .symbol, .ask, .add, .header, .post]
      guard let other = others.first(where: { arguments.raw.has($0) || arguments.raw.value($0) != nil }) else { return }
      throw .usage("\(other.spelling) has no meaning with --plugin, which looks at no answer")
    }
    guard url != nil || file != nil else {
      throw .usage(
        "an answer to look at is missing",
        hint: "name its URL with --from-url, or a file with --from-file; see \"bitpal providers new --help\"")
    }
    guard !coin.isEmpty, !symbol.isEmpty else { throw .usage("--coin and --symbol must not be empty") }
  }

  func run(_ session: Session) async throws -> ExitStatus {
    try session.console.checkOutput()
    let settings = try session.settings()
    session.tellWarnings(of: settings, withheld: settings.withheld)
    let catalog = ProviderCatalog(settings: settings)
    // Checked before the source is asked, because a request in a run that fails would still count.
    if !isAddition { try catalog.checkNew(id: name) }
    guard let folder = settings.providersDirForNew else {
      throw BitpalError.dataFile(path: "\(name).yaml", reason: "there is no place for it: HOME is not set")
    }
    if let language { return try begin(PluginTemplate(id: name, in: language), in: folder, settings, session) }
    let path = "\(folder)/\(name).yaml"
    let shown = PathText.shown(path, from: session.environment.currentDirectory)
    let existing = try isAddition ? existing(at: path, in: catalog, shown: shown) : nil
    let guess = try ProviderGuess(
      SampleAnswer(
        body: try await body(settings, session), url: url, sent: sent, coin: coin, symbol: symbol,
        currency: settings.currency, headers: headers),
      id: name, asking: kind?.capability, addingTo: existing)
    try write(guess, to: path, in: folder)
    try session.renewTrust(
      in: settings, written: .init(path, before: existing.map { Array($0.text.utf8) }, after: Array(guess.text.utf8)))
    // The settings are read again, because the catalog must contain the new file.
    let problem = problem(of: ProviderCatalog(settings: try session.settings(isSilent: true)))
    let view = ProviderNewView(guess, id: name, file: shown, coin: coin, problem: problem)
    session.confirm(view, "wrote \(path)")
    return view.isGood ? .answered : .configuration
  }

  /// Returns the provider file to which an operation is added.
  private func existing(
    at path: String, in catalog: ProviderCatalog, shown: String
  ) throws(BitpalError) -> ExistingFile {
    guard FileStatus.exists(path) else {
      throw .usage("there is no \(shown) to add to", hint: "without --add it is made")
    }
    let text = try BoundedFile.input(path, limit: Self.providerLimit)
    guard let base = try catalog.specification(for: name).baseURL else {
      throw .usage("\(name) is no provider of kind http", hint: "only such a file gets operations")
    }
    return ExistingFile(text: String(decoding: text, as: UTF8.self), base: base)
  }

  /// The largest size of a provider file in bytes: 1 MiB, far more than any needs.
  private static let providerLimit = 1 << 20

  /// The largest size of a sample in bytes: 10 MiB, as for an answer from the network.
  private static let sampleLimit = 10 << 20

  private func body(_ settings: Settings, _ session: Session) async throws -> [UInt8] {
    if let file { return try BoundedFile.input(file, limit: Self.sampleLimit) }
    guard session.options.policy != .offline else {
      throw BitpalError.usage("--offline forbids asking \(url ?? "")", hint: "name a saved answer with --from-file")
    }
    return try await session.assembly(settings).sample(
      from: url ?? "", sending: sent, headers: headers.compactMap(\.plain),
      secret: headers.lazy.compactMap(\.secret).first,
      hiding: SampleAnswer(body: [], url: url, headers: headers).redaction)
  }

  private func write(_ guess: ProviderGuess, to path: String, in folder: String) throws(BitpalError) {
    let sample = guess.bodyFile.map { ("\(folder)/\($0.name)", $0.bytes) }
    // The answer goes first, so that a provider file never names an example that does not exist.
    if let (path, bytes) = sample { try FileReplacement.create(path, with: bytes, access: .user) }
    do {
      if isAddition {
        try FileReplacement.replace(path, with: Array(guess.text.utf8), access: .shared)
      } else {
        try FileReplacement.create(path, with: Array(guess.text.utf8), access: .user)
      }
    } catch {
      // Nothing is left behind when the name was taken.
      if let (path, _) = sample { unlink(path) }
      throw error
    }
  }

  /// Returns the first problem that the check of the new file finds; nil when there is none.
  private func problem(of catalog: ProviderCatalog) -> String? {
    do {
      return try ExampleCheck(try catalog.specification(for: name)).run().compactMap(\.problem).first
    } catch {
      return error.message
    }
  }
}

/// The kind of answer that a sample is.
private enum SampleKind: String, CaseIterable, Sendable {
  case quotes
  case line
  case candles

  var capability: Capability {
    switch self {
    case .quotes: .quotes
    case .line: .line
    case .candles: .candles
    }
  }
}
