extension BitpalError: CustomStringConvertible {
  /// One sentence with the problem and its input; one per fault for a configuration.
  ///
  /// Texts of a source or a file have been cleaned of control characters.
  public var message: String {
    switch self {
    case .notFound(let coin, let provider, _):
      "no coin \"\(clean(coin))\" at \(provider)"
    case .ambiguous(let symbol, let candidates, let prices):
      "\"\(clean(symbol))\" is the symbol of \(candidates.count) coins:"
        + candidates.prefix(Self.candidatesShown).map { "\n  " + candidate($0, prices) }.joined()
        + (candidates.count > Self.candidatesShown
          ? "\n  and \(candidates.count - Self.candidatesShown) more" : "")
    case .noPrice(let coin, let provider, let reason):
      "\(provider) has no price for \(clean(coin))" + (reason.map { ": \(clean($0))" } ?? "")
    case .notRecorded(let question, let recording, _, _):
      "the recording \(recording) has no \(clean(question))"
    case .noData(let question, let provider):
      "\(provider) has no data for \(clean(question))"
    case .unsupported(let capability, let provider, _):
      "\(provider) has no \(capability == .detail ? "market figures" : capability.rawValue.replacing("_", with: " "))"
    case .unsupportedCurrency(let currency, let provider, _):
      "\(provider) does not answer in \(clean(currency))"
    case .budgetUsed(let provider, let used, let limit, let wait, _):
      "\(used) of \(limit.limit) requests to \(provider) in \(limit.window.unitText) are used"
        + (wait.map { "; the next is free in \($0.shortText)" } ?? "")
    case .rateLimited(let provider, let wait, let reason):
      "\(provider) allows no more requests now: \(clean(reason))"
        + (wait.map { " (free again in \($0.shortText))" } ?? "")
    case .budgetLocked(let provider, let path):
      "\(provider) is not asked, because another process has the request budgets locked (\(clean(path)))"
    case .coolingDown(_, let left, let last):
      clean(last) + (left > .zero ? " (asked again in \(left.roundedUp.shortText))" : "")
    case .unauthorized(let provider, let reason):
      "\(provider) refuses the key: \(clean(reason))"
    case .planLimit(let provider, let reason, _):
      "\(provider)'s plan does not reach that far: \(clean(reason))"
    case .refused(let provider, let status, let reason):
      "\(provider) answered with HTTP \(status): \(clean(reason))"
    case .network(let host, let reason, _, _):
      "cannot reach \(clean(host)): \(clean(reason))"
    case .timedOut(let provider, let limit) where limit <= .zero:
      "no time was left to ask \(provider)"
    case .timedOut(let provider, let limit):
      "\(provider) did not answer within \(limit.shortText)"
    case .sourcesDisagree(let coin, let agreement):
      "too few sources agree on the price of \(clean(coin)), \(agreement.needed) are needed: \(agreement.text)"
    case .allFailed(let causes):
      causes.only?.message ?? "no provider has an answer: "
        + causes.decisiveOnes.map(\.error.message).joined(separator: "; ")
    case .offline(let question):
      "nothing is cached for \(clean(question))"
    case .unreadable(let provider, let reason):
      "\(provider) sent an answer that cannot be read: \(clean(reason))"
    case .plugin(let provider, let reason):
      "the plugin \(provider) \(clean(reason))"
    case .recordingDamaged(let file, let entry, let reason):
      "\(clean(file))" + (entry.map { ", entry \($0)" } ?? "") + ": \(clean(reason))"
    case .configuration(let issues):
      issues.map(\.description).joined(separator: "\n")
    case .untrusted(let file, let hasChanged, let withheld):
      "./\(clean(file)) \(hasChanged ? "has changed since it was trusted" : "is not trusted"): "
        + withheld.map { "no \(clean($0))" }.joined(separator: ", ")
    case .usage(let message, _):
      clean(message)
    case .dataFile(let path, let reason):
      "\(clean(path)): \(clean(reason))"
    }
  }

  /// The next step, if it is more specific than "try again"; nil otherwise.
  public var hint: String? {
    switch self {
    case .notFound(let coin, _, _) where CurrencyCoin.isCurrency(coin):
      "prices in it: --currency \(coin.lowercased()); its own: \"\(CurrencyCoin.id(of: clean(coin)))\""
    case .notFound(let coin, _, _) where CurrencyCoin.currency(of: coin) != nil:
      "prices in it: --currency \(CurrencyCoin.currency(of: coin) ?? "")"
    case .notFound(let coin, _, _) where coin.allSatisfy { $0.isNumber || $0 == "." }:
      "an amount is converted, as in \"bitpal convert \(clean(coin)) btc usd\""
    case .notFound(let coin, let provider, let suggestion):
      CurrencyPair(joined: coin).map(Self.question)
        ?? CurrencyCoin.hint(forReplaced: coin) ?? MinorUnit.problem(of: coin) ?? suggestion.map {
          "did you mean \"\(clean($0))\"?"
        }
        ?? "look for it with \"bitpal search \(clean(coin))\""
        + (Self.isShare(coin) && !provider.contains("yahoo") ? "; -p yahoo has shares and funds" : "")
    case .ambiguous(let symbol, let candidates, _):
      // No candidate is preferred among coins that are not well known.
      (candidates.count > Self.candidatesShown ? "\"bitpal search \(clean(symbol))\" lists all; " : "")
        + "use an id, or choose one for good with \"bitpal config alias \(clean(symbol)) "
        + (candidates.first.flatMap { WellKnownCoins.place(of: $0.id) == nil ? nil : clean($0.id) } ?? "ID") + "\""
    case .notRecorded(_, _, let available, let append):
      (available.isEmpty ? "it has nothing of that kind" : "it has: " + available.map(clean).joined(separator: ", "))
        + (append.map { "; to add it: \($0.printable(limit: 400))" } ?? "")
    case .unsupported(.coinList, _, []):
      "-p coingecko has one; \"bitpal providers find TICKER\" says which sources have a coin"
    case .unsupported(.detail, _, []): "-p coingecko has those of coins"
    case .unsupported(_, _, let others):
      others.isEmpty ? nil : "these have it: \(others.joined(separator: ", ")) (choose one with --provider)"
    case .unsupportedCurrency(let currency, _, let supported):
      CurrencyCoin.hint(forReplaced: currency)
        ?? (supported.isEmpty ? nil : "it answers in: \(supported.joined(separator: ", "))")
    case .budgetUsed(_, _, _, let wait, let keyVariable):
      (wait.map { "--wait \($0.roundedUp.unitText) waits for it; " } ?? "")
        + (keyVariable.map { "a key in \($0) allows more; " } ?? "") + "-p asks another source"
    case .rateLimited(_, let wait?, _) where wait > .seconds(300):
      "-p asks another source, --offline answers from the cache; to ask earlier may make the wait longer"
    case .rateLimited(_, let wait, _):
      (wait.map { "--wait \($0.roundedUp.unitText) waits for it; " } ?? "") + "-p asks another source"
    case .budgetLocked(_, let path):
      "see which one: fuser '\(clean(path))'"
    case .coolingDown:
      "-p asks another source, --offline answers from the cache"
    case .planLimit(_, _, let others):
      "ask for a later time"
        + (others.isEmpty ? "" : ", or one that goes further back (\(Self.choices(others)))")
    case .offline:
      "without --offline a source is asked; -p fixture answers from a recorded market"
    case .network:
      "check the network; --offline answers from the cache, -p fixture from a recorded market"
    case .untrusted:
      "\"bitpal trust\" if it is yours"
    case .plugin:
      "-v shows the messages to it and from it"
    case .usage(_, let hint):
      hint
    case .sourcesDisagree:
      "-p asks one of them, \"bitpal providers compare\" shows their prices"
    case .allFailed(let causes):
      causes.only?.hint
    case .noPrice, .noData, .unauthorized, .refused, .timedOut, .unreadable, .recordingDamaged, .configuration,
      .dataFile:
      nil
    }
  }

  /// The message and, after a semicolon, the hint.
  ///
  /// The hint has a line of its own after a message of several lines. The failures of several providers have one line
  /// each.
  public var description: String {
    if case .allFailed(let causes) = self, causes.only == nil {
      return causes.decisiveOnes.reduce("no provider has an answer:") { $0 + "\n  \($1.error.description)" }
    }
    let message = message
    return message + (hint.map { (message.contains("\n") ? "\n" : "; ") + $0 } ?? "")
  }

  /// The message and the next step for an HTTP client, which can neither type a command nor change a file.
  package var messageOverHTTP: String {
    switch self {
    case .usage, .unsupportedCurrency, .notFound(_, _, _?): description
    case .notRecorded(let question, let recording, let available, _):
      BitpalError.notRecorded(question: question, recording: recording, available: available).description
    case .ambiguous: message + "\nuse an id"
    case .unsupported(_, _, let others):
      message + (others.isEmpty ? "" : "; these have it: \(others.joined(separator: ", "))")
    case .planLimit(_, _, let others):
      message + "; ask for a shorter range" + Self.further(Self.names(others))
    case .offline(let question): "nothing is cached for \(clean(question)), and no source is asked"
    case .allFailed(let causes):
      causes.only?.messageOverHTTP
        ?? "no provider has an answer: " + causes.decisiveOnes.map(\.error.messageOverHTTP).joined(separator: "; ")
    // The reason may name a command that repairs the file.
    case .recordingDamaged(let file, _, _): "\(clean(file)) is damaged"
    case .dataFile(let path, _): "\(clean(path)) cannot be used"
    // The wait is in Retry-After.
    case .coolingDown(_, _, let last): clean(last)
    case .configuration, .untrusted, .notFound, .noPrice, .noData, .budgetUsed, .rateLimited, .budgetLocked,
      .unauthorized, .refused, .network, .timedOut, .unreadable, .plugin, .sourcesDisagree:
      message
    }
  }

  /// The number of coins with the same symbol that a message names.
  package static let candidatesShown = 8

  /// The number of providers to choose from that a message names.
  package static let choicesShown = 5

  /// Returns the option that chooses each of the first providers.
  package static func choices(_ providers: [String]) -> String {
    names(providers.map { "--provider \($0)" })
      + (providers.count > choicesShown ? ", which \"bitpal providers find\" lists" : "")
  }

  /// Returns the first of some names.
  package static func names(_ names: [String]) -> String {
    names.prefix(choicesShown).joined(separator: ", ") + (names.count > choicesShown ? " and more" : "")
  }

  /// Returns the end of a sentence on prices that begin late, with the providers that have the coin and go further back.
  package static func further(_ providers: String) -> String {
    providers.isEmpty ? "" : "; these may go further back: " + providers
  }

  /// Returns the question for a pair: of a currency as it is written here, of two coins as a conversion.
  private static func question(_ pair: CurrencyPair) -> String {
    CurrencyCoin.isCurrency(pair.currency)
      ? "did you mean \"\(pair.coin)-\(pair.currency)\"?"
      : "did you mean \"bitpal convert 1 \(pair.coin) \(pair.currency)\"?"
  }

  /// Returns whether a name has the form of a ticker of a share: capitals alone, two to five letters that are not a coin's, or the
  /// suffix of an exchange.
  private static func isShare(_ name: String) -> Bool {
    name == name.uppercased() && name.contains(where: \.isLetter) || name.contains(".")
      || (2...5).contains(name.count) && name.allSatisfy { $0.isASCII && $0.isLetter } && !WellKnownCoins.isKnown(name)
  }

  private func candidate(_ item: CoinListItem, _ known: CandidatePrices?) -> String {
    let price = known.flatMap { known in
      known.prices[item.id].map { ", \(NumberFormat.price($0)) \(known.currency.uppercased())" }
    }
    return "\(clean(WellKnownCoins.name(ofID: item.id))): \(clean(item.name))\(price ?? "")"
  }

  private func clean(_ text: String) -> String {
    text.printable(limit: 400)
  }
}

extension [ProviderFailure] {
  /// The failure of the only provider whose reason is shown; nil for several.
  fileprivate var only: BitpalError? {
    let shown = decisiveOnes
    return shown.count == 1 ? shown[0].error : nil
  }
}
