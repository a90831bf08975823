import Foundation
import Testing

/// What an attacker, a bad source and bad luck can do to the built tool.
///
/// `make attack` runs these; they need programs that a build does not (`strace`, `zsh`, `fish`), which it installs.
/// `make test` leaves them out.
@Suite(.ownThreads) enum Attacks {
  /// Expects an ending that is documented, in a form that a terminal can be shown.
  ///
  /// A crash ends with a status above 128, a hang with that of `timeout`, 124.
  static func expectSafe(
    _ outcome: World.Outcome, _ what: @autoclosure () -> String = "", sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(
      [0, 1, 2, 3, 4, 5, 6, 7].contains(outcome.status), "\(what()): \(outcome.status) \(outcome.errors)",
      sourceLocation: sourceLocation)
    let shown = outcome.output + outcome.errors
    let odd = shown.unicodeScalars.filter { scalar in
      switch scalar.value {
      // Tab and line end; what moves the cursor, turns the direction of writing, or takes no place.
      case 0x09, 0x0A: false
      case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x2069, 0xFEFF, 0xE0000...0xE007F:
        true
      default: false
      }
    }
    #expect(odd.isEmpty, "\(what()): \(odd.map { String($0.value, radix: 16) })", sourceLocation: sourceLocation)
  }
}

extension World {
  /// Runs a line of shell within 90 s (a debug build reads 5 MB in 11 s, on a free processor), each process of it with at
  /// most 512 MiB of data.
  ///
  /// The limit does not hold where the tool is built with a sanitizer, which needs terabytes.
  func attack(_ line: String, _ variables: [String: String] = [:]) throws -> Outcome {
    let limit = "(ulimit -d 524288; bitpal --version) > /dev/null 2>&1 && ulimit -d 524288"
    let words = variables.map { "export \($0)='\($1)'; " }.joined()
    try write("\(words)\(limit)\n\(line)\n", to: folder + "/line")
    return try run("timeout -k 1 90 sh ../line")
  }

  /// Whether a file is there, or a link, wherever it leads.
  func exists(_ name: String) -> Bool {
    (try? FileManager.default.attributesOfItem(atPath: absolute(name))) != nil
  }

  /// What a file holds; nil when it cannot be read.
  func content(_ name: String) -> Data? {
    FileManager.default.contents(atPath: absolute(name))
  }

  /// The files of the home folder with what they hold, but for caches and state, which every command may touch.
  func possessions() throws -> [String: Data] {
    let found = FileManager.default.enumerator(atPath: home)?.compactMap { $0 as? String } ?? []
    let kept = found.filter { !$0.hasPrefix(".cache") && !$0.hasPrefix(".local/state") }
    return Dictionary(
      kept.map { ($0, content(home + "/" + $0) ?? Data()) }, uniquingKeysWith: { first, _ in first })
  }
}
