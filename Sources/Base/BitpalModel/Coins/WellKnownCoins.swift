/// The well-known coins by their tickers, best known first.
///
/// Thousands of coins copy the ticker of a known one. These have the largest market value of their tickers in public
/// recordings of 2022 to 2026; the ids are CoinGecko's.
package enum WellKnownCoins {
  /// All well-known coins, best known first.
  package static let all: [CoinListItem] = text.split(separator: "\n").compactMap { coin(line: $0) }

  /// Returns the coin of a ticker, in any case; nil for a ticker that is not well known.
  ///
  /// The ticker is looked up in the text: every price needs it, and a table of all coins would take longer to make than
  /// the rest.
  package static func coin(ticker: String) -> CoinListItem? {
    guard !ticker.contains(" ") else { return nil }
    let ticker = ticker.lowercased()
    let wanted = Array((renamed[ticker] ?? ticker).utf8) + [UInt8(ascii: " ")]
    var text = text
    let line = text.withUTF8 { bytes -> String? in
      var start = bytes.startIndex
      while start < bytes.endIndex {
        let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.endIndex
        if bytes[start..<end].starts(with: wanted) { return String(decoding: bytes[start..<end], as: UTF8.self) }
        start = end + 1
      }
      return nil
    }
    return line.flatMap { coin(line: $0[...]) }
  }

  /// The present ticker of a coin, by its former one: Toncoin has been Gram since 15 June 2026.
  private static let renamed = ["ton": "gram"]

  private static func coin(line: Substring) -> CoinListItem? {
    let parts = line.split(separator: " ", maxSplits: 2).map(String.init)
    return parts.count == 3 ? try? CoinListItem(validating: parts[1], symbol: parts[0], name: parts[2]) : nil
  }

  /// Returns whether a name is that of a well-known coin, a ticker or an id, or begins with `id:` or `fx:`.
  package static func isKnown(_ name: String) -> Bool {
    coin(ticker: name) != nil || place(of: name) != nil || name.hasPrefix("id:")
      || CurrencyCoin.currency(of: name) != nil
  }

  /// Returns the name by which the coin of an id is asked for: the id, or `id:` before it where it is another coin's ticker.
  package static func name(ofID id: String) -> String {
    coin(ticker: id).map { $0.id == id } ?? true ? id : "id:\(id)"
  }

  /// Returns whether another coin has a well-known ticker as its id, as in the list of January 2024 (12,190 coins).
  package static func hidesID(_ ticker: String) -> Bool {
    ["link", "tia", "bsv", "reth", "dydx", "beam", "rose", "usdp", "lusd"].contains(ticker)
  }

  /// Returns the id that CoinGecko has now for a coin of a former id; nil for a coin that was not replaced.
  ///
  /// Only coins that were exchanged one for one, so that a price of one is a price of the other: Polygon in 2024, Klaytn
  /// in 2024, Fantom and EOS in 2025, by the announcements of their projects.
  package static func successor(ofID id: String) -> String? { successors[id] }

  private static let successors = [
    "matic-network": "polygon-ecosystem-token", "polygon": "polygon-ecosystem-token", "klay-token": "kaia",
    "fantom": "sonic-3", "eos": "vaulta",
  ]

  /// Returns whether a coin replaced another one for one.
  package static func isSuccessor(_ id: String) -> Bool { successors.values.contains(id) }

  /// Returns a sentence on an answer about a coin that was asked for by a former id or ticker; nil for any other name.
  package static func renaming(of name: String, to id: String, at source: String) -> String? {
    let name = (name.hasPrefix("id:") ? name.dropFirst(3) : name[...]).lowercased()
    let former = coin(ticker: name)?.id ?? name
    guard former != id, successor(ofID: former) == id else { return nil }
    return "\(former) is \(id) at \(source) now, exchanged one for one"
  }

  /// Returns whether a coin follows the dollar or the euro, so that its price of a day is that of the whole day.
  package static func isStable(_ id: String) -> Bool {
    [
      "tether", "usd-coin", "dai", "true-usd", "first-digital-usd", "binance-usd", "paxos-standard", "paypal-usd",
      "gemini-dollar",
      "usds", "usdd", "ethena-usde", "ripple-usd", "global-dollar", "euro-coin", "stasis-eurs", "tether-eurt", "eurite",
    ].contains(id)
  }

  /// Returns the position of a coin in the list, from 0; nil for a coin that is not well known.
  package static func place(of id: String) -> Int? { byID[id] }

  /// Returns the coin of an id; nil for one that is not well known.
  package static func coin(ofID id: String) -> CoinListItem? { place(of: id).map { all[$0] } }

  private static let byID = Dictionary(all.enumerated().map { ($1.id, $0) }) { first, _ in first }

  /// One line per coin: ticker, id, name.
  private static let text = """
    btc bitcoin Bitcoin
    eth ethereum Ethereum
    sol solana Solana
    usdt tether Tether
    bnb binancecoin BNB
    xrp ripple XRP
    usdc usd-coin USDC
    steth staked-ether Lido Staked Ether
    ada cardano Cardano
    avax avalanche-2 Avalanche
    doge dogecoin Dogecoin
    trx tron TRON
    dot polkadot Polkadot
    link chainlink Chainlink
    gram the-open-network Gram
    matic matic-network Polygon
    wbtc wrapped-bitcoin Wrapped Bitcoin
    icp internet-computer Internet Computer
    shib shiba-inu Shiba Inu
    ltc litecoin Litecoin
    dai dai Dai
    bch bitcoin-cash Bitcoin Cash
    uni uniswap Uniswap
    etc ethereum-classic Ethereum Classic
    atom cosmos Cosmos Hub
    leo leo-token LEO Token
    apt aptos Aptos
    near near NEAR Protocol
    xlm stellar Stellar
    op optimism Optimism
    inj injective-protocol Injective
    okb okb OKB
    tia celestia Celestia
    ldo lido-dao Lido DAO
    fil filecoin Filecoin
    xmr monero Monero
    imx immutable-x Immutable
    arb arbitrum Arbitrum
    hbar hedera-hashgraph Hedera
    kas kaspa Kaspa
    stx blockstack Stacks
    cro crypto-com-chain Cronos
    mnt mantle Mantle
    vet vechain VeChain
    tusd true-usd TrueUSD
    fdusd first-digital-usd First Digital USD
    mkr maker Maker
    sei sei-network Sei
    qnt quant-network Quant
    bsv bitcoin-cash-sv Bitcoin SV
    sui sui Sui
    ordi ordinals ORDI
    reth rocket-pool-eth Rocket Pool ETH
    grt the-graph The Graph
    algo algorand Algorand
    aave aave Aave
    egld elrond-erd-2 MultiversX
    rune thorchain THORChain
    sats sats-ordinals SATS (Ordinals)
    tao bittensor Bittensor
    mina mina-protocol Mina Protocol
    flow flow Flow
    snx havven Synthetix Network
    osmo osmosis Osmosis
    ftm fantom Fantom
    dydx dydx-chain dYdX
    axs axie-infinity Axie Infinity
    sand the-sandbox The Sandbox
    tkx tokenize-xchange Tokenize Xchange
    hnt helium Helium
    xtz tezos Tezos
    theta theta-token Theta Network
    btt bittorrent BitTorrent
    kcs kucoin-shares KuCoin
    beam beam-2 Beam
    wemix wemix-token WEMIX
    wbt whitebit WhiteBIT Coin
    cheel cheelee Cheelee
    ethdydx dydx dYdX
    eos eos EOS
    neo neo NEO
    bonk bonk Bonk
    bgb bitget-token Bitget Token
    mana decentraland Decentraland
    kava kava Kava
    gala gala GALA
    astr astar Astar
    chz chiliz Chiliz
    frxeth frax-ether Frax Ether
    rose oasis-network Oasis
    iota iota IOTA
    cake pancakeswap-token PancakeSwap
    ens ethereum-name-service Ethereum Name Service
    woo woo-network WOO
    blur blur Blur
    usdd usdd USDD
    fet fetch-ai Artificial Superintelligence Alliance
    lunc terra-luna Terra Luna Classic
    cfx conflux-token Conflux
    hype hyperliquid Hyperliquid
    pepe pepe Pepe
    wif dogwifcoin dogwifhat
    ena ethena Ethena
    pol polygon-ecosystem-token POL (ex-MATIC)
    jup jupiter-exchange-solana Jupiter
    ondo ondo-finance Ondo
    wld worldcoin-wld Worldcoin
    usde ethena-usde Ethena USDe
    trump official-trump Official Trump
    render render-token Render
    s sonic-3 Sonic
    pyusd paypal-usd PayPal USD
    jto jito-governance-token Jito
    pyth pyth-network Pyth Network
    eurc euro-coin EURC
    strk starknet Starknet
    zk zksync ZKsync
    eigen eigenlayer EigenCloud (prev. EigenLayer)
    w wormhole Wormhole
    usds usds USDS
    pi pi-network Pi Network
    floki floki FLOKI
    fartcoin fartcoin Fartcoin
    virtual virtual-protocol Virtuals Protocol
    pengu pudgy-penguins Pudgy Penguins
    spx spx6900 SPX6900
    aero aerodrome-finance Aerodrome Finance
    morpho morpho Morpho
    busd binance-usd BUSD
    lfrax frax Legacy Frax Dollar
    xdc xdce-crowd-sale XDC Network
    ape apecoin ApeCoin
    crv curve-dao-token Curve DAO
    gt gatechain-token Gate
    xec ecash eCash
    rpl rocket-pool Rocket Pool
    xrd radix Radix
    usdp paxos-standard Pax Dollar
    klay klay-token Klaytn
    gmx gmx GMX
    paxg pax-gold PAX Gold
    xaut tether-gold Tether Gold
    comp compound-governance-token Compound
    ceth compound-ether cETH
    cspr casper-network Casper Network
    ht huobi-token Huobi
    twt trust-wallet-token Trust Wallet
    ar arweave Arweave
    dash dash Dash
    nexo nexo NEXO
    gusd gemini-dollar Gemini Dollar
    nxm nxm Nexus Mutual
    zil zilliqa Zilliqa
    cusdc compound-usd-coin cUSDC
    bone bone-shibaswap Bone ShibaSwap
    1inch 1inch 1inch
    flr flare-networks Flare
    gno gnosis Gnosis
    enj enjincoin Enjin Coin
    sfrxeth staked-frax-ether Staked Frax Ether
    cvx convex-finance Convex Finance
    lusd liquity-usd Liquity USD
    bat basic-attention-token Basic Attention
    mask mask-network Mask Network
    lrc loopring Loopring
    rlb rollbit-coin Rollbit Coin
    agix singularitynet SingularityNET
    mx mx-token MX
    cdai cdai cDAI
    qtum qtum Qtum
    tfuel theta-fuel Theta Fuel
    xem nem NEM
    okt oec-token OKT Chain
    hbtc huobi-btc Huobi BTC
    xch chia Chia
    zec zcash Zcash
    celo celo Celo
    btg bitcoin-gold Bitcoin Gold
    ilv illuvium Illuvium
    gmt stepn GMT
    yfi yearn-finance yearn.finance
    dfi defichain DeFiChain
    elg escoin-token Escoin
    hot holotoken Holo
    eurt tether-eurt Euro Tether
    dcr decred Decred
    bdx beldex Beldex
    tomi tominet TOMI
    rvn ravencoin Ravencoin
    azero aleph-zero Aleph Zero
    jst just JUST
    icx icon ICON
    cvxcrv convex-crv Convex CRV
    ksm kusama Kusama
    ankr ankr Ankr Network
    luna terra-luna-2 Terra
    glm golem Golem
    jasmy jasmycoin JasmyCoin
    sxp swipe Solar
    eusd eusd-27a558b0-8b5b-4225-a614-63539da936f4 eUSD (OLD)
    """
}
