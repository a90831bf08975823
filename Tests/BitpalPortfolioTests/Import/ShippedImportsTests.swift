import BitpalConfig
import BitpalModel
import BitpalPortfolio
import Foundation
import TestSupport
import Testing

@Suite struct `The imports we ship` {
  private static let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent()
    .deletingLastPathComponent()
    .deletingLastPathComponent().path

  static func catalog(_ folder: String = repository) throws -> ImportCatalog {
    let environment = Environment(
      variables: ["HOME": "/home/nobody", "XDG_DATA_DIRS": "/none"], currentDirectory: folder)
    return ImportCatalog(
      settings: try SettingsLoader(
        environment: environment, overrides: SettingsOverrides(configPath: repository + "/config.yaml")
      ).load())
  }

  static let listings = (try? catalog().list()) ?? []

  @Test func `There is one for each export that people have`() {
    let ids = [
      "binance", "binance-trades", "bitpanda", "bitstamp", "bitvavo", "bybit", "coinbase", "cointracking", "cryptocom",
      "delta", "ghostfolio", "koinly", "kraken-ledgers", "kraken-trades", "kucoin", "okx", "okx-funding",
      "revolut",
    ]
    #expect(Self.listings.map(\.id) == ids)
  }

  @Test(arguments: listings.map(\.id))
  func `Every example comes out as it says, one of them with faults`(id: String) throws {
    let specification = try Self.catalog().specification(for: id)
    let outcomes = try ImportCheck(specification).run()
    #expect(outcomes.compactMap(\.problem) == [])
    #expect(outcomes.contains { $0.transactions > 0 } && outcomes.contains { $0.faults > 0 })
  }

  @Test(arguments: listings.map(\.id))
  func `Its file is known as its own among all, whatever stands in its examples`(id: String) throws {
    let all = try Self.listings.map { try $0.outcome.get() }
    let specification = try #require(all.first { $0.id == id })
    for example in specification.examples {
      guard case .known(let found, _) = try ImportRecognition(Array(example.csv.utf8), name: "t", among: all) else {
        Issue.record("not known")
        continue
      }
      #expect(found.id == id)
    }
  }
}

@Suite struct `An import file` {
  private func problems(_ text: String) throws -> String {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder.path + "/imports", withIntermediateDirectories: true)
    try Data("bitpal: 1\n".utf8).write(to: URL(fileURLWithPath: folder.path + "/config.yaml"))
    try Data(text.utf8).write(to: URL(fileURLWithPath: folder.path + "/imports/mine.yaml"))
    let environment = Environment(
      variables: ["HOME": "/home/nobody", "XDG_DATA_DIRS": "/none"], currentDirectory: folder.path)
    let settings = try SettingsLoader(
      environment: environment, overrides: SettingsOverrides(configPath: "config.yaml")
    ).load()
    do throws(BitpalError) {
      _ = try ImportReader(try ImportCatalog(settings: settings).specification(for: "mine"))
      return "good"
    } catch {
      return error.description
    }
  }

  private let good =
    "id: mine\nname: Mine\nheader: [Date, Amount]\nselect: SELECT line, \"Date\" AS date FROM rows\n"
    + "movements: SELECT line, 'USD' AS coin, \"Amount\" AS change FROM rows\n"

  @Test func `Five keys are enough`() throws {
    #expect(try problems(good) == "good")
  }

  @Test(
    arguments: [
      ("name: Mine\n", "", "imports/mine.yaml: the key \"name\" is missing"),
      (
        "'USD' AS coin", "'USD' AS unit",
        "imports/mine.yaml:5:12: the SELECT of the movements lacks \"coin\"; its columns are line, coin, change"
      ),
      (
        "id: mine", "id: yours",
        "imports/mine.yaml:1:5: the id must be the file's name without .yaml, which is \"mine\""
      ),
      (
        "header: [Date, Amount]", "header: Date",
        "imports/mine.yaml:3:9: header must be a list of the columns that such a file has, like [Date, Type, Amount]"
      ),
      (
        "select: ", "delimeter: ;\nselect: ",
        "imports/mine.yaml:4:1: unknown key \"delimeter\" (did you mean \"delimiter\"?)"
      ),
      ("select: ", "dates: dmyy\nselect: ", "imports/mine.yaml:4:8: dates must be dmy, mdy, ymd or patterns"),
      (
        "select: ", "decimal: dot\nselect: ", "imports/mine.yaml:4:10: decimal must be one of point, comma, not \"dot\""
      ),
      (
        "\"Date\" AS date FROM rows", "\"Date\" AS date FORM rows",
        "imports/mine.yaml:4:37: SQL: near \"FORM\": syntax error"
      ),
      ("select: ", "examples: [{ csv: a }]\nselect: ", "imports/mine.yaml:4:12: this example lacks rows (or faults)"),
    ])
  func `A fault is reported with line and column`(part: String, change: String, expected: String) throws {
    let found = try problems(good.replacing(part, with: change))
    #expect(found.hasPrefix(expected), "\(found)")
  }

  @Test func `One that is not there names those there are`() throws {
    let error = #expect(throws: BitpalError.self) {
      _ = try `The imports we ship`.catalog().specification(for: "koinli")
    }
    #expect(
      error?.description.hasPrefix("unknown import \"koinli\"; did you mean \"koinly\"? there are binance, ")
        == true)
  }
}
