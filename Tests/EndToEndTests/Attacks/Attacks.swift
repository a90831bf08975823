import Foundation
import Testing

/// What an attacker, a bad source and bad luck can do to the built tool.
///
/// `make attack` runs these; they need programs that a build does not (`strace`, `zsh`, `fish`, `sqlite3`), which it
/// installs. `make test` leaves them out.
@Suite(.ownThreads) enum Attacks {}

extension World {
  /// The exit statuses that the tool documents: everything else is a crash or a shell's.
  static let documentedStatuses: Set<Int32> = [0, 1, 2, 3, 4, 5, 6, 7, 130]

  /// Writes a file below the working folder, with the folders above it.
  @discardableResult
  func write(_ text: String, to name: String) throws -> String {
    let path = name.hasPrefix("/") ? name : work + "/" + name
    let url = URL(fileURLWithPath: path)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
    return path
  }

  /// Whether a file is there, or a link, wherever it leads.
  func exists(_ name: String) -> Bool {
    (try? FileManager.default.attributesOfItem(atPath: name.hasPrefix("/") ? name : work + "/" + name)) != nil
  }

  /// Three purchases in the user's data, and the settings that make them possible.
  func buyThree() throws {
    let line = "for day in 01 02 03; do bitpal buy 1 bitcoin --price 100 --date 2024-01-$day || exit; done"
    let outcome = try run("bitpal trust 2>/dev/null; \(line)")
    try #require(outcome.status == 0, "\(outcome.errors)")
  }

  /// How many transactions the user's data holds; nil when they cannot be read.
  func transactionCount(_ variables: String = "") throws -> Int? {
    let outcome = try run("\(variables) bitpal portfolio transactions --format csv")
    return outcome.status == 0 ? outcome.output.split(separator: "\n").count - 1 : nil
  }
}
