import BitpalModel
import BitpalProviders
import FoundationEssentials

/// A list or object with similar elements, as a table: its columns are the paths that all elements have.
struct SampleRows: Sendable {
  /// The path of the list or object.
  let container: SamplePath

  /// The keys of the elements; nil for a list.
  let keys: [String]?

  /// The elements.
  let rows: [SampleNode]

  /// The paths, within each element, of values that are not lists or objects.
  let columns: [SamplePath]

  private init?(_ node: SampleNode, at path: SamplePath) {
    let elements: [SampleNode]
    switch node {
    case .array(let items): (elements, keys) = (items, nil)
    case .object(let members): (elements, keys) = (members.map(\.value), members.map(\.key))
    case .string, .number, .other: return nil
    }
    guard let first = elements.first, elements.allSatisfy(\.isContainer) else { return nil }
    container = path
    rows = elements
    var columns = first.leaves().map(\.path).filter { $0.steps.count <= 4 }
    for row in elements.dropFirst() {
      let own = Set(row.leaves().map(\.path))
      columns.removeAll { !own.contains($0) }
    }
    guard !columns.isEmpty else { return nil }
    self.columns = columns
  }

  /// Returns every table in a sample, the outer ones first.
  static func all(in node: SampleNode, at path: SamplePath = SamplePath()) -> [SampleRows] {
    let own = SampleRows(node, at: path).map { [$0] } ?? []
    // The other elements are assumed to contain what the first ones contain.
    return own + node.children.prefix(20).flatMap { all(in: $0.node, at: path + $0.step) }
  }

  /// Returns the cells of a column.
  func cells(_ column: SamplePath) -> [SampleNode] { rows.compactMap { $0.node(at: column) } }

  /// Returns the numbers of a column; nil when a cell is not a number.
  func numbers(_ column: SamplePath) -> [Decimal]? {
    let numbers = cells(column).compactMap(\.decimal)
    return numbers.count == rows.count ? numbers : nil
  }

  /// Returns the instants of a column and their format; nil when a cell is not an instant, or two are equal.
  func instants(_ column: SamplePath) -> Stamps? { Stamps(cells(column).map(\.instant)) }

  /// The instants in the elements' keys; nil when a key is not an instant.
  var keyInstants: Stamps? { keys.flatMap { Stamps($0.map { SampleNode.instant($0) }) } }

  /// The instants of all rows.
  struct Stamps: Sendable {
    let dates: [Date]
    let format: DeclaredOperation.TimeFormat

    init?(_ found: [(date: Date, format: DeclaredOperation.TimeFormat)?]) {
      let all = found.compactMap { $0 }
      guard let first = all.first, all.count == found.count, all.allSatisfy({ $0.format == first.format }),
        Set(all.map(\.date)).count == all.count
      else { return nil }
      dates = all.map(\.date)
      format = first.format
    }

    /// The median distance between neighbours; nil for a single instant.
    var spacing: Duration? {
      let sorted = dates.sorted()
      let gaps = zip(sorted.dropFirst(), sorted).map { $0.0.since($0.1) }.sorted()
      return gaps.isEmpty ? nil : gaps[gaps.count / 2]
    }
  }
}
