import Bitpal
import BitpalConfig
import BitpalModel
import BitpalNetwork
import BitpalProviders
import BitpalReplay
import Foundation
import TestSupport

/// The provider files of the world: the shipped ones, and those of a journal, a sheet, a recording and a plugin, with what
/// they read.
final class WorldFiles: Sendable {
  /// The folder of the package.
  static let root = #filePath.split(separator: "/").dropLast(4).reduce("") { $0 + "/" + $1 }

  /// The instant at which the world begins: a Wednesday, while New York trades.
  static let start = 1_795_013_400  // 2026-11-18T14:50:00Z

  /// Those of the seed of this run; they take a while to make.
  static let shared = Task { try await WorldFiles(Truth(seed: TruthRun.seed)) }

  let folder: TemporaryFolder
  let truth: Truth

  init(_ truth: Truth) async throws {
    self.truth = truth
    folder = try TemporaryFolder()
    try folder.write(Self.journal(truth), to: "providers/prices.journal")
    try folder.write("id: journal\nname: My journal\nkind: file\nfile: prices.journal\n", to: "providers/journal.yaml")
    try folder.write(Self.sheet(truth), to: "providers/prices.csv")
    try folder.write("id: sheet\nname: My sheet\nkind: file\nfile: prices.csv\n", to: "providers/sheet.yaml")
    try folder.write(
      "id: plugin\nname: Atlas\nkind: plugin\ncommand: [./plugin.sh]\nhosts: [plugin.example]\nrate_limit: 100000/1s\n",
      to: "providers/plugin.yaml")
    try folder.write(Self.program, to: "providers/plugin.sh")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755], ofItemAtPath: folder.path + "/providers/plugin.sh")
    try folder.write(
      "id: tape\nname: Tape\nkind: recorded\nof: coingecko\nrecording: ../tape\n", to: "providers/tape.yaml")
    for source in ["coingecko", "binance", "coinbase", "yahoo", "alphavantage", "ecb"] {
      let whole = try String(contentsOfFile: Self.root + "/providers/\(source).yaml", encoding: .utf8)
      // The examples have no part in asking, and are half of what there is to read.
      let text = whole.range(of: "\nexamples:").map { String(whole[..<$0.lowerBound]) } ?? whole
      // Under a budget that is never used up, and under one of a single request.
      let lines = text.split(separator: "\n").filter { !$0.hasPrefix("rate_limit:") }.joined(separator: "\n")
      try folder.write(lines + "\nrate_limit: 100000/1s\n", to: "providers/\(source).yaml")
      try folder.write(lines + "\nrate_limit: 1/10m\n", to: "tight/\(source)/\(source).yaml")
    }
    try await record()
  }

  /// How the files' names of things are written in them.
  static func commodity(_ thing: String) -> String {
    ["bitcoin": "BTC", "ethereum": "ETH", "house": "house"][thing] ?? thing
  }

  /// The days on which a file has prices of a thing, as of the start of the world.
  static func days(_ source: Source, _ thing: String) -> [Int] {
    let first = source.beginning(thing, now: start)
    if thing == "house" { return [first, (start - 100 * 86_400).day] }
    return Array(stride(from: first, through: (start - 2 * 86_400).day, by: 86_400))
  }

  private static func journal(_ truth: Truth) -> String {
    var lines = ["; prices of my own"]
    for (thing, currencies) in Source.journal.market.sorted(by: { $0.key < $1.key }) {
      for day in days(.journal, thing) {
        let price = truth.close(.journal, thing, currencies[0], at: day)
        let name = commodity(thing).allSatisfy(\.isLetter) ? commodity(thing) : "\"\(commodity(thing))\""
        lines.append("P \(day.dayText) \(name) \(price) \(currencies[0].uppercased())")
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func sheet(_ truth: Truth) -> String {
    var lines = ["date,commodity,price,currency"]
    for thing in Source.sheet.market.keys.sorted() {
      for day in days(.sheet, thing) {
        lines.append("\(day.dayText),\(commodity(thing)),\(truth.close(.sheet, thing, "usd", at: day)),usd")
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// A plugin that hands its question to its source, and the answer back.
  private static let program = #"""
    #!/bin/sh
    exec jq --unbuffered -c '
      def query: "ids=" + ((.coins // [.coin]) | join(",")) + (if .from then "&from=\(.from)&to=\(.to)" else "" end);
      def data: [.responses[0].body // "" | try fromjson catch null | .rows? | arrays][0];
      if .hello then {bitpal: 1, id: "plugin", name: "Atlas", answers: ["quotes", "line"], currencies: ["usd"], batch: 100}
      elif .plan then {requests: [{url: ("https://plugin.example/prices?" + (.plan | query))}]}
      elif .parse | data then {rows: (.parse | data)}
      else {error: {code: "unreadable", message: "there is no data in the answer"}} end'
    """#

  /// Records what the tape has: every question about its coins that the suite asks.
  private func record() async throws {
    let recorder = ExchangeRecorder()
    let clock = TruthClock(Self.start)
    let network = TruthNetwork(truth, clock: clock, coingecko: .tape)
    var specification = ProviderSpecification(id: "coingecko", name: "CoinGecko", kind: CoinGeckoKind())
    specification.attribution = nil
    let provider = DialectProvider(
      dialect: CoinGeckoDialect(), transport: recorder.transport(network, provider: "coingecko"), time: clock)
    _ = try await provider.answer(to: .coinList)
    for currency in ["usd", "eur", "gbp"] {
      _ = try await provider.answer(to: .quotes(coins: Listing.all.map(\.id), currency: currency))
    }
    for coin in ["bitcoin", "ethereum"] {
      _ = try await provider.answer(to: .detail(coin: coin, currency: "usd"))
      for days in [1, 7, 30, 365] {
        let window = TimeWindow(ending: clock.now, length: .seconds(days * 86_400))
        _ = try await provider.answer(to: .line(coin: coin, currency: "usd", window: window))
        _ = try await provider.answer(
          to: .candles(coin: coin, currency: "usd", window: window, width: .seconds(1800)))
      }
    }
    try HARWriter.write(
      recorder.exchanges, to: folder.path + "/tape", recordedAt: clock.now, provider: "coingecko", command: [],
      redaction: Redaction([Secret]()))
  }
}
