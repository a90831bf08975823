import Foundation
import Testing

/// The newcomer's tour of the README, with coins and shares, and the requests that it costs.
@Suite struct TourTests {
  private static let tour: [[String]] = [
    ["price", "bitcoin", "ethereum", "solo-coin", "--currency", "eur"], ["price", "nope"], ["search", "sol"],
    ["watchlist", "add", "btc", "eth"], ["price"],
    ["history", "bitcoin", "--from", "2026-11-12", "--to", "2026-11-14"],
    ["buy", "0.5", "bitcoin", "--price", "64000", "--date", "2026-08-01"], ["portfolio"],
    ["price", "AAPL"], ["buy", "2", "AAPL", "--date", "2026-11-16"], ["portfolio"],
    ["chart", "bitcoin", "--range", "1M", "--type", "candle"], ["chart", "bitcoin", "ethereum", "--range", "1Y"],
    ["chart", "AAPL", "--range", "1M"], ["convert", "0.5", "btc", "eur"],
    ["convert", "100", "usd", "solo", "--on", "2026-11-14"], ["coin", "ethereum", "--currency", "gbp"],
    ["watchlist", "add", "solo"], ["watchlist", "list"], ["status"], ["price", "bitcoin", "--offline"],
    ["portfolio", "chart", "--range", "1M"], ["portfolio", "returns"],
  ]

  /// Sixteen requests were sent before a list was asked what its source lacks.
  ///
  /// Another program than the built one is named by `BITPAL_TOUR`.
  @Test func `The tour costs no more requests than it did`() async throws {
    let files = try await WorldFiles.shared.value
    let server = try TruthServer(files.truth)
    defer { server.stop() }
    let one = Case(
      ask: .price, sources: [.coingecko, .yahoo], name: "bitcoin", currency: "usd", condition: .well, hasList: false,
      converts: true)
    let world = try BinaryWorld(
      files, server, one, number: 0, tool: ProcessInfo.processInfo.environment["BITPAL_TOUR"] ?? BinaryWorld.tool)
    var lines: [String] = []
    var count = 0
    for words in Self.tour {
      let outcome = try await world.run(words)
      let sent = world.takeSent()
      count += sent.count
      lines.append("\(sent.count) \(words.joined(separator: " ")) (\(outcome.status))")
      for (source, target) in sent { lines.append("    \(source.rawValue) \(target.prefix(110))") }
    }
    let report = "\(count) requests\n\(lines.joined(separator: "\n"))\n"
    if let file = ProcessInfo.processInfo.environment["BITPAL_TOUR_REPORT"] {
      try report.write(toFile: file, atomically: true, encoding: .utf8)
    }
    #expect(count <= 16, "\(report)")
  }
}
