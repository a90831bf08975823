import FoundationEssentials

extension TerminalChart {
  /// The frame of a plot: its width and its price scale.
  struct Frame {
    /// The number of characters across the plot.
    let columns: Int
    let axis: PriceAxis

    /// Whether there is room for prices beside the plot.
    let showsLabels: Bool
  }

  /// Returns a frame with the price scale on the right; its labels are omitted when the plot would be too narrow.
  func frame(low: Decimal, high: Decimal, last: [String], unit: PriceAxis.Unit = .price) -> Frame {
    let axis = PriceAxis(low: low, high: high, most: max(2, (options.height + 1) / 2), unit: unit)
    let label = (axis.ticks.map(\.label) + last).map(\.count).max() ?? 0
    // The axis and a space stand between plot and labels.
    let columns = options.width - label - 2
    return columns >= 6
      ? Frame(columns: columns, axis: axis, showsLabels: true)
      : Frame(columns: options.width - 1, axis: axis, showsLabels: false)
  }

  /// Returns the row of a value, from the top.
  func row(_ value: Decimal, _ axis: PriceAxis) -> Int {
    Int(((1 - axis.position(value)) * Double(4 * options.height - 1)).rounded()) / 4
  }

  /// Returns a separate row for each value, as near to its position as the others allow.
  ///
  /// - Parameter values: The values, highest first; at most as many as there are rows.
  private func rows(of values: [Decimal], _ axis: PriceAxis) -> [Int] {
    var places: [Int] = []
    for value in values { places.append(max(row(value, axis), (places.last ?? -1) + 1)) }
    var limit = options.height - 1
    for index in places.indices.reversed() {
      places[index] = min(places[index], limit)
      limit = places[index] - 1
    }
    return places
  }

  /// Returns the plot with its price scale, its time scale and the labels of both.
  ///
  /// - Parameters:
  ///   - last: The latest values, which the scale marks, each in a row of its own.
  ///   - marked: A column to be marked on the time scale; nil for none.
  func framed(
    _ grid: CellGrid, _ frame: Frame, last: [(value: Decimal, label: String, role: Role?)],
    ticks: [(column: Int, label: String)], marked: Int? = nil
  ) -> [StyledText] {
    var gutter: [Int: StyledText] = [:]
    // When not all of them fit, their numbers are still in the legend.
    let marks = last.prefix(grid.rows).sorted { $0.value > $1.value }
    for (mark, place) in zip(marks, rows(of: marks.map(\.value), frame.axis)) {
      var text = StyledText(String(glyphs.last), mark.role)
      if frame.showsLabels { text.append(" " + mark.label, mark.role ?? .heading) }
      gutter[place] = text
    }
    let room = options.width - grid.columns - 2
    for tick in frame.axis.ticks(
      most: grid.rows,
      where: { gutter[row($0.value, frame.axis)] == nil && (!frame.showsLabels || $0.label.count <= room) })
    {
      let row = row(tick.value, frame.axis)
      var text = StyledText(String(glyphs.axisTick), .quiet)
      if frame.showsLabels { text.append(" " + tick.label, .quiet) }
      gutter[row] = text
    }
    var lines = (0..<grid.rows).map { row -> StyledText in
      var line = grid.line(row)
      line.append(gutter[row] ?? StyledText(String(glyphs.axis), .quiet))
      return line
    }
    lines += timeScale(columns: grid.columns, ticks: ticks, marked: marked)
    return lines
  }

  private func timeScale(columns: Int, ticks: [(column: Int, label: String)], marked: Int?) -> [StyledText] {
    var base = [Character](repeating: glyphs.base, count: columns)
    var labels: [Character] = []
    for tick in ticks where base.indices.contains(tick.column) {
      let room = min(options.width, columns + 2)
      let start = min(max(0, tick.column - tick.label.count / 2), max(0, room - tick.label.count))
      // A label that would touch the one before it is omitted, with its tick.
      guard labels.isEmpty || start > labels.count, start + tick.label.count <= room else { continue }
      base[tick.column] = glyphs.baseTick
      labels += Array(repeating: " ", count: start - labels.count) + Array(tick.label)
    }
    if let marked, base.indices.contains(marked) { base[marked] = glyphs.openMark }
    return [
      StyledText(String(base) + String(glyphs.corner), .quiet), StyledText(String(labels), .quiet),
    ]
  }
}
