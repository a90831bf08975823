import Bitpal
import BitpalConfig
import BitpalFiles
import BitpalModel
import BitpalPlugins
import BitpalProviders
import BitpalQueries

/// The `bitpal providers new NAME` command, which writes a provider file from an answer, or begins a plugin.
struct ProvidersNewCommand: Command {
  static let name = "providers new"
  static let spec = CommandSpec(
    name, "write a provider file from one answer, or begin a plugin", operands: .one("NAME"),
    options: [
      ParameterSpec("from-url", .text("URL"), "URL of the request; fetched unless --from-file is given"),
      ParameterSpec("from-file", .text("FILE"), "the saved answer; - for standard input"),
      ParameterSpec("coin", .text("ID"), "the coin of the request (bitcoin)"),
      ParameterSpec("symbol", .text("TICKER"), "the coin's ticker (BTC)"),
      ParameterSpec("ask", .choice(kinds.map(\.rawValue)), "what the answer has (quotes)"),
      ParameterSpec(
        "header", .text("NAME:VALUE"), "header of the request; repeatable; a key in it is not written"
      ),
      ParameterSpec(
        "plugin", .choice(PluginTemplate.Language.allCases.map(\.rawValue)),
        "write a program for the source, and its provider file"),
    ],
    details: [
      "The file is an outline: the paths of the answer with sample values, the certain fields, and a TODO for each "
        + "other field. A field is certain if only one value has exactly the usual name, such as last, and no other "
        + "name above it. A file with a TODO answers nothing; \"providers check NAME\" lists the open ones.",
      "The coin, its ticker and the currency become placeholders where the URL or a path equals them; the key of a "
        + "URL or a header is not written. One answer gives one operation; add the others yourself.",
      "With --plugin no answer is needed: a short program for an invented source, and its provider file with passing "
        + "examples, are written as a starting point.",
      "The file is written to the providers_dir of the settings, otherwise to $XDG_DATA_HOME/bitpal/providers, beside "
        + "it a JSON Schema by which editors complete and check its keys. An answer with latest prices becomes its "
        + "example. Existing provider files are not overwritten.",
    ],
    examples: [
      .init("providers new mine --from-url 'https://api.example/p?c=BTC'", "the outline of one answer"),
      .init("providers new mine --from-file answer.json --from-url URL", "the same, offline"),
      .init("providers new mine --plugin python", "a program that reads what no provider file can"),
    ])

  private static let kinds = [Capability.quotes, .line, .candles]

  let name: String
  private let url: String?
  private let file: String?
  private let coin: String?
  private let symbol: String?
  private let kind: Capability
  private let headers: [String]
  private let language: PluginTemplate.Language?

  init(_ arguments: Invocation.Arguments) throws(BitpalError) {
    name = try arguments.onlyOperand("NAME")
    url = arguments.raw["from-url"]
    file = arguments.raw["from-file"]
    coin = arguments.raw["coin"]
    symbol = arguments.raw["symbol"]
    kind = arguments.raw["ask"].flatMap(Capability.init(rawValue:)) ?? .quotes
    headers = arguments.raw.values("header")
    guard arguments.raw.values("from-url").count < 2, arguments.raw.values("from-file").count < 2 else {
      throw .usage("one answer is taken at a time", hint: "write the other operations into the file beside it")
    }
    language = arguments.raw["plugin"].flatMap(PluginTemplate.Language.init(rawValue:))
    if language != nil {
      let others = ["from-url", "from-file", "coin", "symbol", "ask", "header"]
      guard let other = others.first(where: { arguments.raw.has($0) }) else { return }
      throw .usage("--\(other) has no meaning with --plugin, which looks at no answer")
    }
    guard url != nil || file != nil else {
      throw .usage(
        "an answer to look at is missing",
        hint: "name its URL with --from-url, or a file with --from-file; see \"bitpal providers new --help\"")
    }
    guard coin != "", symbol != "" else { throw .usage("--coin and --symbol must not be empty") }
  }

  func run(_ session: Session) async throws -> ExitStatus {
    try session.console.checkOutput()
    let settings = try session.settings()
    session.showWarnings(of: settings, withheld: settings.withheld)
    let catalog = ProviderCatalog(settings: settings)
    // Checked before the source is asked, because a request in a run that fails would still count.
    try catalog.checkNew(id: name)
    let path = try session.newFile(name, in: settings.providersDirForNew)
    if let language {
      return try begin(PluginTemplate(id: name, in: language), PathText.directory(of: path), settings, session)
    }
    let request = try SampleRequest(
      url, headers: headers, asking: kind, coin: coin ?? "bitcoin", symbol: symbol ?? (coin == nil ? "BTC" : nil),
      currency: settings.currency, statesCurrency: session.options.currency != nil)
    let outline = try ProviderOutline(try await body(of: request, settings, session), of: request, id: name).outline
    // Editors complete and check the keys by the schema; one of another version is replaced.
    let schema = try BoundedFile(ShippedFiles.providerSchema, limit: 1 << 20).bytes
    let folder = PathText.directory(of: path)
    let schemaFile = "\(folder)/\(ProviderOutline.schemaFile)"
    do throws(FileFault) { try PrivateFolder.make(above: schemaFile) } catch { throw error.error(of: schemaFile) }
    try FileReplacement.replace(schemaFile, with: schema, access: .user)
    let output = try session.write(outline, id: name, to: path, settings)
    guard outline.points.isEmpty else {
      let next = "fill in each TODO of the file; \"bitpal providers check \(name)\" says what is left\n"
      session.confirm(OutlineView(output: output, next: next))
      return .answered
    }
    // The settings are read again, because the catalog must contain the new file.
    let problem = problem(in: try session.settings(isSilent: true), session)
    let next = problem.map { "it does not work: \($0)\n" } ?? "try  bitpal price \(coin ?? "bitcoin") -p \(name)\n"
    session.confirm(OutlineView(output: output, next: next))
    return problem == nil ? .answered : .configuration
  }

  /// The largest size of an answer in bytes: 10 MiB, as for one from the network.
  private static let largest = 10 << 20

  private func body(of request: SampleRequest, _ settings: Settings, _ session: Session) async throws -> [UInt8] {
    if let file { return try BoundedFile.input(file, limit: Self.largest) }
    guard session.options.policy != .offline else {
      throw BitpalError.usage("--offline forbids asking \(url ?? "")", hint: "name a saved answer with --from-file")
    }
    return try await session.assembly(settings).sample(
      from: url ?? "", headers: request.headers, secret: request.secret, hiding: request.redaction)
  }
}
