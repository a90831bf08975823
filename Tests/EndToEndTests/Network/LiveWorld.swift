import Foundation
import Glibc
import LoopbackServer
import TestSupport

/// A world whose provider is CoinGecko at a server of the test, with a key that must not be seen anywhere.
final class LiveWorld {
  /// The key that is set in this world.
  static let key = "CG-planted4711canary"

  let world: World
  private let file: String

  /// - Parameters:
  ///   - url: Where the source is.
  ///   - rate: Its budget.
  ///   - tier: Its plan.
  ///   - settings: More lines of `config.yaml`.
  init(_ url: String, rate: String = "100000/1s", tier: String = "demo", settings: String = "") throws {
    world = try World()
    file = world.work + "/config.yaml"
    let text = """
      bitpal: 1
      provider: coingecko
      convert: none
      providers:
        coingecko: { base_url: "\(url)", rate_limit: \(rate), tier: \(tier) }
      \(settings)
      """
    try Data((text + "\n").utf8).write(to: URL(fileURLWithPath: file))
  }

  /// Settings under which every answer is stale at once.
  static let staleAtOnce = "cache: { ttl: { quotes: 1ms, detail: 1ms } }"

  /// Runs a line of shell with the key set.
  func run(_ line: String, _ variables: [String: String] = [:]) throws -> World.Outcome {
    let words = variables.merging(["COINGECKO_API_KEY": Self.key]) { $1 }.map { "\($0)='\($1)'" }.sorted()
    return try world.run("export \(words.joined(separator: " ")); \(line)")
  }

  /// Starts the tool itself with the key set.
  func start(_ arguments: [String], output: Int32? = nil, errors: Int32? = nil) throws -> Child {
    try world.start(
      Repository.tool, arguments, variables: ["COINGECKO_API_KEY": Self.key], output: output, errors: errors)
  }

  /// Runs that many of the tool at once, and tells how each ended.
  func runTogether(_ lines: [[String]]) throws -> [Child.Ending] {
    let children = try lines.map { try start($0) }
    return children.map { $0.wait() }
  }

  /// The files in this world's home and working folder in which the key is written.
  func filesWithTheKey() throws -> [String] {
    let key = Data(Self.key.utf8)
    return try files().filter { path in
      try Data(contentsOf: URL(fileURLWithPath: path)).range(of: key) != nil
    }
  }

  /// Every file of the world that is not a link.
  func files() throws -> [String] {
    let found = FileManager.default.enumerator(atPath: world.folder)
    return (found?.compactMap { $0 as? String } ?? []).map { world.folder + "/" + $0 }.filter { path in
      (try? FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType) == .typeRegular
    }
  }
}
