import BitpalModel
import FoundationEssentials

/// The statements of an answer about its price: the coin or pair, the currency, and the quantity it is for.
struct AnswerMeaning {
  let answer: SampleAnswer
  let request: SampleRequest

  /// The plain names of values beside a price that it may have to be multiplied with or divided by.
  private static let scales: Set<String> = [
    "scale", "pricescale", "decimals", "decimalplaces", "digits", "places", "precision", "exponent", "exp", "expo",
    "power",
    "magnitude", "multiplier", "factor", "denom", "denominator", "unit", "units", "unitsize", "minorunit", "quoteunit",
    "weightunit", "measure", "nominal", "per", "perunit", "quantity", "qty", "amount", "baseamount", "size", "lot",
    "lotsize", "inverse", "isinverse", "inverted", "isinverted", "reversed",
  ]

  /// The plain names of texts that name what the price is of and never what it is in.
  private static let bases: Set<String> = [
    "base", "basecurrency", "basesymbol", "basecode", "baseasset", "from", "fromcurrency", "fromsymbol", "fromcode",
    "source", "sell",
  ]

  /// The plain names of texts that name what the price is of: a coin, or a pair that begins with it.
  private static let subjects = bases.union([
    "symbol", "ticker", "pair", "market", "instrument", "code", "id", "name", "coin", "coinid", "asset", "assetid",
    "metal",
    "product", "productid", "instid", "instrumentid", "instrumentname", "marketid", "marketname", "pairname",
    "currencypair",
    "tradingpair", "isin", "wkn",
  ])

  /// The plain names of texts that are the same in all rows of one series.
  private static let subjectsOfRows: Set<String> = [
    "symbol", "ticker", "pair", "instrument", "isin", "wkn", "coin", "coinid", "asset", "assetid", "productid",
    "instid",
    "currencypair", "tradingpair", "base", "basecurrency", "currency", "quote", "quotecurrency",
  ]

  /// The plain names of texts that name what the price is in.
  private static let measures: Set<String> = [
    "quote", "quotecurrency", "quotesymbol", "quotecode", "quoteasset", "to", "tocurrency", "tosymbol", "tocode",
    "target",
    "targetcurrency", "targetcode", "counter", "countercurrency", "vs", "vscurrency", "buy",
  ]

  /// The plain names of texts that are the currency of the price.
  private static let currencies = measures.union(["currency", "currencycode", "pricecurrency", "ccy", "cur", "curr"])

  /// The words of currencies, in lower case, without the letter of a plural.
  private static let currencyWords = [
    "euro": "eur", "dollar": "usd", "pound": "gbp", "sterling": "gbp", "yen": "jpy", "franc": "chf", "yuan": "cny",
    "renminbi": "cny", "rupee": "inr", "won": "krw", "ruble": "rub", "rouble": "rub", "hryvnia": "uah", "lira": "try",
    "zloty": "pln", "shekel": "ils", "baht": "thb",
  ]

  /// The plain names of texts that give the reason for an answer without a price.
  private static let failures: Set<String> = ["error", "errors", "err", "errormessage", "errmsg"]

  /// The texts beside a price, in lower case, that make it another one than that of a trade now.
  private static let otherKinds: Set<String> = [
    "bid", "ask", "offer", "buy", "sell", "future", "futures", "perpetual", "perp", "swap", "option", "options",
    "margin", "index",
    "mark", "estimate", "estimated", "forecast", "testnet", "sandbox", "demo",
  ]

  /// The plain names of objects beside the price, or beside an object around it, that describe it.
  private static let descriptions = subjects.union(measures).union([
    "meta", "metadata", "info", "header", "request", "query", "params", "currency",
  ])

  /// The plain names of ``scales`` that mean the price from farther away as well; a token has decimals, and a page a size.
  private static let scalesAround: Set<String> = [
    "scale", "pricescale", "exponent", "expo", "multiplier", "factor", "denominator", "unit", "units", "minorunit",
    "quoteunit", "weightunit", "measure", "nominal", "per", "perunit", "inverse", "isinverse", "inverted", "isinverted",
    "reversed",
  ]

  /// The units of a price of a metal that is one of an ounce anyway.
  private static let ounces: Set<String> = ["oz", "ozt", "toz", "ounce", "troy ounce", "troy_ounce", "ounces"]

  /// Returns the value that may change the meaning of a price: a scale, a unit, another currency or another coin; nil for none.
  ///
  /// - Parameter namesCurrency: Whether the request names the currency; where it does not, the answer's own is a point to decide.
  func doubt(about price: SampleAnswer.Leaf, namesCurrency: Bool) -> String? {
    if answer.isUncertain, price.text.contains(".") {
      return "\(price.text.printable(limit: 40)) may be a thousand times as much; number: \"1.234,5\" says so"
    }
    if request.isSeries, let name = answer.varying.first(where: { Self.subjectsOfRows.contains($0.plainName) }) {
      return "its rows are of more than one \(name)"
    }
    let around = price.steps.dropLast()
    return answer.leaves.first { leaf in
      var place = leaf.steps.dropLast()
      let isBeside = place == around
      while let last = place.last, !around.starts(with: place), Self.descriptions.contains(last.plainName) {
        place.removeLast()
      }
      return leaf.steps != price.steps && around.starts(with: place)
        && (isDoubtful(leaf, isBeside: isBeside)
          || namesCurrency && (statesOtherCurrency(leaf) || speaksOfOtherCurrency(leaf)))
    }.map { leaf in
      let isBeside = leaf.steps.dropLast() == around
      return (isBeside ? "beside it \(leaf.steps.last?.dropFirst() ?? "")" : "$" + leaf.steps.joined())
        + " is \(leaf.text.printable(limit: 40))"
    }
  }

  private func isDoubtful(_ leaf: SampleAnswer.Leaf, isBeside: Bool) -> Bool {
    let name = leaf.steps.last?.plainName ?? ""
    let isCoin = [request.coin, request.symbol].contains { $0?.lowercased() == leaf.text.lowercased() }
    if isBeside, !isCoin, Self.otherKinds.contains(leaf.text.lowercased()) { return true }
    if ["success", "ok"].contains(name) { return ["false", "0", "no"].contains(leaf.text.lowercased()) }
    if Self.failures.contains(name), isBeside {
      return leaf.number == nil
        && !["", "ok", "none", "null", "no", "false", "success", "n/a", "-", "no error"].contains(
          leaf.text.lowercased())
    }
    if Self.scales.contains(name) {
      guard isBeside || Self.scalesAround.contains(name) else { return false }
      let isOunce = CurrencyCoin.currency(of: request.coin) != nil && Self.ounces.contains(leaf.text.lowercased())
      return leaf.number.map { $0 != 1 && $0 != 0 }
        ?? !(isCurrency(leaf) || isOunce || ["false", "no"].contains(leaf.text.lowercased()))
    }
    if Self.subjects.contains(name) {
      if isCurrency(leaf) { return Self.bases.contains(name) }
      return leaf.number == nil && !(name == "name" && hasAskedSymbol(beside: leaf)) && isOther(leaf.text)
    }
    return Self.measures.contains(name) && leaf.number == nil && !statesCurrency(leaf)
      && Self.isKnown(leaf.text.uppercased())
  }

  private func statesOtherCurrency(_ leaf: SampleAnswer.Leaf) -> Bool {
    let name = leaf.steps.last?.plainName ?? ""
    guard !Self.scales.contains(name), !Self.subjects.contains(name), !isCurrency(leaf) else { return false }
    let isUnknown = name.contains("currency") && leaf.text.utf8.count <= 8 && leaf.text.contains { !$0.isLetter }
    return statesCurrency(leaf) || isUnknown && !leaf.text.contains { CurrencyCoin.ofSigns[String($0)] != nil }
  }

  /// Returns whether a text of a few words names another currency than the one that was asked for: by its sign, its word, or its
  /// code behind `in`, `to` or `per`.
  private func speaksOfOtherCurrency(_ leaf: SampleAnswer.Leaf) -> Bool {
    guard leaf.text.utf8.count <= 80, leaf.number == nil else { return false }
    // What the price is of may be a currency as well.
    let meant = [request.currency, CurrencyCoin.currency(of: request.coin)].compactMap(\.self)
    let signs = leaf.text.filter { $0.unicodeScalars.first?.properties.generalCategory == .currencySymbol }
    // The sign and the word of a dollar are those of other currencies too.
    let isOfOneSign = CurrencyCoin.ofSigns.values.contains(request.currency)
    if signs.contains(where: { $0 != "$" && CurrencyCoin.ofSigns[String($0)].map(meant.contains) != true }) {
      return true
    }
    let words = leaf.text.split { !$0.isLetter }.map(String.init)
    let known = words.map { $0.lowercased() }.compactMap {
      Self.currencyWords[$0] ?? Self.currencyWords[String($0.dropLast())]
    }
    let named = known + (signs.contains("$") ? ["usd"] : [])
    if let other = named.first(where: { !meant.contains($0) }) { return other != "usd" || isOfOneSign }
    if !named.isEmpty { return false }
    return zip(words, words.dropFirst()).contains {
      ["in", "to", "per", "vs"].contains($0.lowercased()) && !meant.contains($1.lowercased())
        && $1 == $1.uppercased() && CurrencyCoin.isCurrency($1)
    }
  }

  /// Returns whether a text is the code of the currency that was asked for, or of a part of it.
  func isCurrency(_ leaf: SampleAnswer.Leaf) -> Bool {
    [request.currency, request.currency.uppercased()].contains(leaf.text)
      || MinorUnit(leaf.text)?.currency == request.currency
  }

  /// The names of the coin that was asked for, in capitals.
  private var asked: [String] {
    let known = WellKnownCoins.coin(ofID: request.coin)
    return [request.symbol, request.coin, CurrencyCoin.currency(of: request.coin), known?.symbol, known?.name]
      .compactMap { $0?.uppercased() }
  }

  /// Returns whether an id or a ticker in the same object is that of the coin that was asked for.
  private func hasAskedSymbol(beside leaf: SampleAnswer.Leaf) -> Bool {
    answer.leaves.contains {
      $0.steps.dropLast() == leaf.steps.dropLast()
        && ["id", "symbol", "ticker", "code"].contains($0.steps.last?.plainName)
        && asked.contains($0.text.uppercased())
    }
  }

  /// Returns whether a text names another coin than the one that was asked for, or a pair or contract that is not of it in its
  /// currency; what stands in the URL was asked for.
  private func isOther(_ written: String) -> Bool {
    let asked = asked
    // Bitfinex writes tBTCUSD.
    let isPrefixed = written.hasPrefix("t") && written.dropFirst() == written.dropFirst().uppercased()
    let text = (isPrefixed ? String(written.dropFirst()) : written).uppercased()
    if asked.contains(text) || text.count > 4 && request.asked?.uppercased().contains(text) == true { return false }
    let all = WellKnownCoins.all.lazy.filter { $0.id != request.coin }
    if all.contains(where: { [$0.id, $0.name, $0.symbol].contains { $0.count > 2 && $0.uppercased() == text } }) {
      return true
    }
    let words = text.split(separator: " ").map(String.init)
    if words.count > 1, words.count != 3 || !["TO", "IN", "/", "-"].contains(words[1]) { return false }
    let currency = request.currency.uppercased()
    var parts = words.count == 3 ? [words[0], words[2]] : text.split { !$0.isLetter && !$0.isNumber }.map(String.init)
    guard let whole = parts.first else { return false }
    if parts.count == 1 {
      let first =
        asked.first(where: whole.hasPrefix)
        ?? Self.coins.first { whole.hasPrefix($0) && Self.isKnown(String(whole.dropFirst($0.count))) }
      let last = asked.first(where: whole.hasSuffix)
      if let first {
        parts = [first, String(whole.dropFirst(first.count))]
      } else if let last {
        parts = [String(whole.dropLast(last.count)), last]
      }
    }
    let other = parts.count > 1 ? parts[1] : currency
    // A contract for later: BTC-USD-PERP, BTC-27MAR26.
    if asked.contains(parts[0]), parts.dropFirst().contains(where: Self.isTerm) { return true }
    if asked.contains(parts[0]) { return other != currency && Self.isKnown(other) }
    return Self.isKnown(parts[0]) || asked.contains(other) && parts.count > 1
  }

  /// Returns whether a part of a name is the date of a contract, or says that it is one.
  private static func isTerm(_ part: String) -> Bool {
    part.utf8.count >= 6 && part.first?.isNumber == true
      || ["PERP", "PERPETUAL", "SWAP", "FUTURE", "FUTURES"].contains(part)
  }

  /// The tickers of well-known coins, in capitals, the longest first.
  private static let coins = WellKnownCoins.all.map { $0.symbol.uppercased() }.filter { $0.count > 2 }
    .sorted { $0.count > $1.count }

  /// Returns whether a text in capitals is the code of a currency or the ticker of a well-known coin.
  private static func isKnown(_ text: String) -> Bool {
    CurrencyCoin.isCurrency(text.lowercased()) || coins.contains(text)
  }

  /// Returns whether a text is the code of a currency or of a part of one, whatever its name is: `quoteCurrency: USD`.
  func statesCurrency(_ leaf: SampleAnswer.Leaf) -> Bool {
    let (name, text) = (leaf.steps.last?.plainName ?? "", leaf.text)
    if Self.currencies.contains(name) { return CurrencyCoin.isCurrency(text.lowercased()) || MinorUnit(text) != nil }
    return leaf.number == nil && !Self.subjects.contains(name) && text != request.symbol
      && (text == text.uppercased() && CurrencyCoin.isCurrency(text) || MinorUnit(text) != nil)
  }
}
