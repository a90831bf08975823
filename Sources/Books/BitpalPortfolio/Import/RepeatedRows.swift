import BitpalJSON
import BitpalModel
import FoundationEssentials

/// The rows of a file that have the id of another row: those that state the same at the same time are one row, however their texts
/// are spelled, and those that state other amounts of the same coins contradict each other.
struct RepeatedRows {
  /// The changes that a row states, by unit in capitals, and its time.
  private struct Content {
    var changes: [String: Decimal] = [:]
    var time: String?

    /// Whether another row states other changes of the same coins in the same direction; the halves of an exchange do not.
    func contradicts(_ other: Content) -> Bool {
      changes.keys == other.changes.keys && changes != other.changes
        && changes.allSatisfy { unit, change in (other.changes[unit] ?? 0).isSignMinus == change.isSignMinus }
    }
  }

  /// The lines of the rows that state what an earlier row of their id states.
  private(set) var twins: [Int] = []

  /// The lines of the rows that contradict an earlier row of their id, with its line.
  private(set) var contradictions: [(line: Int, other: Int)] = []

  /// Compares rows by what two SELECTs make of them.
  ///
  /// - Parameters:
  ///   - groups: The lines of the rows of each id.
  ///   - transactions: The SELECT of the transactions, which has the times.
  ///   - movements: The SELECT of the changes.
  ///   - dates: The notation of the times.
  ///   - marks: The number format of the file.
  /// - Throws: What the SELECTs throw.
  init(
    _ groups: [[Int]], _ transactions: (query: SheetQuery, columns: [ImportReader.Column?]),
    _ movements: (query: SheetQuery, columns: [ImportProof.Column]), _ dates: ImportDates, _ marks: NumberMarks?
  ) throws {
    var contents = Dictionary(groups.flatMap(\.self).map { ($0, Content()) }) { first, _ in first }
    if let line = transactions.columns.firstIndex(of: .line), let date = transactions.columns.firstIndex(of: .date) {
      try transactions.query.forEach(marks: marks) { row in
        let line = try row.whole(line)
        if contents[line] != nil { contents[line]?.time = try row.plain(date).map { Self.second($0, dates) } }
      }
    }
    let places = [ImportProof.Column.line, .coin, .change].compactMap { movements.columns.firstIndex(of: $0) }
    try movements.query.forEach(marks: marks) { row in
      let line = try row.whole(places[0])
      guard contents[line] != nil, let change = try row.plain(places[2]).flatMap({ try? Decimal(strict: $0) }) else {
        return
      }
      if change != 0 { contents[line]?.changes[try row.plain(places[1])?.uppercased() ?? "", default: 0] += change }
    }
    for lines in groups { compare(lines, contents) }
  }

  private mutating func compare(_ lines: [Int], _ contents: [Int: Content]) {
    var kept: [String: [(line: Int, content: Content)]] = [:]
    for line in lines {
      guard let content = contents[line], let time = content.time, !content.changes.isEmpty else { continue }
      let others = kept[time] ?? []
      if others.contains(where: { $0.content.changes == content.changes }) {
        twins.append(line)
        continue
      }
      if let other = others.first(where: { $0.content.contradicts(content) }) {
        contradictions.append((line, other.line))
      }
      kept[time, default: []].append((line, content))
    }
  }

  /// Returns the second of a time, which another export may write in another notation; the text where it is not certain.
  private static func second(_ text: String, _ dates: ImportDates) -> String {
    guard case .numbers = dates, let instant = ImportDate(text)?.instant(in: .ymd) else { return text }
    return instant.startOfSecond.utcText
  }
}
