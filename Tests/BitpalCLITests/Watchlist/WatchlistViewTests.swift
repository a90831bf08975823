import Bitpal
import BitpalJSON
import BitpalModel
import BitpalOutput
import BitpalPortfolio
import BitpalQueries
import Foundation
import Testing

@testable import bitpal

@Suite struct `The watchlist with prices` {
  private func view(_ order: WatchlistQuery.Order? = nil, isReversed: Bool = false) throws -> WatchlistView {
    let items = [("b", 2), ("gone", 1), ("a", 3)].map {
      WatchlistItem(coinId: $0.0, dateAdded: Sample.instant.addingTimeInterval(60 * Double($0.1)))
    }
    let quotes = try [("a", "1", "5"), ("b", "2", "-5")].map {
      Sample.sourced(try Sample.coin($0.0, $0.0, $0.0.uppercased(), $0.1, change: $0.2))
    }
    let missing = CoinFailure(coin: "gone", error: .notFound(coin: "gone", provider: "fixture"))
    return WatchlistView(
      WatchlistAnswer(
        items, QuotesAnswer(quotes: quotes, failures: [missing]), [:],
        .init(order: order, isReversed: isReversed)),
      providers: [Sample.fixture], currency: "usd")
  }

  @Test(
    arguments: [
      (nil, false, ["b", "gone", "a"]), (.name, false, ["a", "b", "gone"]), (.price, false, ["b", "a", "gone"]),
      (.change, false, ["a", "b", "gone"]), (.added, false, ["a", "b", "gone"]), (nil, true, ["a", "gone", "b"]),
      (.price, true, ["a", "b", "gone"]), (.name, true, ["b", "a", "gone"]), (.added, true, ["gone", "b", "a"]),
    ] as [(WatchlistQuery.Order?, Bool, [String])])
  func `It is sorted as asked, with coins that have no price at the end`(
    order: WatchlistQuery.Order?, isReversed: Bool, ids: [String]
  ) throws {
    #expect(try view(order, isReversed: isReversed).output.rows.map { $0["id"] } == ids.map { .string($0) })
  }

  @Test func `A coin without a price stands there without one, and is an error`() throws {
    #expect(
      try view().table(style: .plain).split(separator: "\n").dropFirst().map(String.init) == [
        "COIN  SYMBOL  PRICE USD     24H  ADDED",
        "B     B               2  -5.00%  2025-01-15 10:32Z",
        "gone                  -       -  2025-01-15 10:31Z  no price",
        "A     A               1  +5.00%  2025-01-15 10:33Z",
      ])
    let row = try #require(try view().output.rows.dropFirst().first)
    #expect(row["price"] == .null)
    #expect(row["date_added"] == "2025-01-15T10:31:00Z")
    let errors: JSONValue = [
      [
        "coin": "gone", "code": "not_found",
        "message":
          "no coin \"gone\" at fixture; look for it with \"bitpal search gone\"; -p yahoo has shares and funds",
      ]
    ]
    #expect(try view().output.json["errors"] == errors)
  }
}
