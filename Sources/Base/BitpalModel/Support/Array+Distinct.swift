extension Array where Element: Hashable {
  /// The elements, each at its first place only.
  package var distinct: [Element] {
    guard count > 1 else { return self }
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}
