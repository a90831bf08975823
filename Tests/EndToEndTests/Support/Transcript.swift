import Foundation
import Testing

/// A session in a shell, as a file: after `$ ` a command, below it what it says.
///
/// Lines of standard error begin with `! `, and a status other than 0 is a last line `[1]`. Lines above the first
/// command tell what the session shows. With `BITPAL_RECORD_GOLDEN=1` the files are written anew, so a session is added
/// by writing its commands into a new file and recording.
struct Transcript: CustomTestStringConvertible, Sendable {
  let name: String

  /// Every session there is.
  static let all: [Transcript] = {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: Repository.transcripts)) ?? []
    return files.filter { $0.hasSuffix(".txt") }.sorted().map { Transcript(name: $0) }
  }()

  static let isRecording = ProcessInfo.processInfo.environment["BITPAL_RECORD_GOLDEN"] == "1"

  var testDescription: String { name }

  /// What the file says.
  func expected() throws -> String {
    try String(contentsOfFile: path, encoding: .utf8)
  }

  /// What the tool says to the commands of the file.
  func actual(in climate: World.Climate) throws -> String {
    let world = try World(climate)
    let lines = try expected().split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    var text = lines.prefix { !$0.hasPrefix("$ ") }.map { $0 + "\n" }.joined()
    for command in lines where command.hasPrefix("$ ") {
      text += command + "\n" + Self.text(of: try world.run(String(command.dropFirst(2))))
    }
    return text
  }

  func record(_ text: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
  }

  private var path: String { Repository.transcripts + "/" + name }

  private static func text(of outcome: World.Outcome) -> String {
    var text = outcome.output
    if !text.isEmpty, !text.hasSuffix("\n") { text += "(no line end)\n" }
    for line in outcome.errors.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
      text += line.isEmpty ? "!\n" : "! \(line)\n"
    }
    return text + (outcome.status == 0 ? "" : "[\(outcome.status)]\n")
  }
}
