import BitpalFiles
import BitpalJSON
package import BitpalModel
import FoundationEssentials

/// The acceptance of bodies that were edited by hand, for example to test a program with another price or a missing
/// field.
package enum BodyAcceptance {
  /// A body that differs from the recorded one.
  package struct Change: Hashable, Sendable {
    /// The path of its file, as the recording names it: `bodies/quotes-bitcoin-usd.json`.
    package let file: String

    /// The entries that it answers, counted from 1.
    package internal(set) var entries: [Int]

    /// Whether the body can be read.
    ///
    /// It is false for a `.json` file that is not JSON; such a body is replayed as an unreadable answer.
    package let isReadable: Bool
  }

  /// Updates the checksums of the bodies that differ from the recorded ones.
  ///
  /// Only `recording.har` is written, whole or not at all. A body is replayed as it is stored.
  ///
  /// - Parameter path: The folder of the recording.
  /// - Returns: The changed bodies; when there are none, nothing is written.
  /// - Throws: `BitpalError.recordingDamaged` for a body that is missing or too large, `.dataFile` when the folder
  ///   cannot be opened or the file written.
  package static func accept(_ path: String) throws(BitpalError) -> [Change] {
    try FolderSwap.alone(with: path) { () throws(BitpalError) in
      let recording = try HARReader.open(path)
      var entries = try HARReader.entries(path)
      var changes: [Change] = []
      for exchange in recording.exchanges {
        let index = exchange.number - 1
        guard case .file(let name, let sha256?) = exchange.body, entries.indices.contains(index) else { continue }
        let stored = try recording.stored(name, of: exchange)
        let digest = SHA256.hexDigest(of: stored)
        guard digest != sha256.lowercased() else { continue }
        let isJSON = isJSON(stored)
        entries[index] = entries[index].replacing(sha256, with: digest)
          .replacing(sha256.uppercased(), with: digest).withSize(stored.count)
        if let index = changes.firstIndex(where: { $0.file == name }) {
          changes[index].entries.append(exchange.number)
        } else {
          changes.append(
            Change(file: name, entries: [exchange.number], isReadable: isJSON || !name.hasSuffix(".json")))
        }
      }
      if !changes.isEmpty {
        try FileReplacement.replace(
          recording.head.file, with: try HARReader.replacingEntries(of: path, with: entries), access: .shared)
      }
      return changes
    }
  }

  private static func isJSON(_ bytes: [UInt8]) -> Bool {
    (try? JSONRows().forEach("SELECT json_type(?1)", in: bytes) { _ in }) != nil
  }
}

extension String {
  /// Returns the entry with another `size` of its content; unchanged where it has none.
  fileprivate func withSize(_ size: Int) -> String {
    guard let content = firstRange(of: "\"content\""),
      let name = self[content.upperBound...].firstRange(of: "\"size\"")
    else { return self }
    let digits = self[name.upperBound...].drop { $0 == ":" || $0.isWhitespace }.prefix { $0.isASCII && $0.isNumber }
    return self[..<digits.startIndex] + String(size) + self[digits.endIndex...]
  }
}
