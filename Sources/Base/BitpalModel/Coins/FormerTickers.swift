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
  /// TRUMP was the ticker of MAGA before (ccxt/ccxt #25146), USDS that of Stably's coin of 2018, STX that of Stox (ccxt/ccxt
  /// #10362), SOL that of Sola, TON that of TON Crystal (ccxt/ccxt #10178), and UNI that of four coins (ccxt/ccxt #7818). The days are
  /// those of launches, sales or first trades that the projects announced, or the beginning of the month. On an earlier day a ticker
  /// hardly means the coin.
  private static let begun: [String: (id: String, day: String)] = Dictionary(
    uniqueKeysWithValues: """
      trump official-trump 2025-01-17
      pi pi-network 2025-02-12
      jup jupiter-exchange-solana 2024-01-31
      hype hyperliquid 2024-11-29
      usds usds 2024-08-01
      sats sats-ordinals 2023-03-08
      sol solana 2020-03-01
      avax avalanche-2 2020-07-01
      dot polkadot 2017-10-01
      uni uniswap 2020-09-16
      apt aptos 2022-10-17
      sui sui 2023-04-01
      arb arbitrum 2023-03-16
      op optimism 2022-05-31
      pepe pepe 2023-04-14
      ape apecoin 2022-03-16
      ton the-open-network 2020-07-01
      stx blockstack 2017-11-01
      near near 2020-04-01
      icp internet-computer 2021-05-01
      grt the-graph 2020-10-01
      aave aave 2020-10-01
      comp compound-governance-token 2020-06-15
      imx immutable-x 2021-08-01
      sei sei-network 2023-08-01
      tia celestia 2023-09-26
      inj injective-protocol 2020-10-01
      ldo lido-dao 2020-12-01
      wld worldcoin-wld 2023-07-24
      bonk bonk 2022-12-01
      ena ethena 2024-03-29
      ondo ondo-finance 2022-05-01
      tao bittensor 2021-01-01
      ens ethereum-name-service 2021-11-01
      flr flare-networks 2020-12-01
      w wormhole 2024-04-01
      eigen eigenlayer 2024-05-01
      """.split(separator: "\n").map { line in
        let words = line.split(separator: " ").map(String.init)
        return (words[0].uppercased(), (id: words[1], day: words[2]))
      })

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
