import BitpalFiles
import BitpalJSON
package import BitpalModel
import FoundationEssentials

/// A codec that converts answers to texts and back, for stores that keep texts; it is that of the cache file, without a
/// file.
///
/// A text of another version, or of another program, is not an answer.
package final class AnswerCodec: Sendable {
  /// The first words of every text: the program and the version of the format.
  private static let mark = "bitpal 1"

  /// The tables of the file, in memory, for SQLite's functions to read and write payloads; nil until first used.
  private let tables = Locked<SQLiteConnection?>(nil)

  package init() {}

  /// Returns an answer as a text, with the warnings of a series; nil when it cannot be encoded.
  ///
  /// - Parameter offset: The time by which the clock of its stamp is ahead of the one that readers share.
  package func text(of answer: Sourced<Answer>, offset: Duration) -> String? {
    // A source is an id, which has no spaces.
    guard let payload = perform({ try EntryCodec.payload(of: answer.value, $0) }) else { return nil }
    return
      "\(Self.mark) \(answer.fetchedAt.milliseconds) \(offset.milliseconds) \(KeptSource.text(of: answer))\n\(payload)"
  }

  /// Returns the answer of a text to the question of `key`; nil when the text is not one.
  ///
  /// Between clocks that differ by more than two seconds the time of the fetch is converted.
  ///
  /// - Parameter offset: The time by which this machine's clock is ahead of the one that writers share.
  package func answer(_ text: String, for key: AnswerKey, offset: Duration) -> Sourced<Answer>? {
    guard let end = text.utf8.firstIndex(of: 0x0A) else { return nil }
    let head = text[..<end].split(separator: " ", omittingEmptySubsequences: false)
    let payload = String(text[text.utf8.index(after: end)...])
    guard head.count == 5, head[0...1].joined(separator: " ") == Self.mark, let fetched = Int64(head[2]),
      let writer = Int64(head[3]), (0...253_402_300_799_999).contains(fetched), writer.magnitude < 1 << 50,
      StrictJSON.canonical(Array(payload.utf8))?.elementsEqual(payload.utf8) == true
    else { return nil }
    let apart = offset - .milliseconds(writer)
    let isApart = apart > .seconds(2) || apart < .seconds(-2)
    let fetchedAt = Date(milliseconds: fetched).adding(isApart ? apart : .zero)
    return perform { connection in
      if key.kind == .coinList {
        let items = try EntryCodec.coinList(payload, connection)
        return items.isEmpty
          ? nil : Sourced(.coinList(items), about: key, source: String(head[4]), fetchedAt: fetchedAt)
      }
      try EntryCodec.write(key, fetchedAt, source: String(head[4]), payload: payload, connection)
      defer { try? connection.execute("DELETE FROM entry") }
      return try EntryCodec.read(key, connection)
    }
  }

  private func perform<Result: Sendable>(_ body: (SQLiteConnection) throws -> Result?) -> Result? {
    tables.withLock { tables in
      do {
        let connection = try tables ?? SQLiteConnection(path: ":memory:", busyTimeout: .zero)
        if tables == nil { try CacheSchema.current.make(in: connection) }
        tables = connection
        return try body(connection)
      } catch {
        return nil
      }
    }
  }
}
