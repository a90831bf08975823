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
      OptionSpec(.fromURL, .text("URL"), help: "URL of the request; fetched unless --from-file is given"),
      OptionSpec(.fromFile, .text("FILE"), help: "the saved answer; - for standard input"),
      OptionSpec(.coin, .text("ID"), help: "the coin of the request (bitcoin)"),
      OptionSpec(.symbol, .text("TICKER"), help: "the coin's ticker (BTC)"),
      OptionSpec(
        .ask, .choice(SampleKind.allCases.map(\.rawValue)), help: "kind of the answer (found by its shape)"),
      OptionSpec(
        .header, .text("NAME:VALUE"), help: "header of the request; repeatable; a key in it is not written"
      ),
      OptionSpec(
        .plugin, .choice(PluginTemplate.Language.allCases.map(\.rawValue)),
        help: "write a program for the source, and its provider file"),
    ],
    details: [
      "Looks at names and numbers to find prices, times and candles, and states for each column how certain it is. What names "
        + "the coin, the currency or the candle width in the URL becomes a placeholder; keys are left out.",
      "One answer is one operation: quotes, a line or candles. Write the others beside it; "
        + "\"providers check NAME\" says what is wrong.",
      "With --plugin there is no answer to look at: a short program for a source that is made up, and its provider file "
        + "with examples that come out right, are written to be changed.",
      "The file goes to the providers_dir of the settings, otherwise to $XDG_DATA_HOME/bitpal/providers. The answer becomes "
        + "its example, so that \"providers check NAME\" can be run at once. Nothing is overwritten.",
    ],
    examples: [
      .init("providers new mine --from-url 'https://api.example/p?c=BTC'", "fetch one answer and guess"),
      .init("providers new mine --from-file answer.json --from-url URL", "the same, offline"),
      .init("providers new mine --plugin python", "a program that reads what no provider file can"),
    ])

  let name: String
  private let url: String?
  private let file: String?
  private let coin: String
  private let symbol: String
  private let kind: SampleKind?
  private let headers: [SampleHeader]
  private let language: PluginTemplate.Language?

  init(_ arguments: Invocation.Arguments) throws(BitpalError) {
    name = try arguments.onlyOperand("NAME")
    url = arguments.raw.value(.fromURL)
    file = arguments.raw.value(.fromFile)
    coin = arguments.raw.value(.coin) ?? "bitcoin"
    symbol = arguments.raw.value(.symbol) ?? "BTC"
    kind = arguments.raw.value(.ask).flatMap(SampleKind.init(rawValue:))
    headers = try arguments.raw.values(.header).map { text throws(BitpalError) in try SampleHeader(text) }
    guard headers.count(where: { $0.key != nil }) < 2 else {
      throw .usage("more than one --header looks like a key", hint: "a provider file has one; leave the others out")
    }
    guard arguments.raw.values(.fromURL).count < 2, arguments.raw.values(.fromFile).count < 2 else {
      throw .usage("one answer is taken at a time", hint: "write the other operations into the file beside it")
    }
    language = arguments.raw.value(.plugin).flatMap(PluginTemplate.Language.init(rawValue:))
    if language != nil {
      let others: [OptionName] = [.fromURL, .fromFile, .coin, .symbol, .ask, .header]
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
    session.showWarnings(of: settings, withheld: settings.withheld)
    let catalog = ProviderCatalog(settings: settings)
    // Checked before the source is asked, because a request in a run that fails would still count.
    try catalog.checkNew(id: name)
    guard let folder = settings.providersDirForNew else {
      throw BitpalError.dataFile(path: "\(name).yaml", reason: "there is no place for it: HOME is not set")
    }
    if let language { return try begin(PluginTemplate(id: name, in: language), in: folder, settings, session) }
    let path = "\(folder)/\(name).yaml"
    let shown = PathText.shown(path, from: session.environment.currentDirectory)
    let guess = try ProviderGuess(
      SampleAnswer(
        body: try await body(settings, session), url: url, coin: coin, symbol: symbol, currency: settings.currency,
        headers: headers),
      id: name, asking: kind?.capability)
    try write(guess, to: path, in: folder)
    try session.renewTrust(in: settings, written: .init(path, before: nil, after: Array(guess.text.utf8)))
    // The settings are read again, because the catalog must contain the new file.
    let problem = problem(of: ProviderCatalog(settings: try session.settings(isSilent: true)))
    let view = ProviderNewView(guess, id: name, file: shown, coin: coin, problem: problem)
    session.confirm(view, "wrote \(path)")
    return view.isGood ? .answered : .configuration
  }

  /// The largest size of a sample in bytes: 10 MiB, as for an answer from the network.
  private static let sampleLimit = 10 << 20

  private func body(_ settings: Settings, _ session: Session) async throws -> [UInt8] {
    if let file { return try BoundedFile.input(file, limit: Self.sampleLimit) }
    guard session.options.policy != .offline else {
      throw BitpalError.usage("--offline forbids asking \(url ?? "")", hint: "name a saved answer with --from-file")
    }
    return try await session.assembly(settings).sample(
      from: url ?? "", headers: headers.compactMap(\.plain),
      secret: headers.lazy.compactMap(\.secret).first,
      hiding: SampleAnswer(body: [], url: url, headers: headers).redaction)
  }

  private func write(_ guess: ProviderGuess, to path: String, in folder: String) throws(BitpalError) {
    let sample = guess.bodyFile.map { ("\(folder)/\($0.name)", $0.bytes) }
    // The answer goes first, so that a provider file never names an example that does not exist.
    if let (path, bytes) = sample { try FileReplacement.create(path, with: bytes, access: .user) }
    do {
      try FileReplacement.create(path, with: Array(guess.text.utf8), access: .user)
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
