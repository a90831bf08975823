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
    for (name, text) in [
      ("our own CSV", Self.own()), ("Coinbase", Self.coinbase()), ("Kraken, ledgers", Self.kraken()),
    ] {
      let file = world.home + "/import.csv"
      try Data(text.utf8).write(to: URL(fileURLWithPath: file))
      let ours = world.bitpal("portfolio", "import", file, "--value", "zero")
      let python = Command(
        "/usr/bin/python3", ["-c", "import csv, sys\nfor row in csv.reader(open(sys.argv[1], newline='')): pass", file])
      guard python.isThere else {
        return Table("Imports", [], notes: ["python3 is not installed: nothing is measured."])
      }
      let times = try Command.inTurns([ours, python], rounds: 5) { index in
        if index == 0 { try? files.removeItem(atPath: data) }
      }
      rows.append(
        .limit("\(name), \(Self.rows) rows", times[0], .milliseconds(1500), "Python's csv, reading only", times[1]))
    }
    try? files.removeItem(atPath: data)
    return Table(
      "Imports, whole process", rows,
      notes: ["Ours recognises, checks, values and stores what Python reads as rows of texts."])
  }

  /// A time a minute after the one before.
  private static func time(_ row: Int) -> String {
    let (day, minute) = (row / 1440, row % 1440)
    func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "2024-\(padded(1 + day / 28))-\(padded(1 + day % 28)) \(padded(minute / 60)):\(padded(minute % 60)):00"
  }

  private static func own() -> String {
    "date,type,coin,amount,price,fee,notes\n"
      + (0..<rows).map { row in
        "\(time(row)),\(row % 4 == 3 ? "sell" : "buy"),\(row % 2 == 0 ? "btc" : "eth"),\(row % 4 == 3 ? "0.001" : "0.0\(1 + row % 7)"),\(40_000 + row).25,0.5,note \(row)\n"
      }.joined()
  }

  private static func coinbase() -> String {
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

  private static func kraken() -> String {
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
