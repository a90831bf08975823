/// A search for the name that a mistyped one probably means.
package enum NearestName {
  /// Returns the candidate with the fewest edits from `name`, if that is at most a third of its length (and at least
  /// 1).
  ///
  /// Case is ignored. Ties go to the candidate that comes first.
  package static func match(_ name: String, among candidates: some Sequence<String>) -> String? {
    let wanted = Array(name.lowercased().unicodeScalars)
    guard !wanted.isEmpty, wanted.count <= 64 else { return nil }
    let most = max(1, wanted.count / 3)
    var best: (name: String, edits: Int)?
    for candidate in candidates {
      let other = Array(candidate.lowercased().unicodeScalars)
      guard other.count <= wanted.count + most, wanted.count <= other.count + most else { continue }
      let edits = distance(wanted, other)
      if edits <= most, edits < (best?.edits ?? .max) { best = (candidate, edits) }
    }
    return best?.name
  }

  /// Returns the optimal string alignment distance: an insertion, a deletion, a replacement, or a swap of two
  /// neighbours counts as one edit.
  static func distance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
    var beforePrevious: [Int] = []
    var previous = Array(0...right.count)
    for i in left.indices {
      var current = [i + 1]
      for j in right.indices {
        var edits = min(previous[j + 1] + 1, current[j] + 1, previous[j] + (left[i] == right[j] ? 0 : 1))
        if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
          edits = min(edits, beforePrevious[j - 1] + 1)
        }
        current.append(edits)
      }
      beforePrevious = previous
      previous = current
    }
    return previous[right.count]
  }
}
