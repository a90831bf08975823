package import FoundationEssentials

/// The representation of currencies as coins: the euro, priced in another currency, is the coin `fx:eur`.
package enum CurrencyCoin {
  private static let prefix = "fx:"

  /// Returns the coin id of a currency.
  ///
  /// - Parameter currency: Its code, in any case.
  package static func id(of currency: String) -> String { prefix + currency.lowercased() }

  /// Returns the currency of a coin id, in lower case; nil for any other id.
  public static func currency(of id: String) -> String? {
    guard id.utf8.count > prefix.utf8.count, id.prefix(prefix.count).lowercased() == prefix else { return nil }
    return id.dropFirst(prefix.count).lowercased()
  }

  /// Returns whether a code is one of ISO 4217, in any case but that of a minor unit, as `GBp` is.
  ///
  /// Some of them are tickers of coins too.
  package static func isCurrency(_ code: String) -> Bool {
    code.utf8.count == 3 && codes.contains(code.uppercased()) && MinorUnit.problem(in: code) == nil
  }

  /// The currencies that a sign alone means, in lower case.
  package static let ofSigns: [String: String] = [
    "$": "usd", "€": "eur", "£": "gbp", "¥": "jpy", "₹": "inr", "₩": "krw",
  ]

  /// Returns whether the price of a coin is an exchange rate: it is a currency, and not an ounce of a metal such as `fx:xau`, which
  /// has a code of ISO 4217 and the price of a market.
  package static func isRate(_ id: String) -> Bool {
    currency(of: id).map { !["xau", "xag", "xpt", "xpd"].contains($0) } ?? false
  }

  /// Returns whether a code, in lower case, is that of a currency, of a well-known coin, or of a part of a bitcoin.
  package static func isKnownUnit(_ code: String) -> Bool {
    isCurrency(code) || WellKnownCoins.coin(ticker: code) != nil || partsOfBitcoin[code] != nil
  }

  /// The coins whose tickers are codes of currencies, by these in lower case; nil where several coins have the ticker.
  ///
  /// They are traded at exchanges that hardly trade the currency.
  package static let coinsOfCodes: [String: String?] = [
    "scr": "scroll", "ron": "ronin", "ern": "ethernity-chain", "gel": "gelato", "sos": "opendao",
    "all": nil, "bob": nil, "pen": nil, "top": nil,
  ]

  /// The parts of a bitcoin that are named as a currency, and coins by their tickers, in lower case: the decimal places of
  /// one of each.
  package static let partsOfBitcoin = ["sats": 8, "bits": 6]

  /// Returns whether another currency has replaced one.
  ///
  /// Sources go on listing some of the old codes, at a rate of then: CoinGecko has 0.1 VEF for a dollar.
  package static func isReplaced(_ code: String) -> Bool { replaced[code.lowercased()] != nil }

  /// Returns the currency that has replaced one, as a hint: `ves has replaced it in 2018`; nil for any other code.
  package static func hint(forReplaced code: String) -> String? {
    replaced[code.lowercased()].map { other in
      "\(other.code) has replaced it in \(other.year)" + (other.rate.map { ": 1 \(other.code) for \($0)" } ?? "")
    }
  }

  /// Returns the end of a sentence on a missing rate: the currency that has replaced one of the two; empty for other currencies.
  package static func reason(ofNoRateFrom from: String, to: String) -> String {
    (hint(forReplaced: from) ?? hint(forReplaced: to)).map { "; \($0)" } ?? ""
  }

  /// Returns the instant from which on a replaced currency has no rate; nil for any other code, and where both went on for a
  /// while.
  ///
  /// The euro has replaced others on the first day of a year.
  package static func end(of code: String) -> Date? {
    guard let other = replaced[code.lowercased()] else { return nil }
    return other.code == "eur" ? Date(utcText: "\(other.year)-01-01") : nil
  }

  /// The currencies that have replaced others, and for the euro the fixed rates, of the Council's regulations (EC) 2866/98,
  /// 1478/2000, 1086/2006, 1134/2007, 1135/2007, 694/2008, 671/2010, 870/2013, 851/2014, (EU) 2022/1208 and 2025/1409.
  private static let replaced: [String: (code: String, year: Int, rate: String?)] = {
    var all: [String: (code: String, year: Int, rate: String?)] = [
      "ang": ("xcg", 2025, nil), "byr": ("byn", 2016, nil), "ghc": ("ghs", 2007, nil), "mro": ("mru", 2018, nil),
      "sll": ("sle", 2022, nil), "std": ("stn", 2018, nil), "trl": ("try", 2005, nil), "veb": ("ves", 2018, nil),
      "vef": ("ves", 2018, nil), "zmk": ("zmw", 2013, nil), "zwl": ("zwg", 2024, nil),
    ]
    for (code, year, rate) in [
      ("ats", 2002, "13.7603"), ("bef", 2002, "40.3399"), ("dem", 2002, "1.95583"), ("esp", 2002, "166.386"),
      ("fim", 2002, "5.94573"), ("frf", 2002, "6.55957"), ("grd", 2002, "340.750"), ("iep", 2002, "0.787564"),
      ("itl", 2002, "1936.27"), ("luf", 2002, "40.3399"), ("nlg", 2002, "2.20371"), ("pte", 2002, "200.482"),
      ("sit", 2007, "239.640"), ("cyp", 2008, "0.585274"), ("mtl", 2008, "0.429300"), ("skk", 2009, "30.1260"),
      ("eek", 2011, "15.6466"), ("lvl", 2014, "0.702804"), ("ltl", 2015, "3.45280"), ("hrk", 2023, "7.53450"),
      ("bgn", 2026, "1.95583"),
    ] {
      all[code] = ("eur", year, rate)
    }
    return all
  }()

  /// Returns the day on which a currency of this name began that another one had before; nil for any other.
  ///
  /// Central banks go on giving the rates of before in the old one, a thousand or more of which made one of the new.
  package static func beginning(of code: String) -> Date? {
    beginnings[code.lowercased()].flatMap { Date(utcText: $0) }
  }

  /// Returns the day before which a price of a coin in a currency is one of a former currency, by both of a rate; nil for none.
  package static func beginning(of coin: String, in code: String?) -> Date? {
    [code, currency(of: coin)].compactMap { $0.flatMap { beginning(of: $0) } }.max()
  }

  /// The days of the redenominations of currencies that kept their name, by the banks that made them.
  private static let beginnings = [
    "ars": "1992-01-01", "azn": "2006-01-01", "bgn": "1999-07-05", "brl": "1994-07-01", "byn": "2016-07-01",
    "ghs": "2007-07-01", "ils": "1985-09-04", "mxn": "1993-01-01", "pen": "1991-07-01", "pln": "1995-01-01",
    "ron": "2005-07-01", "rub": "1998-01-01", "try": "2005-01-01", "uah": "1996-09-02", "uyu": "1993-03-01",
    "ves": "2021-10-01", "zmw": "2013-01-01",
  ]

  /// Returns the known currency that a mistyped code probably means, in lower case; nil when none is near.
  package static func nearest(to code: String) -> String? {
    NearestName.match(code, among: ["USD", "EUR", "GBP", "JPY", "BTC", "ETH"] + codes.sorted())?.lowercased()
  }

  /// The codes of ISO 4217 of 2025, except those for tests and for transactions without a currency.
  private static let codes = Set(
    """
    AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CLF
    CLP CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF
    IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK
    MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR
    SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS VED
    VES VND VUV WST XAF XAG XAU XCD XCG XDR XOF XPD XPF XPT YER ZAR ZMW ZWG
    """.split(whereSeparator: \.isWhitespace).map(String.init))
}

/// A coin and a currency in one word, as exchanges write their markets: `btc-usd`, `btc/eur`.
package struct CurrencyPair: Hashable, Sendable {
  /// The name of the coin, as it was typed.
  package let coin: String

  /// The code of the currency, in lower case.
  package let currency: String

  /// Reads a pair; nil for a word that does not end with a code of ISO 4217 after a dash or a slash.
  package init?(_ text: String) {
    guard let mark = text.lastIndex(where: { $0 == "-" || $0 == "/" }), mark > text.startIndex else { return nil }
    let code = text[text.index(after: mark)...]
    guard CurrencyCoin.isCurrency(String(code)) else { return nil }
    coin = String(text[..<mark])
    currency = code.lowercased()
  }

  /// Reads a pair of a well-known ticker and a currency, a dollar on a chain, or one of the two coins in which others are
  /// priced, as other tools write it: `BTCUSD`, `btc.eur`, `BTC/USDT`, `eth-btc`; nil for any other word.
  package init?(joined text: String) {
    for length in [3, 4] where text.count > length + 1 {
      let code = text.suffix(length).lowercased()
      var coin = text.dropLast(length)
      if let mark = coin.last, "-/._:".contains(mark) { coin.removeLast() }
      guard
        length == 3
          ? CurrencyCoin.isCurrency(code) || ["btc", "eth"].contains(code) : ["usdt", "usdc"].contains(code),
        WellKnownCoins.coin(ticker: String(coin)) != nil
      else { continue }
      (self.coin, currency) = (coin.lowercased(), String(code.prefix(3)))
      return
    }
    return nil
  }
}
