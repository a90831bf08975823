import Foundation

/// Files of 100,000 rows imported and stored, whole process, beside Python's csv module reading the same file.
struct Imports {
  private static let rows = 100_000

  private let world: World

  init(_ world: World) {
    self.world = world
  }

  func table() async throws -> Table {
    let files = FileManager.default
    let imports = world.home + "/imports"
    try? files.removeItem(atPath: imports)
    try files.copyItem(atPath: files.currentDirectoryPath + "/imports", toPath: imports)
    let data = world.home + "/.local/share/bitpal"
    var rows: [Row] = []
    let file = world.home + "/import.csv"
    let ours = world.bitpal("portfolio", "import", file, "--value", "zero")
    func forget() { try? files.removeItem(atPath: data) }
    func write(_ text: String) throws { try Data(text.utf8).write(to: URL(fileURLWithPath: file)) }
    for (name, text, most) in [
      ("our own CSV", Self.own, 1200), ("Coinbase", Self.coinbase, 1500), ("Kraken, ledgers", Self.kraken, 1500),
    ] as [(String, (Int) -> String, Int)] {
      try write(text(Self.rows / 10))
      forget()
      let small = try ours.peakKiB() ?? 0
      try write(text(Self.rows))
      forget()
      let large = try ours.peakKiB() ?? 0
      let python = Command(
        "/usr/bin/python3", ["-c", "import csv, sys\nfor row in csv.reader(open(sys.argv[1], newline='')): pass", file])
      guard python.isThere else {
        return Table("Imports", [], notes: ["python3 is not installed: nothing is measured."])
      }
      let times = try Command.inTurns([ours, python], rounds: 5) { if $0 == 0 { forget() } }
      let busy = try (0..<5).map { _ in
        forget()
        return try ours.processorTime()
      }
      let each = (large - small) * 1024 / (Self.rows - Self.rows / 10)
      rows += [
        .limit("\(name), processor time", Measurement(median: busy), .milliseconds(most), "Python's csv", times[1]),
        .within("\(name), on the wall clock", times[0], "its processor time", Measurement(median: busy), atMost: 1.5),
        Row(
          what: "\(name), memory for each row", measured: "\(each) bytes",
          against: "the file: \(text(Self.rows).utf8.count / Self.rows) bytes", wanted: "at most 400 bytes",
          met: Row.verdict(each <= 400)),
      ]
    }
    forget()
    return Table(
      "Imports of 100,000 rows with storing, whole process", rows,
      notes: [
        "Ours recognises, checks, values and stores what Python reads as rows of texts. Memory for each row is the difference of the peaks of 100,000 and 10,000 rows."
      ])
  }

  /// A time a minute after the one before.
  private static func time(_ row: Int) -> String {
    let (day, minute) = (row / 1440, row % 1440)
    func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "2024-\(padded(1 + day / 28))-\(padded(1 + day % 28)) \(padded(minute / 60)):\(padded(minute % 60)):00"
  }

  private static func own(_ rows: Int) -> String {
    "date,type,coin,amount,price,fee,notes\n"
      + (0..<rows).map { row in
        "\(time(row)),\(row % 4 == 3 ? "sell" : "buy"),\(row % 2 == 0 ? "btc" : "eth"),\(row % 4 == 3 ? "0.001" : "0.0\(1 + row % 7)"),\(40_000 + row).25,0.5,note \(row)\n"
      }.joined()
  }

  private static func coinbase(_ rows: Int) -> String {
    """
    Transactions
    User,Somebody
    ID,Timestamp,Transaction Type,Asset,Quantity Transacted,Price Currency,Price at Transaction,Subtotal,Total (inclusive of fees and/or spread),Fees and/or Spread,Notes

    """
      + (0..<rows).map { row in
        let (kind, sign) = row % 4 == 3 ? ("Sell", "-") : ("Buy", "")
        return
          "id\(row),\(time(row)) UTC,\(kind),\(row % 2 == 0 ? "BTC" : "ETH"),\(sign)\(row % 4 == 3 ? "0.001" : "0.0\(1 + row % 7)"),USD,$\(40_000 + row).25,"
          + "$\(1 + row % 900).50,$\(2 + row % 900).00,$0.50,\(kind) \(row)\n"
      }.joined()
  }

  private static func kraken(_ rows: Int) -> String {
    "\"txid\",\"refid\",\"time\",\"type\",\"subtype\",\"aclass\",\"asset\",\"wallet\",\"amount\",\"fee\",\"balance\"\n"
      + (0..<rows).map { row in
        let trade = row / 2
        let start = "\"L\(row)\",\"T\(trade)\",\"\(time(trade))\",\"trade\",\"tradespot\",\"currency\","
        return row % 2 == 0
          ? start + "\"ZUSD\",\"spot / main\",-\(1 + trade % 900).5000,0.5000,1000\n"
          : start + "\"XXBT\",\"spot / main\",0.0\(1 + trade % 7)00000000,0,1\n"
      }.joined()
  }
}
