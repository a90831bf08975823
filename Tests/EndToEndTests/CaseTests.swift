import BitpalTesting
import Foundation
import Glibc
import TestSupport
import Testing

@Suite(.ownThreads) struct `Cases of the real world` {
  private static let cases = Case.all

  @Test(arguments: cases) func `A situation from a public report has the right answer`(situation: Case) throws {
    let home = try situation.begin()
    try Transcript(situation.folder + "/case.txt").expect { line in try home.run(line) }
  }

  @Test func `Each folder has a transcript that names its report`() throws {
    for situation in Self.cases {
      let text = try String(contentsOfFile: situation.folder + "/case.txt", encoding: .utf8)
      let description = text.components(separatedBy: "\n$ ")[0]
      #expect(description.contains("#") || description.contains("report: none"), "\(situation) names no report")
      #expect(text.contains("\n$ "), "\(situation) has no command")
    }
    #expect(!Self.cases.isEmpty)
  }
}

/// A folder of `Tests/Cases`.
struct Case: CustomTestStringConvertible, Sendable {
  let folder: String

  static let root = Repository.root + "/Tests/Cases"

  static var all: [Case] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
    let folders = names.map { Case(folder: root + "/" + $0) }
    return folders.filter { FileManager.default.fileExists(atPath: $0.folder + "/case.txt") }
      .sorted { $0.folder < $1.folder }
  }

  var testDescription: String { folder.split(separator: "/").last.map(String.init) ?? folder }

  /// Starts the source of the case, where it has one, and fills a home.
  func begin() throws -> CaseHome {
    let files = FileManager.default
    let home = try CaseHome()
    let names = try files.contentsOfDirectory(atPath: folder).sorted()
    if names.contains("routes.py") || names.contains("answers") { try home.startSource(folder) }
    for name in names where !["case.txt", "routes.py", "answers", "__pycache__"].contains(name) {
      try home.copy(folder + "/" + name, to: home.place(of: name))
    }
    return home
  }
}

/// The home of a case: its files, its source and its server.
final class CaseHome {
  private let folder: String
  private var source: Child?
  private var port = "0"

  private var home: String { folder + "/home" }

  var data: String { home + "/.local/share/bitpal" }

  init() throws {
    folder = FileManager.default.temporaryDirectory.resolvingSymlinksInPath().path + "/bitpal-case-" + UUID().uuidString
    for path in [home + "/.config/bitpal", data + "/providers", data + "/imports"] {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }
    for name in ["state", "requests"] { try Data().write(to: URL(fileURLWithPath: folder + "/" + name)) }
  }

  deinit {
    if let server = try? String(contentsOfFile: folder + "/serve.pid", encoding: .utf8),
      let process = pid_t(server.trimmingCharacters(in: .whitespacesAndNewlines))
    {
      kill(process, SIGKILL)
    }
    if let source {
      source.send(SIGKILL)
      _ = source.wait()
    }
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// Returns where a file of a case belongs.
  func place(of name: String) -> String {
    if name == "config.yaml" { return home + "/.config/bitpal/config.yaml" }
    if name.hasSuffix(".import.yaml") {
      return data + "/imports/" + name.replacingOccurrences(of: ".import.yaml", with: ".yaml")
    }
    let isProvider = [".yaml", ".py", ".sh"].contains { name.hasSuffix($0) }
    return isProvider ? data + "/providers/" + name : home + "/" + name
  }

  /// Copies a file or a folder, with the source's port in what is YAML or a program.
  func copy(_ path: String, to place: String) throws {
    guard [".yaml", ".py", ".sh"].contains(where: { path.hasSuffix($0) }) else {
      return try FileManager.default.copyItem(atPath: path, toPath: place)
    }
    let text = try String(contentsOfFile: path, encoding: .utf8).replacingOccurrences(of: "PORT", with: port)
    try Data(text.utf8).write(to: URL(fileURLWithPath: place))
    if !path.hasSuffix(".yaml") { chmod(place, 0o700) }
  }

  /// Starts the source of a case and waits for its port.
  func startSource(_ folderOfCase: String) throws {
    source = try Child(
      "/usr/bin/env", ["python3", Case.root + "/source.py", folder, folderOfCase], environment: environment, in: home,
      output: nil, errors: nil)
    let began = ContinuousClock.now
    while port == "0", ContinuousClock.now - began < .seconds(60) {
      usleep(5_000)
      port = (try? String(contentsOfFile: folder + "/port", encoding: .utf8)) ?? "0"
    }
  }

  /// Runs a line of shell in the home; `bitpal` is the tool just built.
  func run(_ line: String) throws -> Transcript.Outcome {
    let output = folder + "/stdout"
    let errors = folder + "/stderr"
    let descriptors = [output, errors].map { (path: String) in
      open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    }
    defer { for descriptor in descriptors { close(descriptor) } }
    let child = try Child(
      "/bin/sh", ["-c", ". \"$CASES/prelude.sh\"; \(line)"], environment: environment, in: home,
      output: descriptors[0], errors: descriptors[1])
    let status: Int32 =
      switch child.wait() {
      case .exited(let status): status
      case .killed(let signal): 128 + signal
      }
    return Transcript.Outcome(output: try text(output), errors: try text(errors), status: status)
  }

  private var environment: [String: String] {
    [
      "HOME": home, "PATH": Repository.products + ":/usr/local/bin:/usr/bin:/bin", "TMPDIR": folder, "LANG": "C.UTF-8",
      "TZ": "UTC", "CASE": folder, "CASES": Case.root, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": Case.root,
      "PORT": port,
    ]
  }

  /// Returns the text of a file, without this machine's port and folder.
  private func text(_ path: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
      .replacingOccurrences(of: "127.0.0.1:\(port)", with: "127.0.0.1:PORT")
      .replacingOccurrences(of: folder + "/home", with: "HOME")
      .replacingOccurrences(of: folder, with: "FOLDER")
  }
}
