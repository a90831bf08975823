/// A search for the name that a mistyped one probably means.
package enum NearestName {
  /// Returns the candidate with the fewest edits from `name`, if that is at most a third of its length (and at least
  /// 1).
  ///
  /// Case is ignored. Ties go to the candidate that comes first. A name of one or two letters, or of digits alone, is near
  /// to anything, and so to nothing.
  package static func match(_ name: String, among candidates: some Sequence<String>) -> String? {
    let wanted = Array(name.lowercased().unicodeScalars)
    guard (3...64).contains(wanted.count), !wanted.allSatisfy({ ("0"..."9").contains($0) }) else { return nil }
    var most = max(1, wanted.count / 3)
    var rows = Rows(count: wanted.count + most + 1)
    var other: [Unicode.Scalar] = []
    var best: String?
    for candidate in candidates {
      // A scalar has at most four bytes. Names of a whole coin list pass here, so nothing is allocated for each.
      guard candidate.utf8.count <= 4 * (wanted.count + most) else { continue }
      other.removeAll(keepingCapacity: true)
      other.append(contentsOf: candidate.lowercased().unicodeScalars)
      guard other.count <= wanted.count + most, wanted.count <= other.count + most,
        let edits = rows.distance(wanted, other, atMost: most)
      else { continue }
      best = candidate
      if edits == 0 { break }
      most = edits - 1
    }
    return best
  }

  /// Three rows of the table of distances between the beginnings of two names.
  private struct Rows {
    private var beforePrevious: [Int]
    private var previous: [Int]
    private var current: [Int]

    init(count: Int) {
      beforePrevious = Array(repeating: 0, count: count)
      (previous, current) = (beforePrevious, beforePrevious)
    }

    /// Returns the optimal string alignment distance: an insertion, a deletion, a replacement, or a swap of two
    /// neighbours counts as one edit; nil for more than `most`.
    mutating func distance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar], atMost most: Int) -> Int? {
      for j in 0...right.count { previous[j] = j }
      var last = 0
      for i in left.indices {
        current[0] = i + 1
        var least = i + 1
        for j in right.indices {
          var edits = min(previous[j + 1] + 1, current[j] + 1, previous[j] + (left[i] == right[j] ? 0 : 1))
          if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
            edits = min(edits, beforePrevious[j - 1] + 1)
          }
          current[j + 1] = edits
          least = min(least, edits)
        }
        // A swap reaches back two rows.
        if min(least, last) > most { return nil }
        last = least
        swap(&beforePrevious, &previous)
        swap(&previous, &current)
      }
      return previous[right.count] <= most ? previous[right.count] : nil
    }
  }
}
