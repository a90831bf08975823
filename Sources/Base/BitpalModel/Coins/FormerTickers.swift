package import FoundationEssentials

/// The tickers that meant another coin in the past, because a new coin took over the ticker or the ticker was renamed.
///
/// The ids are CoinGecko's. The days are those on which exchanges stopped trading the old coin and began with the new
/// one; between them a ticker may mean either. A coin whose amounts changed too (VEN, ERD) is not in the table.
package enum FormerTickers {
  /// The coin that a ticker meant on a day.
  package enum Meaning: Equatable, Sendable {
    /// The coin of that id.
    case coin(String)

    /// One of the coins of these ids.
    case unclear([String])

    /// Another coin than that of the id, which is there since a day.
    case before(id: String, day: String)

    /// The ids of the possible coins.
    package var ids: [String] {
      switch self {
      case .coin(let id): [id]
      case .unclear(let ids): ids
      case .before(let id, _): [id]
      }
    }
  }

  private struct Change {
    /// The id of the former coin.
    let former: String

    /// The last day on which the ticker certainly meant the former coin; nil for a ticker that was only renamed.
    var last: String?

    /// The first day on which the ticker certainly means the present coin.
    var first: String?

    /// The id of the present coin; nil where the ticker has none.
    var present: String?
  }

  private static let changes: [String: Change] = [
    "LUNA": Change(former: "terra-luna", last: "2022-05-12", first: "2022-05-28", present: "terra-luna-2"),
    "UST": Change(former: "terrausd", last: "2022-05-12", first: "2022-05-28", present: nil),
    "BTT": Change(former: "bittorrent-old", last: "2022-01-11", first: "2022-01-21", present: "bittorrent"),
    "DAI": Change(former: "sai", last: "2019-11-17", first: "2019-12-03", present: "dai"),
    "LEND": Change(former: "ethlend", last: "2020-10-02", first: "2021-01-01", present: nil),
    "BCC": Change(former: "bitcoin-cash", last: "2016-01-01", first: "2019-01-01", present: "bitconnect"),
    "STRK": Change(former: "strike", last: "2024-02-19", first: "2024-02-20", present: "starknet"),
    "BEAM": Change(former: "beam", last: "2023-10-25", first: "2023-11-15", present: "beam-2"),
    // Polyhedra had the ticker in the spring of 2024, and other tokens before it.
    "ZK": Change(former: "polyhedra-network", last: "2018-01-01", first: "2024-06-17", present: "zksync"),
    "MIOTA": Change(former: "iota"), "XRB": Change(former: "nano"), "BCHABC": Change(former: "bitcoin-cash"),
    "BCHSV": Change(former: "bitcoin-cash-sv"), "USTC": Change(former: "terrausd"), "SAI": Change(former: "sai"),
    // Toncoin is called Gram since 15 June 2026; before that day other tokens had the ticker.
    "GRAM": Change(
      former: "norma-in-metaland", last: "2018-01-01", first: "2026-06-15", present: "the-open-network"),
  ]

  /// The first days of coins whose tickers other coins had before them, and still have elsewhere.
  ///
  /// TRUMP was the ticker of MAGA before (ccxt/ccxt #25146), and USDS that of Stably's coin of 2018. The days are those of the
  /// launches of TRUMP and JUP, which decrypt.co reported, of the first deposits of PI at OKX, of the distribution of HYPE at
  /// 07:30 UTC, and the month in which Sky replaced Maker.
  private static let begun: [String: (id: String, day: String)] = [
    "TRUMP": ("official-trump", "2025-01-17"), "PI": ("pi-network", "2025-02-12"),
    "JUP": ("jupiter-exchange-solana", "2024-01-31"),
    "HYPE": ("hyperliquid", "2024-11-29"), "USDS": ("usds", "2024-08-01"),
  ]

  /// Returns the coin that a ticker meant on a day; nil if its meaning has not changed.
  package static func meaning(of ticker: String, at date: Date) -> Meaning? {
    if let (id, first) = begun[ticker.uppercased()] { return date.dayText < first ? .before(id: id, day: first) : nil }
    guard let change = changes[ticker.uppercased()] else { return nil }
    guard let last = change.last, let first = change.first else { return .coin(change.former) }
    let day = date.dayText
    if day <= last { return .coin(change.former) }
    if day < first { return .unclear([change.former] + (change.present.map { [$0] } ?? [])) }
    return nil
  }

  /// Returns whether an id is that of a coin in the table.
  package static func has(id: String) -> Bool { changes.values.contains { $0.former == id } }
}
