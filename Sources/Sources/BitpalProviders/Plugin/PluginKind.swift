import BitpalJSON
package import BitpalModel

/// The kind of a program that plans requests and reads their answers.
package struct PluginKind: ProviderKind {
  package static let name = "plugin"
  package static let keys = ProviderKindKeys(
    own: ["command", "hosts", "examples"], required: ["command", "hosts"],
    useless: [("base_url", "is of no use to kind: plugin, whose program says where to ask")])

  /// The program.
  package var program: PluginProgram

  /// Creates the kind for a program.
  package init(_ program: PluginProgram) {
    self.program = program
  }

  /// Reads `command`, `hosts` and `examples`.
  package init?(_ file: ProviderFileReader) {
    let words = file["command"].flatMap(Self.words)
    let hosts = file["hosts"]?.items().compactMap { $0.host(mayBeBracketed: true) } ?? []
    if let value = file["hosts"], value.items().isEmpty { value.report("hosts must name at least one host") }
    guard let words else { return nil }
    if let currencies = file["currencies"], currencies.entry.value.entries != nil {
      currencies.report("currencies of a plugin are a list: what its source calls them is the program's affair")
    }
    let examples = file["examples"]?.items().compactMap { ExampleDecoder(hasSeveralBodies: true).decode($0) }
    program = PluginProgram(
      command: words, folder: file["command"]?.entry.source.directory ?? "", hosts: hosts, examples: examples ?? [])
  }

  private static let mostWords = 32

  /// Reads a program and its arguments, which are not passed to a shell.
  private static func words(_ value: DeclaredValue) -> [String]? {
    guard case .sequence(let words) = value.entry.value.content, (1...mostWords).contains(words.count) else {
      return value.reject(
        "command must be a list of 1 to \(mostWords) words: the program and its arguments, like [python3, mine.py]")
    }
    let texts = value.items().compactMap { $0.text("a word") }
    return texts.count == words.count ? texts : nil
  }

  package var examples: [DeclaredExample]? { program.examples }

  /// Returns the program with the files of the trusted folder, and with or without access to private networks.
  package func allowed(_ files: TrustedFiles?, mayAskPrivateHosts: Bool) -> PluginKind {
    var program = program
    program.trustedFiles = files
    program.mayAskPrivateHosts = mayAskPrivateHosts
    return PluginKind(program)
  }

  /// Returns the dialect that the program implements; its budgets hold where the file has none.
  ///
  /// - Throws: `BitpalError.untrusted` for settings that are not trusted, `.plugin` when the program cannot be started or
  ///   breaks the protocol.
  package func dialect(
    of specification: inout ProviderSpecification, key: Secret?, in environment: ProviderEnvironment
  ) throws -> any Dialect {
    try specification.demandTrustToRun()
    let plugin = try environment.plugin(specification, program, key, environment.time)
    if specification.rateLimits.isEmpty { specification.rateLimits = plugin.budgets }
    return plugin.dialect
  }

  /// Returns the examples of the file, read by the program at the time of each.
  ///
  /// - Throws: The errors of ``dialect(of:key:in:)``.
  package func fixtures(
    of specification: ProviderSpecification, in environment: ProviderEnvironment
  ) throws -> OfflineFixtures {
    var specification = specification
    let dialect = try dialect(of: &specification, key: nil, in: environment)
    return .examples(
      DialectWithExamples(program.examples, of: dialect) { [specification] now in
        try environment.plugin(specification, program, nil, FrozenTime(at: now)).dialect
      })
  }
}
