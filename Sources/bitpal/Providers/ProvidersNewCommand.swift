import BitpalConfig
import BitpalFiles
import BitpalGuess
import BitpalModel
import BitpalProviders
import BitpalService
import Glibc

/// What `bitpal providers new NAME` does.
struct ProvidersNewCommand: Command {
  static let spec = CommandSpec(
    "providers new", "write a provider file from one answer of a source", operands: .one("NAME"),
    options: [
      OptionSpec(.fromURL, .text("URL"), help: "where the answer comes from; fetched unless --from-file has it"),
      OptionSpec(.fromFile, .text("FILE"), help: "the answer as it came; - for standard input"),
      OptionSpec(.coin, .text("ID"), help: "the coin that was asked for, bitcoin by default"),
      OptionSpec(.symbol, .text("TICKER"), help: "its ticker, BTC by default"),
    ],
    details: [
      "Looks at names and numbers to find prices, times and candles, and says of each column how sure it is. What names "
        + "the coin, the currency or the candle width in the URL becomes a placeholder; keys are left out.",
      "The file goes to the providers_dir of the settings, else to $XDG_DATA_HOME/bitpal/providers. The answer becomes "
        + "its example, so that \"providers check NAME\" can be run at once. Nothing is overwritten.",
    ],
    examples: [
      .init("providers new mine --from-url 'https://api.example/p?c=BTC'", "fetch one answer and guess"),
      .init("providers new mine --from-file answer.json --from-url URL", "the same, offline"),
    ])

  private let name: String
  private let url: String?
  private let file: String?
  private let coin: String
  private let symbol: String

  init(_ arguments: Invocation.Arguments) throws(BitpalError) {
    name = try arguments.onlyOperand("NAME")
    url = arguments.raw.value(.fromURL)
    file = arguments.raw.value(.fromFile)
    coin = arguments.raw.value(.coin) ?? "bitcoin"
    symbol = arguments.raw.value(.symbol) ?? "BTC"
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
    // Before the source is asked: a request for nothing would still count.
    try catalog.checkNew(id: name)
    guard let folder = settings.providersDirForNew else {
      throw BitpalError.dataFile(path: "\(name).yaml", reason: "there is no place for it: HOME is not set")
    }
    let guess = try ProviderGuess(
      SampleAnswer(
        body: try await body(settings, session), url: url, coin: coin, symbol: symbol, currency: settings.currency),
      id: name)
    let path = "\(folder)/\(name).yaml"
    try write(guess, to: path, in: folder)
    try session.renewTrust(in: settings)
    let view = ProviderNewView(
      guess, id: name, file: shown(path, session), coin: coin, problem: problem(of: catalog))
    session.confirm(view, "wrote \(path)")
    return view.isGood ? .answered : .configuration
  }

  /// As large as an answer from the network may be.
  private static let sampleLimit = 8 << 20

  private func body(_ settings: Settings, _ session: Session) async throws -> [UInt8] {
    if let file { return try BoundedFile.input(file, limit: Self.sampleLimit) }
    guard session.options.policy != .offline else {
      throw BitpalError.usage("--offline forbids asking \(url ?? "")", hint: "name a saved answer with --from-file")
    }
    return try await session.assembly(settings).sample(
      from: url ?? "", hiding: SampleSecrets(in: url ?? "").redaction)
  }

  private func write(_ guess: ProviderGuess, to path: String, in folder: String) throws(BitpalError) {
    let sample = guess.bodyFile.map { ("\(folder)/\($0.name)", $0.bytes) }
    // The answer goes first: nobody finds a provider file whose example is not there.
    if let (path, bytes) = sample { try FileReplacement.create(path, with: bytes, access: .user) }
    do {
      try FileReplacement.create(path, with: Array(guess.text.utf8), access: .user)
    } catch {
      // The name was taken; nothing is left behind by it.
      if let (path, _) = sample { unlink(path) }
      throw error
    }
  }

  /// What the new file's own check finds wrong; nil when nothing is.
  private func problem(of catalog: ProviderCatalog) -> String? {
    do {
      return try ExampleCheck(try catalog.specification(for: name)).run().compactMap(\.problem).first
    } catch {
      return error.message
    }
  }

  private func shown(_ path: String, _ session: Session) -> String {
    let current = session.environment.currentDirectory + "/"
    return path.hasPrefix(current) ? String(path.dropFirst(current.count)) : path
  }
}
