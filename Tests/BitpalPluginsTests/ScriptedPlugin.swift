import BitpalModel
import BitpalNetwork
import BitpalPlugins
import BitpalProviders
import BitpalTesting
import FoundationEssentials
import TestSupport

/// A plugin that is a shell script: what it does at each message is a line of shell.
struct ScriptedPlugin {
  static let hello = #"{"bitpal":1,"name":"Moonbase","answers":["quotes"],"batch":9}"#
  static let plan = #"{"requests":[{"url":"https://api.moonbase.example/p"}]}"#
  static let rows = #"{"rows":[{"id":"bitcoin","price":"97000.10"}]}"#

  let folder: TemporaryFolder
  let complaints = Notes<String>()
  private let script: String

  /// - Parameters:
  ///   - hello: What is run when it is said hello.
  ///   - plan: What is run when it is asked for a plan.
  ///   - parse: What is run when it is asked to read.
  ///   - start: What is run before anything.
  ///   - end: What is run when its input ends.
  init(
    hello: String = say(hello), plan: String = say(plan), parse: String = say(rows), start: String = "",
    end: String = ""
  ) throws {
    folder = try TemporaryFolder()
    script = """
      echo started >> starts
      \(start)
      while read -r line; do
        printf '%s\\n' "$line" >> heard
        case $line in
          '{"hello"'*) \(hello) ;;
          '{"plan"'*) \(plan) ;;
          '{"parse"'*) \(parse) ;;
        esac
      done
      \(end)
      """
    try folder.write(script, to: "plugin.sh")
  }

  /// A line of shell that writes a line.
  static func say(_ line: String) -> String { "printf '%s\\n' '\(line)'" }

  /// The host that speaks with it, without a wall, so that it can leave notes.
  ///
  /// - Parameter wall: What stands for `bwrap` in its folder.
  func host(_ limits: PluginLimits = .long, memory: String? = nil, wall: String? = nil) -> PluginHost {
    PluginHost(
      provider: "moonbase", PluginProgram(command: ["/bin/sh", "plugin.sh"], folder: folder.path),
      variables: ["PATH": (wall ?? "/usr/bin") + ":/usr/bin:/bin", "HOME": "/", "SECRET": "canary"],
      memory: ManifestCache(folder: memory),
      warn: { [complaints] in complaints.add($0) }, limits: limits,
      usesSandbox: wall != nil)
  }

  /// The provider made of it, over a source that answers anything with the same.
  func provider(
    _ host: PluginHost? = nil, _ specification: ProviderSpecification = Self.specification, key: Secret? = nil,
    transport: any Transport = Answering()
  ) throws -> DialectProvider {
    let time = ManualTime()
    let dialect = try PluginDialect(specification, host: host ?? self.host(), key: key, time: time)
    return DialectProvider(dialect: dialect, transport: transport, time: time)
  }

  static let specification = ProviderSpecification(
    id: "moonbase", name: "moonbase",
    kind: PluginKind(PluginProgram(command: ["/bin/sh", "plugin.sh"], folder: "/", hosts: ["api.moonbase.example"])))

  /// What it was told, a line each.
  var heard: [String] { lines("heard") }

  /// How often it was started.
  var starts: Int { lines("starts").count }

  private func lines(_ name: String) -> [String] {
    (try? String(contentsOfFile: folder.path + "/" + name, encoding: .utf8))?.split(separator: "\n").map(String.init)
      ?? []
  }
}

extension PluginLimits {
  /// Short enough for a test to wait for, at hello or later.
  static func short(_ time: WritableKeyPath<PluginLimits, Duration>) -> PluginLimits {
    var limits = long
    limits[keyPath: time] = .milliseconds(500)
    return limits
  }

  /// Longer than any machine takes.
  static var long: PluginLimits {
    var limits = PluginLimits()
    limits.hello = .seconds(60)
    limits.call = .seconds(60)
    limits.line = 1 << 20
    return limits
  }
}

/// Answers any request with the same, and keeps what it was sent.
struct Answering: Transport {
  var status = 200
  var body = "{}"
  let requests = Notes<HTTPRequest>()

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    requests.add(request)
    return HTTPResponse(status: status, headers: [HTTPHeader("Content-Type", "text/plain")], body: Array(body.utf8))
  }
}

/// What a question comes to in words: the price, or what is wrong.
func outcome(_ provider: DialectProvider, _ coins: [String] = ["bitcoin"]) async -> String {
  do {
    let batch = try await provider.answer(to: .quotes(coins: coins, currency: "usd"))
    return coins.map { coin in
      batch.values(Coin.self)[coin].map { $0.currentPrice.plainText } ?? batch.failures[coin]?.message ?? "nothing"
    }.joined(separator: " ")
  } catch {
    return (error as? BitpalError)?.message ?? "\(error)"
  }
}
