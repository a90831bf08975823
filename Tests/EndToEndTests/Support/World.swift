import Foundation
import Glibc
import TestSupport
import Testing

/// A folder of its own for one test: a home, and a working folder like a fresh clone (settings, provider files, recording).
final class World {
  /// What surrounds a command besides the world itself.
  struct Climate: CustomTestStringConvertible, Sendable {
    let variables: [String: String]

    static let plain = Climate(variables: ["LANG": "C.UTF-8", "TZ": "UTC"])
    static let far = Climate(variables: [
      "LANG": "tr_TR.UTF-8", "LC_COLLATE": "tr_TR.UTF-8", "LC_CTYPE": "tr_TR.UTF-8", "LC_TIME": "tr_TR.UTF-8",
      "TZ": "Asia/Tokyo",
    ])

    var testDescription: String { variables["TZ"] ?? "" }
  }

  /// What a command said.
  struct Outcome: Equatable {
    let output: String
    let errors: String
    let status: Int32
  }

  let folder: String
  private let climate: Climate
  private let isTrusted: Bool

  /// What the working folder's settings and provider files were when they were last trusted.
  private var trusted: [String: Data] = [:]

  /// The provider files of the folder: a few, because each command compares all of them with what was trusted.
  ///
  /// The others come with the program.
  private static let providers = [
    "alphavantage", "binance", "bitstamp", "coinbase", "coingecko", "coinpaprika", "ecb", "fixture", "frankfurter",
    "gemini", "kraken", "kucoin", "stooq", "yahoo",
  ]

  var work: String { folder + "/work" }
  var home: String { folder + "/home" }

  /// - Parameter isTrusted: Whether the folder is trusted before every line, with whatever the lines before it changed.
  ///   Where it is not, the recording is within the folder and not a link to ours.
  init(_ climate: Climate = .plain, isTrusted: Bool = true) throws {
    self.climate = climate
    self.isTrusted = isTrusted
    folder = FileManager.default.temporaryDirectory.resolvingSymlinksInPath().path + "/bitpal-" + UUID().uuidString
    let files = FileManager.default
    for path in [home, work] { try files.createDirectory(atPath: path, withIntermediateDirectories: true) }
    // The content is copied, so that a session can change the files.
    try files.createDirectory(atPath: work + "/providers", withIntermediateDirectories: true)
    for name in ["config.yaml", "imports"] + Self.providers.map({ "providers/\($0).yaml" }) {
      try files.copyItem(atPath: Repository.root + "/" + name, toPath: work + "/" + name)
    }
    if isTrusted {
      try files.createSymbolicLink(atPath: work + "/Fixtures", withDestinationPath: Repository.fixtures)
    } else {
      try files.copyItem(atPath: Repository.fixtures, toPath: work + "/Fixtures")
    }
  }

  deinit {
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// Writes a file below the working folder, or at an absolute path, with the folders above it; where it is.
  @discardableResult
  func write(_ text: String, to name: String) throws -> String {
    let path = absolute(name)
    try TemporaryFolder.write(text, at: path)
    return path
  }

  /// Where a file below the working folder is, or an absolute path.
  func absolute(_ name: String) -> String { name.hasPrefix("/") ? name : work + "/" + name }

  /// The file of a provider of the user's own.
  func ownProvider(_ id: String) -> String { home + "/.local/share/bitpal/providers/\(id).yaml" }

  /// Runs a line of shell in the working folder; `bitpal` is the tool just built.
  ///
  /// Every document that it prints is held against its schema.
  func run(_ line: String) throws -> Outcome {
    let output = folder + "/stdout"
    let errors = folder + "/stderr"
    let descriptors = [output, errors].map { (path: String) in
      open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    }
    defer { for descriptor in descriptors { close(descriptor) } }
    let child = try start("/bin/sh", ["-c", line], output: descriptors[0], errors: descriptors[1])
    let status: Int32 =
      switch child.wait() {
      case .exited(let status): status
      case .killed(let signal): 128 + signal
      }
    let outcome = Outcome(output: try text(output), errors: try text(errors), status: status)
    for fault in PrintedDocuments.faults(in: outcome.output) + PrintedDocuments.faults(in: outcome.errors) {
      Issue.record("\(line): \(fault)")
    }
    return outcome
  }

  /// Starts a process in this world.
  func start(
    _ path: String, _ arguments: [String], variables: [String: String] = [:], output: Int32? = nil,
    errors: Int32? = nil
  ) throws -> Child {
    let own = ["HOME": home, "PATH": Repository.products + ":/usr/bin:/bin", "TMPDIR": folder]
    let environment = climate.variables.merging(own) { $1 }
    try trustIfChanged(environment)
    return try Child(
      path, arguments, environment: environment.merging(variables) { $1 }, in: work, output: output, errors: errors)
  }

  /// Says `bitpal trust` for the user, unless the files are those for which it was said last.
  private func trustIfChanged(_ environment: [String: String]) throws {
    guard isTrusted else { return }
    let providers = (try? FileManager.default.contentsOfDirectory(atPath: work + "/providers")) ?? []
    let paths = (["config.yaml", "preferences.yaml"] + providers.map { "providers/" + $0 }).filter { path in
      // A test may have put a pipe there, which would be waited for.
      let type = try? FileManager.default.attributesOfItem(atPath: work + "/" + path)[.type] as? FileAttributeType
      return type == .typeRegular
    }
    let now = paths.reduce(into: [:]) { $0[$1] = try? Data(contentsOf: URL(fileURLWithPath: work + "/" + $1)) }
    guard now != trusted else { return }
    // Files that cannot be read cannot be trusted either; the line is about that.
    _ = try Child(Repository.tool, ["trust"], environment: environment, in: work, output: nil, errors: nil)
      .wait()
    trusted = now
  }

  /// The text of a file, with this world's folder written as `WORLD`, wherever its links lead.
  private func text(_ path: String) throws -> String {
    try String(contentsOfFile: path, encoding: .utf8)
      .replacingOccurrences(of: Repository.fixtures, with: folder + "/work/Fixtures")
      .replacingOccurrences(of: folder, with: "WORLD")
  }
}
