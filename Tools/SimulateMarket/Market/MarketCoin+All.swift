extension MarketCoin {
  /// The simulated coins.
  ///
  /// Names are real, magnitudes are those of a January; every figure is made up near them.
  static let all: [MarketCoin] = [
    MarketCoin(
      id: "bitcoin", symbol: "btc", name: "Bitcoin", image: 1, price: "96841.3", volume: "48213000000",
      circulating: "19811209", total: "21000000", max: "21000000",
      ath: Extreme(price: "104900", day: "2024-12-17"), atl: Extreme(price: "67.2", day: "2013-07-06"),
      temperament: .follows(100, own: 30), year: [46, 63, 66, 64, 98, 100]),
    MarketCoin(
      id: "ethereum", symbol: "eth", name: "Ethereum", image: 279, price: "3214.47", volume: "22874000000",
      circulating: "120478912.4418", total: "120478912.4418", max: nil,
      ath: Extreme(price: "4870", day: "2021-11-10"), atl: Extreme(price: "0.43", day: "2015-10-20"),
      temperament: .follows(112, own: 75), firstSale: FirstSale(price: "0.00062", currency: "btc"),
      year: [78, 106, 103, 82, 112, 100]),
    MarketCoin(
      id: "tether", symbol: "usdt", name: "Tether", image: 325, price: "0.999871", volume: "97350000000",
      circulating: "137420518311.672", total: "137420518311.672", max: nil,
      ath: Extreme(price: "1.31", day: "2018-07-24"), atl: Extreme(price: "0.574", day: "2015-03-02"),
      temperament: .stable),
    MarketCoin(
      id: "ripple", symbol: "xrp", name: "XRP", image: 44, price: "2.8137", volume: "11904000000",
      circulating: "57564180329", total: "99986332417", max: "100000000000",
      ath: Extreme(price: "3.38", day: "2018-01-07"), atl: Extreme(price: "0.0027", day: "2014-05-22"),
      temperament: .follows(90, own: 165)),
    MarketCoin(
      id: "binancecoin", symbol: "bnb", name: "BNB", image: 825, price: "696.42", volume: "1418000000",
      circulating: "145886214.61", total: "145886214.61", max: "200000000",
      ath: Extreme(price: "786", day: "2024-12-04"), atl: Extreme(price: "0.0401", day: "2017-10-19"),
      temperament: .follows(75, own: 60)),
    MarketCoin(
      id: "solana", symbol: "sol", name: "Solana", image: 4128, price: "189.63", volume: "4107000000",
      circulating: "486914205.7731", total: "592830117.0402", max: nil,
      ath: Extreme(price: "294", day: "2024-11-23"), atl: Extreme(price: "0.505", day: "2020-05-11"),
      temperament: .follows(135, own: 115), year: [50, 88, 92, 76, 118, 100]),
    MarketCoin(
      id: "dogecoin", symbol: "doge", name: "Dogecoin", image: 5, price: "0.361874", volume: "3392000000",
      circulating: "147648226383.705", total: "147648956383.705", max: nil,
      ath: Extreme(price: "0.728", day: "2021-05-08"), atl: Extreme(price: "8.6e-05", day: "2015-05-06"),
      temperament: .follows(130, own: 145), year: [22, 40, 34, 30, 108, 100]),
    MarketCoin(
      id: "usd-coin", symbol: "usdc", name: "USDC", image: 6319, price: "1.00012", volume: "8326000000",
      circulating: "46311840277.0914", total: "46318220911.3302", max: nil,
      ath: Extreme(price: "1.043", day: "2019-05-08"), atl: Extreme(price: "0.879", day: "2023-03-11"),
      temperament: .stable),
    MarketCoin(
      id: "cardano", symbol: "ada", name: "Cardano", image: 975, price: "1.0342", volume: "1217000000",
      circulating: "35162418311.207", total: "45000000000", max: "45000000000",
      ath: Extreme(price: "3.08", day: "2021-09-02"), atl: Extreme(price: "0.0193", day: "2020-03-13"),
      temperament: .follows(115, own: 125)),
    MarketCoin(
      id: "tron", symbol: "trx", name: "TRON", image: 1094, price: "0.223619", volume: "1093000000",
      circulating: "86191338204.55", total: "86191352117.61", max: nil,
      ath: Extreme(price: "0.429", day: "2024-12-03"), atl: Extreme(price: "0.00181", day: "2017-11-12"),
      temperament: .follows(60, own: 85), firstSale: FirstSale(price: "0.0019", currency: "usd")),
    MarketCoin(
      id: "avalanche-2", symbol: "avax", name: "Avalanche", image: 12559, price: "36.71", volume: "483100000",
      circulating: "411608722.11", total: "450173942.6", max: "720000000",
      ath: Extreme(price: "144.4", day: "2021-11-21"), atl: Extreme(price: "2.81", day: "2020-12-31"),
      temperament: .follows(135, own: 110)),
    MarketCoin(
      id: "chainlink", symbol: "link", name: "Chainlink", image: 877, price: "20.38", volume: "837400000",
      circulating: "638099970.4511", total: "1000000000", max: "1000000000",
      ath: Extreme(price: "52.6", day: "2021-05-10"), atl: Extreme(price: "0.149", day: "2017-11-29"),
      temperament: .follows(125, own: 125)),
    MarketCoin(
      id: "sui", symbol: "sui", name: "Sui", image: 26375, price: "4.6312", volume: "1384000000",
      circulating: "3014108441.96", total: "10000000000", max: "10000000000",
      ath: Extreme(price: "5.34", day: "2025-01-06"), atl: Extreme(price: "0.365", day: "2023-10-19"),
      temperament: .follows(135, own: 165)),
    MarketCoin(
      id: "stellar", symbol: "xlm", name: "Stellar", image: 100, price: "0.441863", volume: "538600000",
      circulating: "30508216477.31", total: "50001786892.02", max: "50001786892.02",
      ath: Extreme(price: "0.874", day: "2018-01-03"), atl: Extreme(price: "0.000477", day: "2015-03-05"),
      temperament: .follows(95, own: 160)),
    MarketCoin(
      id: "hedera-hashgraph", symbol: "hbar", name: "Hedera", image: 3688, price: "0.288417", volume: "714300000",
      circulating: "38239447120.55", total: "50000000000", max: "50000000000",
      ath: Extreme(price: "0.568", day: "2021-09-15"), atl: Extreme(price: "0.0099", day: "2020-01-02"),
      temperament: .follows(120, own: 170)),
    MarketCoin(
      id: "shiba-inu", symbol: "shib", name: "Shiba Inu", image: 11939, price: "2.1487e-05", volume: "601800000",
      circulating: "589260417983209.4", total: "589500813604128.6", max: nil,
      ath: Extreme(price: "8.61e-05", day: "2021-10-27"), atl: Extreme(price: "5.7e-11", day: "2020-11-28"),
      temperament: .follows(125, own: 115), year: [44, 112, 90, 66, 118, 100]),
    MarketCoin(
      id: "polkadot", symbol: "dot", name: "Polkadot", image: 12171, price: "6.7318", volume: "328400000",
      circulating: "1544113628.4466", total: "1544113628.4466", max: nil,
      ath: Extreme(price: "54.9", day: "2021-11-04"), atl: Extreme(price: "2.71", day: "2020-08-20"),
      temperament: .follows(120, own: 105)),
    MarketCoin(
      id: "bitcoin-cash", symbol: "bch", name: "Bitcoin Cash", image: 780, price: "437.55", volume: "346700000",
      circulating: "19812409.81", total: "21000000", max: "21000000",
      ath: Extreme(price: "3783", day: "2017-12-20"), atl: Extreme(price: "77.1", day: "2018-12-16"),
      temperament: .follows(100, own: 95)),
    MarketCoin(
      id: "litecoin", symbol: "ltc", name: "Litecoin", image: 2, price: "102.84", volume: "719400000",
      circulating: "75421188.3341", total: "84000000", max: "84000000",
      ath: Extreme(price: "409", day: "2021-05-10"), atl: Extreme(price: "1.16", day: "2015-01-14"),
      temperament: .follows(95, own: 105)),
    MarketCoin(
      id: "uniswap", symbol: "uni", name: "Uniswap", image: 12504, price: "13.174", volume: "281600000",
      circulating: "600483073.71", total: "1000000000", max: "1000000000",
      ath: Extreme(price: "44.8", day: "2021-05-03"), atl: Extreme(price: "1.034", day: "2020-09-17"),
      temperament: .follows(130, own: 120)),
    MarketCoin(
      id: "pepe", symbol: "pepe", name: "Pepe", image: 29850, price: "1.7238e-05", volume: "1573000000",
      circulating: "420690000000000", total: "420690000000000", max: "420690000000000",
      ath: Extreme(price: "2.79e-05", day: "2024-12-09"), atl: Extreme(price: "5.53e-08", day: "2023-04-18"),
      temperament: .follows(150, own: 165)),
    MarketCoin(
      id: "near", symbol: "near", name: "NEAR Protocol", image: 10365, price: "5.0471", volume: "276300000",
      circulating: "1174338291.5", total: "1238714402.06", max: nil,
      ath: Extreme(price: "20.3", day: "2022-01-16"), atl: Extreme(price: "0.527", day: "2020-11-04"),
      temperament: .follows(135, own: 110)),
    MarketCoin(
      id: "aptos", symbol: "apt", name: "Aptos", image: 26455, price: "8.9214", volume: "246800000",
      circulating: "565911048.2117", total: "1137441772.083", max: nil,
      ath: Extreme(price: "19.87", day: "2023-01-26"), atl: Extreme(price: "3.09", day: "2022-12-29"),
      temperament: .follows(130, own: 105)),
    MarketCoin(
      id: "internet-computer", symbol: "icp", name: "Internet Computer", image: 14495, price: "9.8834",
      volume: "117200000",
      circulating: "476248103.94", total: "526110488.27", max: nil,
      ath: Extreme(price: "698", day: "2021-05-10"), atl: Extreme(price: "2.88", day: "2023-09-22"),
      temperament: .follows(130, own: 105)),
    MarketCoin(
      id: "vechain", symbol: "vet", name: "VeChain", image: 1167, price: "0.04631281", volume: "74180000",
      circulating: "80985041177", total: "85985041177", max: "86712634466",
      ath: Extreme(price: "0.279", day: "2021-04-19"), atl: Extreme(price: "0.00192", day: "2020-03-13"),
      temperament: .follows(125, own: 105)),
    MarketCoin(
      id: "monero", symbol: "xmr", name: "Monero", image: 69, price: "212.37", volume: "86540000",
      circulating: "18446744.0737", total: nil, max: nil,
      ath: Extreme(price: "541", day: "2018-01-09"), atl: Extreme(price: "0.217", day: "2015-01-14"),
      temperament: .follows(55, own: 85)),
    MarketCoin(
      id: "dai", symbol: "dai", name: "Dai", image: 9956, price: "0.999954", volume: "129800000",
      circulating: "3391180445.2019", total: "3391180445.2019", max: nil,
      ath: Extreme(price: "1.218", day: "2020-03-13"), atl: Extreme(price: "0.883", day: "2023-03-11"),
      temperament: .stable),
    MarketCoin(
      id: "ethereum-classic", symbol: "etc", name: "Ethereum Classic", image: 453, price: "25.43", volume: "211700000",
      circulating: "150638517.33", total: "210700000", max: "210700000",
      ath: Extreme(price: "166.5", day: "2021-05-06"), atl: Extreme(price: "0.616", day: "2016-07-25"),
      temperament: .follows(115, own: 90)),
    MarketCoin(
      id: "filecoin", symbol: "fil", name: "Filecoin", image: 12817, price: "5.1488", volume: "263900000",
      circulating: "620144730", total: "1958307415", max: "1958307415",
      ath: Extreme(price: "236.1", day: "2021-04-01"), atl: Extreme(price: "2.65", day: "2022-12-16"),
      temperament: .follows(130, own: 100), firstSale: FirstSale(price: "5.5", currency: "usd")),
    MarketCoin(
      id: "algorand", symbol: "algo", name: "Algorand", image: 4380, price: "0.352906", volume: "181300000",
      circulating: "8371104928.61", total: "8371104972.15", max: "10000000000",
      ath: Extreme(price: "3.54", day: "2019-06-20"), atl: Extreme(price: "0.0877", day: "2023-09-11"),
      temperament: .follows(125, own: 130), firstSale: FirstSale(price: "2.4", currency: "usd")),
    MarketCoin(
      id: "cosmos", symbol: "atom", name: "Cosmos Hub", image: 1481, price: "6.3527", volume: "179400000",
      circulating: "390934204.118", total: "390934204.118", max: nil,
      ath: Extreme(price: "44.3", day: "2022-01-17"), atl: Extreme(price: "1.17", day: "2020-03-13"),
      temperament: .follows(120, own: 90), firstSale: FirstSale(price: "0.1", currency: "usd")),
    MarketCoin(
      id: "bonk", symbol: "bonk", name: "Bonk", image: 28600, price: "2.8341e-05", volume: "319600000",
      circulating: "75924811028441.33", total: "92669881317209.4", max: "100000000000000",
      ath: Extreme(price: "5.83e-05", day: "2024-11-20"), atl: Extreme(price: "8.63e-08", day: "2022-12-29"),
      temperament: .follows(160, own: 170)),
    MarketCoin(
      id: "baby-doge-coin", symbol: "babydoge", name: "Baby Doge Coin", image: 16125, price: "2.31462e-09",
      volume: "21870000",
      circulating: "162038000000000000", total: "420000000000000000", max: "420000000000000000",
      ath: Extreme(price: "6.33e-09", day: "2022-01-16"), atl: Extreme(price: "9.5e-11", day: "2021-06-09"),
      temperament: .follows(140, own: 165)),
  ]
}
