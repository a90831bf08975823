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
    func forget() { try? files.removeItem(atPath: data) }
    func write(_ text: String) throws { try Data(text.utf8).write(to: URL(fileURLWithPath: file)) }
    for (name, text, most) in [
      ("our own CSV", Self.own, 1200), ("Coinbase", Self.coinbase, 1500), ("Kraken, ledgers", Self.kraken, 1500),
    ] as [(String, (Int) -> String, Int)] {
      // In our own form each row has its price, and a value for rows without one is refused.
      let values = name == "our own CSV" ? [] : ["--value", "zero"]
      let ours = world.bitpal(["portfolio", "import", file, "--offline"] + values)
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
        let isSale = row % 4 == 3
        let (kind, sign, asset) = (isSale ? "Sell" : "Buy", isSale ? "-" : "", row % 2 == 0 ? "BTC" : "ETH")
        let (hundredths, price) = (isSale ? 1 : 1 + row % 7, 40_000 + row)
        let (worth, fee) = (hundredths * price, 50)
        return
          "id\(row),\(time(row)) UTC,\(kind),\(asset),\(sign)0.0\(hundredths),USD,$\(price).00,"
          + "$\(money(worth)),$\(money(isSale ? worth - fee : worth + fee)),$\(money(fee)),\(kind) \(row)\n"
      }.joined()
  }

  /// An amount of hundredths.
  private static func money(_ cents: Int) -> String { "\(cents / 100).\(cents % 100 < 10 ? "0" : "")\(cents % 100)" }

  private static func kraken(_ rows: Int) -> String {
    var (cents, coins) = (1_000_000_000_00, 0)
    var text =
      "\"txid\",\"refid\",\"time\",\"type\",\"subtype\",\"aclass\",\"asset\",\"wallet\",\"amount\",\"fee\",\"balance\"\n"
    for trade in 0..<rows / 2 {
      let bought = 1 + trade % 7
      let spent = bought * (40_000 + trade)
      cents -= spent + 50
      coins += bought
      func line(_ side: Int, _ asset: String, _ amount: String, _ fee: String, _ balance: String) -> String {
        "\"L\(2 * trade + side)\",\"T\(trade)\",\"\(time(trade))\",\"trade\",\"tradespot\",\"currency\",\"\(asset)\","
          + "\"spot / main\",\(amount),\(fee),\(balance)\n"
      }
      text += line(0, "ZUSD", "-\(money(spent))", "0.50", money(cents))
      text += line(1, "XXBT", money(bought), "0", money(coins))
    }
    return text
  }
}
