import BitpalConfig
import BitpalModel
import BitpalNetwork
import BitpalProviders
import Foundation

/// The European Central Bank's history in CSV and XML to typed rows of one pair, beside Python reading the same bytes.
struct Rates {
  /// About as many working days as since 1999.
  private static let days = 6500

  private static let end = Date(milliseconds: 1_736_899_200_000)

  /// Three ways to ask for a line; the last divides one rate by another.
  private static let files = [
    "csv": """
    body: csv
      fields: { time: $.Date, price: "$.{CURRENCY}" }
    """,
    "xml": """
    body: xml
      each: $."gesmes:Envelope".Cube.Cube
      fields: { time: $.@time, price: "\(rate(of: ":CURRENCY"))" }
    """,
    "cross": """
    body: xml
      each: $."gesmes:Envelope".Cube.Cube
      fields: { time: $.@time, price: "decimal_div(\(rate(of: ":CURRENCY")), \(rate(of: "upper(:id)")))" }
    """,
  ]

  private static func rate(of currency: String) -> String {
    "(SELECT r.value->>'$.@rate' FROM json_each(row.value, '$.Cube') AS r WHERE r.value->>'$.@currency' = \(currency))"
  }

  func table() async throws -> Table {
    let folder = FileManager.default.temporaryDirectory.path + "/bitpal-rates-\(getpid())"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let bodies = ["csv": Self.sheet(), "xml": Self.elements()]
    for (name, body) in bodies { try Data(body).write(to: URL(fileURLWithPath: "\(folder)/rates.\(name)")) }
    let python = try PythonReader(script: "Benchmarks/rates.py", ["\(folder)/rates.csv", "\(folder)/rates.xml"])
    defer { python.end() }
    var rows: [Row] = []
    for (name, what, currency) in [
      ("csv", "CSV, a rate of each day", "usd"), ("xml", "XML, a rate of each day", "usd"),
      ("cross", "XML, one rate divided by another", "gbp"),
    ] {
      let dialect = try Self.dialect(name, folder)
      let response = HTTPResponse(status: 200, body: bodies[name] ?? bodies["xml"] ?? [])
      let query = ProviderQuery.line(
        coin: "usd", currency: currency, window: TimeWindow(ending: Self.end, length: .seconds(30 * 366 * 86_400)))
      let times = try await Measurement.inTurns(
        repeated {
          guard case .line(let series)? = try dialect.answer(to: query, from: response).answers["usd"],
            series.points.count == Self.days
          else { throw Wrong() }
        },
        { times in guard try python.read(name, times) == Self.days else { throw Wrong() } })
      rows.append(.faster(what, times[0], "Python", times[1], atLeast: 3))
    }
    return Table(
      "\(Self.days) days of about 30 rates to typed rows, in process", rows,
      notes: [
        """
        The bytes are of our own making in the formats of the bank: \((bodies["csv"] ?? []).count >> 10) KiB of CSV with \
        42 columns, \((bodies["xml"] ?? []).count >> 10) KiB of XML. They are read through a provider file, sandbox and \
        all, and by \(python.versions).
        """
      ])
  }

  private struct Wrong: Error {}

  private static func dialect(_ name: String, _ folder: String) throws -> DeclarativeDialect {
    let text = """
      id: \(name)
      name: Rates
      kind: http
      base_url: https://rates.example
      line:
        get: /history
        time: iso8601
        \(files[name] ?? "")
      """
    try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder)/\(name).yaml"))
    return try DeclarativeDialect(
      ProviderCatalog(settings: Settings(providersDirs: [folder])).specification(for: name))
  }

  // MARK: Bodies

  private static let currencies = """
    USD JPY BGN CZK DKK GBP HUF PLN RON SEK CHF ISK NOK TRY AUD BRL CAD CNY HKD IDR ILS INR KRW MXN MYR NZD PHP SGD THB ZAR
    """.split(separator: " ")

  /// Currencies that were, and have N/A.
  private static let former = "CYP EEK LTL LVL MTL ROL SIT SKK TRL HRK RUB".split(separator: " ")

  /// The days, latest first, each with its rates.
  private static func history() -> [(day: String, rates: [String])] {
    (0..<days).map { ago in
      let day = Date(milliseconds: end.milliseconds - Int64(ago) * 86_400_000)
      let rates = currencies.indices.map { index in
        "\((ago * 7 + index * 131) % 190 + 1).\(1000 + (ago * 17 + index * 29) % 9000)"
      }
      return (String(day.iso8601.prefix(10)), rates)
    }
  }

  private static func sheet() -> [UInt8] {
    var text = "Date," + (currencies + former).joined(separator: ",") + ",\n"
    for (day, rates) in history() {
      text += day + "," + rates.joined(separator: ",") + String(repeating: ",N/A", count: former.count) + ",\n"
    }
    return Array(text.utf8)
  }

  private static func elements() -> [UInt8] {
    var text = """
      <?xml version="1.0" encoding="UTF-8"?><gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" \
      xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref"><gesmes:subject>Reference rates</gesmes:subject>\
      <gesmes:Sender><gesmes:name>European Central Bank</gesmes:name></gesmes:Sender><Cube>
      """
    for (day, rates) in history() {
      text += "<Cube time=\"\(day)\">"
      for (currency, rate) in zip(currencies, rates) { text += "<Cube currency=\"\(currency)\" rate=\"\(rate)\"/>" }
      text += "</Cube>"
    }
    return Array((text + "</Cube></gesmes:Envelope>").utf8)
  }
}

/// A Python that stays open, so that its start is no part of what is measured.
private struct PythonReader {
  let versions: String
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()

  init(script: String, _ files: [String]) throws {
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", script] + files
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    versions = Self.line(output)
  }

  /// Reads that many times; how many rows came out.
  func read(_ what: String, _ times: Int) throws -> Int? {
    try input.fileHandleForWriting.write(contentsOf: Data("\(what) \(times)\n".utf8))
    return Int(Self.line(output))
  }

  func end() {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  private static func line(_ pipe: Pipe) -> String {
    var line = ""
    while let byte = try? pipe.fileHandleForReading.read(upToCount: 1), let byte = byte.first, byte != 0x0A {
      line.unicodeScalars.append(Unicode.Scalar(byte))
    }
    return line
  }
}
