import BitpalModel
import BitpalProviders
import FoundationEssentials

/// A search for the price of a coin in a sample, and for the change and the time beside it.
struct QuoteGuess {
  private typealias Leaf = (path: SamplePath, node: SampleNode)

  private let sample: SampleNode
  private let names: SampleNames

  /// The lengths of the lists of times in the sample: a list of the same length is a series parallel to them.
  private let lengthsOfTimes: Set<Int>

  /// The most figures in a list under one name: price, amount, time.
  private static let mostFigures = 3

  /// The plain names of a price, each with its weight.
  private static let priceNames: [String: Int] = [
    "price": 100, "lastprice": 98, "currentprice": 98, "marketprice": 98,
    "regularmarketprice": 98, "last": 90, "lasttradeprice": 90, "latest": 85, "spot": 80,
    "close": 70, "rate": 70, "c": 65, "amount": 60, "value": 55, "mid": 40, "midprice": 40, "ask": 20, "bid": 20,
  ]

  /// Returns the quotes of a sample; nil when no number in it can be a price.
  static func find(in sample: SampleNode, _ names: inout SampleNames, isBatch: Bool) -> GuessedOperation? {
    let guess = QuoteGuess(sample: sample, names: names, lengthsOfTimes: lengthsOfTimes(in: sample))
    return guess.operation(&names, isBatch: isBatch)
  }

  private static func lengthsOfTimes(in node: SampleNode) -> Set<Int> {
    let children = node.children.map(\.node)
    if case .array = node, SampleRows.Stamps(children.map(\.instant)) != nil { return [children.count] }
    return children.reduce(into: []) { $0.formUnion(lengthsOfTimes(in: $1)) }
  }

  private func operation(_ names: inout SampleNames, isBatch: Bool) -> GuessedOperation? {
    let leaves = sample.leaves()
    let hasOneNumber = leaves.filter { $0.node.decimal != nil && $0.node.instant == nil }.count == 1
    let scored = leaves.map { (leaf: $0, score: score($0, isOnlyNumber: hasOneNumber, isBatch: isBatch)) }
      .filter { $0.score > 0 }
    guard let best = scored.max(by: { $0.score < $1.score }) else { return nil }
    let split = rowSplit(best.leaf.path, isBatch: isBatch)
    let column = SamplePath(steps: Array(best.leaf.path.steps.dropFirst(split)))
    let container = split == 0 ? nil : SamplePath(steps: Array(best.leaf.path.steps.prefix(split - 1)))
    let row = SamplePath(steps: Array(best.leaf.path.steps.prefix(split)))
    let siblings: [Leaf] = (sample.node(at: row)?.leaves() ?? []).filter { $0.path != column }

    var columns: [GuessedColumn] = []
    var cells: [String: String] = [:]
    let price = best.leaf.node.decimal ?? 0
    let between = isBetweenExtremes(price, siblings, near: column)
    let confidence: Confidence =
      best.score >= 150 || between && best.score >= 60 ? .certain : best.score >= 60 ? .likely : .guess
    columns.append(
      GuessedColumn(
        field: "price", source: column.text(&names), confidence: confidence,
        why: why(of: column) + (between ? ", and it lies between low and high" : "")))
    cells["price"] = price.plainText

    if let identity = identity(row, siblings, &names, among: container, isBatch: isBatch) { columns += identity }
    if let found = change(siblings, price: price, near: column, &names) {
      columns.append(found.column)
      cells["change_24h"] = found.change
    }
    var format: DeclaredOperation.TimeFormat?
    if let found = time(siblings, near: column, &names) {
      columns.append(found.column)
      cells["time"] = found.instant.date.iso8601
      format = found.instant.format
    }
    var operation = GuessedOperation(
      capability: .quotes, rows: rows(container, columns, &names, isBatch: isBatch),
      columns: columns.filter { $0.field != "id" && $0.field != "symbol" || isBatch }, time: format,
      container: container, expected: [cells])
    if confidence != .certain {
      let others = scored.filter { $0.leaf.path != best.leaf.path }.sorted { $0.score > $1.score }
      operation.candidates = others.prefix(GuessedOperation.candidatesShown).map { other in
        GuessedColumn(
          field: "price", source: other.leaf.path.text(&names), confidence: .guess, why: why(of: other.leaf.path))
      }
    }
    return operation
  }

  // MARK: Price

  /// Returns the evidence that a number is the price; 0 when it cannot be.
  ///
  /// The name has the largest weight. The keys above it count too: a coin or a currency adds weight, an all-time high
  /// or a volume removes some. Of two equal candidates the one nearer to the root wins.
  private func score(_ leaf: Leaf, isOnlyNumber: Bool, isBatch: Bool) -> Int {
    guard let number = leaf.node.decimal, number > 0, leaf.node.instant == nil else { return 0 }
    // The first of a few figures has the meaning of the name; the first of a series would be the oldest.
    if case .index(let index)? = leaf.path.steps.last {
      let count = sample.node(at: leaf.path.parent)?.children.count ?? 0
      guard index == 0, count <= Self.mostFigures, !lengthsOfTimes.contains(count) else { return 0 }
    }
    var score = Self.priceNames[plain(leaf.path)] ?? 0
    if score == 0, leaf.path.name?.lowercased() == names.currency { score = 85 }
    if score == 0, leaf.path.plainName == "price" + names.currency { score = 100 }
    if score == 0, isOnlyNumber { score = 30 }
    guard score > 0 else { return 0 }
    for case .key(let key) in leaf.path.steps.dropLast() {
      if key.lowercased() == names.currency || names.isOfCoin(key) { score += 30 }
      if ["ath", "atl", "history", "open", "volume"].contains(SamplePath.plain(key)) { score -= 60 }
    }
    if rowNamesCoin(leaf.path, isBatch: isBatch) { score += 30 }
    return max(1, score * 10 - leaf.path.steps.count) / 6
  }

  /// Returns the name of a leaf without the currency at its end: `price_usd` is a price.
  private func plain(_ path: SamplePath) -> String {
    let own = path.plainName
    return own.hasSuffix(names.currency) && own.count > names.currency.count + 2
      ? String(own.dropLast(names.currency.count)) : own
  }

  /// Returns the reason for the choice of a price, as a clause.
  private func why(of column: SamplePath) -> String {
    guard let name = column.name else { return "it is the only number that can be one" }
    if Self.priceNames[plain(column)] != nil { return "it is called \(name)" }
    return name.lowercased() == names.currency
      ? "it stands under the currency" : "it is the only number that can be one"
  }

  /// Whether a low and a high are beside a price and it lies between them, which is rare for any other figure.
  private func isBetweenExtremes(_ price: Decimal, _ siblings: [Leaf], near column: SamplePath) -> Bool {
    func value(_ names: Set<String>) -> Decimal? {
      siblings.first { names.contains($0.path.plainName) && $0.path.steps.count == column.steps.count }?.node.decimal
    }
    guard let low = value(["low", "l", "lowprice", "low24h", "low24hr"]),
      let high = value(["high", "h", "highprice", "high24h", "high24hr"])
    else { return false }
    return low <= price && price <= high
  }

  // MARK: Rows

  /// Returns the number of steps to the row: past the last list of objects, or past the key that names the coin.
  ///
  /// If one coin is requested, a key that a placeholder can replace is a step of the path: then the row of another coin
  /// is never used.
  private func rowSplit(_ path: SamplePath, isBatch: Bool) -> Int {
    var split = 0
    var templates = names
    var node = sample
    for (index, step) in path.steps.enumerated() {
      guard let next = node.children.first(where: { $0.step == step })?.node else { break }
      if next.isContainer {
        switch step {
        case .index: split = index + 1
        case .key(let key):
          let isKeyed = node.children.allSatisfy { $0.node.isContainer }
          let isNamed = names.isOfCoin(key) && (isBatch || templates.template(of: key) == nil)
          if isKeyed, isNamed { split = index + 1 }
        }
      }
      node = next
    }
    // A list of figures under the price's name is not a list of rows.
    if split == path.steps.count { split = 0 }
    return split
  }

  /// Whether the row of a leaf names its coin.
  private func rowNamesCoin(_ path: SamplePath, isBatch: Bool) -> Bool {
    let split = rowSplit(path, isBatch: isBatch)
    guard split > 0, let row = sample.node(at: SamplePath(steps: Array(path.steps.prefix(split)))) else { return false }
    return row.children.contains { child in child.node.word.map { names.isOfCoin($0) } ?? false }
  }

  private func identity(
    _ row: SamplePath, _ siblings: [Leaf], _ names: inout SampleNames, among container: SamplePath?, isBatch: Bool
  ) -> [GuessedColumn]? {
    var columns: [GuessedColumn] = []
    if case .key(let key)? = row.steps.last {
      let isID = key == names.coin
      columns.append(
        GuessedColumn(
          field: isID ? "id" : "symbol", source: ":key", confidence: isID ? .certain : .likely,
          why: "the key names the coin"))
    } else if let leaf = siblings.first(where: { $0.node.word == names.coin && $0.path.steps.count == 1 }) {
      columns.append(
        GuessedColumn(field: "id", source: leaf.path.text(&names), confidence: .certain, why: "it is the coin's id"))
    } else if let leaf = siblings.first(where: {
      $0.path.steps.count == 1 && $0.node.word?.uppercased() == names.symbol && $0.path.plainName != "id"
    }) {
      columns.append(
        GuessedColumn(
          field: "symbol", source: leaf.path.text(&names), confidence: .certain, why: "it is the coin's ticker"))
    }
    return container == nil ? nil : columns
  }

  private func rows(
    _ container: SamplePath?, _ columns: [GuessedColumn], _ names: inout SampleNames, isBatch: Bool
  ) -> GuessedOperation.Rows {
    guard let container else { return .body }
    let text = container.text(&names)
    let count = sample.node(at: container)?.children.count ?? 0
    guard !isBatch, count > 1 else { return .each(text) }
    if let id = columns.first(where: { $0.field == "id" }) {
      return .filtered(text, condition: "\(Self.expression(id.source, isText: true)) = :id")
    }
    if let symbol = columns.first(where: { $0.field == "symbol" }) {
      return .filtered(text, condition: "upper(\(Self.expression(symbol.source, isText: true))) = :SYMBOL")
    }
    return .each(text)
  }

  /// Returns a path or `:key` as SQL.
  static func expression(_ source: String, isText: Bool) -> String {
    guard source.hasPrefix("$") else { return "row.key" }
    return "row.value \(isText ? "->>" : "->") \(JSONPathText(source).sql)"
  }

  // MARK: Change and time

  /// The plain names of a price 24 hours ago.
  private static let dayAgoNames: Set<String> = [
    "open24h", "dayago", "price24hago", "price24h", "yesterday", "prevdayprice", "prevprice24h",
  ]

  /// The plain names of an opening price.
  private static let openNames: Set<String> = ["open", "openprice", "o"]

  private func change(
    _ siblings: [Leaf], price: Decimal, near column: SamplePath, _ names: inout SampleNames
  ) -> (column: GuessedColumn, change: String)? {
    let isNear = { (leaf: Leaf) in leaf.path.parent == column.parent || leaf.path.steps.count <= column.steps.count }
    let opens = siblings.filter { leaf in
      let isFirst = leaf.path.steps.last != .index(1)
      return (Self.dayAgoNames.contains(leaf.path.plainName) || Self.openNames.contains(leaf.path.plainName))
        && isNear(leaf) && isFirst && leaf.node.decimal.map { $0 > 0 && $0 < price * 3 && price < $0 * 3 } ?? false
    }
    // A name that says 24 hours is better evidence than an open, which may be as old as the day.
    let dayAgo = opens.first { Self.dayAgoNames.contains($0.path.plainName) }
    let open = dayAgo ?? opens.first
    let opened = open?.node.decimal.flatMap { price.percentChange(since: $0) }
    let percents = siblings.filter { leaf in
      let name = leaf.path.plainName
      let isOfDay = ["24h", "24hr", "1d", "day", "daily"].contains { name.contains($0) }
      let isPercent = name.contains("percent") || name.contains("pct")
      return name.contains("change") && leaf.node.decimal != nil && isNear(leaf)
        && (isPercent && (isOfDay || !name.contains { $0.isNumber }) || name == names.currency + "24hchange")
        && !["marketcap", "volume", "ath", "atl"].contains { name.contains($0) }
    }
    let percentOfDay = percents.first { $0.path.plainName.contains("24h") }
    let percent = percentOfDay ?? (dayAgo == nil ? percents.first : nil)
    if let percent, let value = percent.node.decimal {
      let isAgreed = opened.map { abs($0 - value) < Decimal(1) / Decimal(10) } ?? false
      let isOfDay = percent.path.plainName.contains("24h")
      return (
        GuessedColumn(
          field: "change_24h", source: percent.path.text(&names),
          confidence: isAgreed || isOfDay ? .certain : .likely,
          why: "it is called \(percent.path.name ?? "")" + (isAgreed ? ", and agrees with the open" : "")),
        value.plainText
      )
    }
    guard let open, let opened else { return nil }
    return (
      GuessedColumn(
        field: "open_24h", source: open.path.text(&names), confidence: dayAgo == nil ? .guess : .likely,
        why: "it is called \(open.path.name ?? ""), and is of the price's size"
          + (dayAgo == nil ? "; many sources mean midnight by that, which is no open_24h" : "")), opened.plainText
    )
  }

  private func time(
    _ siblings: [Leaf], near column: SamplePath, _ names: inout SampleNames
  ) -> (column: GuessedColumn, instant: (date: Date, format: DeclaredOperation.TimeFormat))? {
    let stamps = siblings.filter { leaf in
      let name = leaf.path.plainName
      return leaf.node.instant != nil
        && !["open", "first", "ath", "atl", "start", "created", "listed", "genesis"].contains { name.contains($0) }
    }
    let best =
      stamps.first { ["updated", "lastupdate", "lastupdated", "lastupdatedat"].contains($0.path.plainName) }
      ?? stamps.first { ["time", "timestamp", "ts", "closetime", "date", "at", "seen"].contains($0.path.plainName) }
      ?? stamps.first { $0.path.plainName.contains("updat") || $0.path.plainName.contains("time") } ?? stamps.first
    guard let best, let instant = best.node.instant else { return nil }
    let isNamed = ["time", "updat", "seen", "date", "stamp"].contains { best.path.plainName.contains($0) }
    return (
      GuessedColumn(
        field: "time", source: best.path.text(&names), confidence: isNamed ? .certain : .likely,
        why: "it reads as \(instant.format.description)" + (isNamed ? " and is called \(best.path.name ?? "")" : "")),
      instant
    )
  }
}
