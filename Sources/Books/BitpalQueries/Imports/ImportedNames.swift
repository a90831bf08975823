import Bitpal
import BitpalModel
import BitpalPortfolio

/// A resolver of the tickers in an imported file to the ids of coins.
///
/// The user's `--map` counts first, then the aliases, the coins of the portfolio, the well-known coins, and a coin list
/// if one is available. A ticker that stays unknown is a fault of the file, never a guess. Where the file has a name
/// behind the ticker, as in `SOL (Solana)`, the coin has that name, too.
struct ImportedNames {
  let book: PortfolioBook

  /// The ids that `--map` states, by the ticker in capitals.
  let map: [String: String]

  /// The ids of the settings' aliases, by the name in lower case.
  let aliases: [String: String]

  /// Returns the ids by the names in the file, and the reason for each name without one.
  ///
  /// A coin list is fetched only for names that cannot be resolved without it.
  ///
  /// - Throws: An error that is not a `BitpalError`, such as `CancellationError`, and errors of the store.
  func resolve(_ coins: [String]) async throws -> (ids: [String: String], unknown: [String: String]) {
    let held = Set(try book.store.transactions().map(\.coinId))
    var ids: [String: String] = [:]
    var unknown: [String: String] = [:]
    for coin in coins {
      let written = ImportOptions.parts(of: coin)
      let meant = map[coin.uppercased()] ?? map[written.ticker.uppercased()]
      if let alias = aliases[written.ticker.lowercased()], meant == nil {
        ids[coin] = alias
      } else if held.contains(coin) || FormerTickers.has(id: coin), meant == nil {
        ids[coin] = coin
      } else {
        do {
          if meant == nil, let name = written.name {
            ids[coin] = try await id(of: written.ticker, named: name)
          } else {
            ids[coin] = try await id(meant ?? coin, held)
          }
        } catch let error as BitpalError {
          // The user's statement is believed, as for a coin that is recorded by hand.
          ids[coin] = meant.map { (try? book.service.knownID(of: $0)) ?? $0 }
          if let meant {
            book.remark(.warning("\(meant) is in no coin list at hand; it is taken as it is written"))
          } else {
            unknown[coin] = message(error, coin)
          }
        }
      }
    }
    return (ids, unknown)
  }

  /// Returns the id of the coin that has a ticker and, but for blanks and signs, a name.
  private func id(of ticker: String, named name: String) async throws -> String {
    func isNamed(_ coin: CoinListItem) -> Bool { [coin.id, coin.name].map(Self.letters).contains(Self.letters(name)) }
    if let coin = WellKnownCoins.coin(ticker: ticker), isNamed(coin) { return coin.id }
    let list: [CoinListItem]
    do {
      list = try await book.service.coinList(policy: book.policy).value
    } catch is BitpalError {
      throw BitpalError.noData(question: ticker, provider: "")
    }
    let coins = list.filter { $0.symbol.lowercased() == ticker.lowercased() && isNamed($0) }
    guard let coin = coins.first, coins.count == 1 else {
      throw BitpalError.notFound(coin: ticker, provider: "", suggestion: nil)
    }
    return coin.id
  }

  private static func letters(_ text: String) -> String { text.lowercased().filter { $0.isLetter || $0.isNumber } }

  private func id(_ name: String, _ held: Set<String>) async throws -> String {
    let (service, policy) = (book.service, book.policy)
    for policy in policy == .offline ? [policy] : [.offline, policy] {
      let id = try await service.resolve(name, policy: policy)
      if service.isWellKnown(id) || held.contains(id) { return id }
      if let unlisted = await service.unlisted([id], policy: policy) {
        if unlisted.isEmpty { return id }
        // A coin of a source without a list, such as a share, exists when it has a price.
        let priced = try await service.existing([service.name(ofID: id)], currency: book.currency, policy: policy)
        if priced.failures.isEmpty { return id }
        throw BitpalError.notFound(coin: name, provider: "", suggestion: service.nearestCoin(to: name))
      }
    }
    throw BitpalError.noData(question: name, provider: "")
  }

  private func message(_ error: BitpalError, _ coin: String) -> String {
    let ticker = coin.printable(limit: 40)
    func map(_ id: String) -> String {
      let stated = "\(ticker)=\(id)"
      return "--map \(ticker.contains(" ") ? "\"\(stated)\"" : stated)"
    }
    // An id that is on no list may be that of a share, which is written the same; one with a currency is a coin's at Yahoo.
    let isPair = ticker.split(separator: "-").dropFirst().last.map { CurrencyCoin.isCurrency($0.lowercased()) } ?? false
    let question =
      "; say which coin it is: \(map("ID"))"
      + (ticker.hasPrefix("id:")
        ? " (\"bitpal search\" finds its id), or which share: \(map(isPair ? "id:CODE" : ticker))" : "")
    switch error {
    case .ambiguous(_, let candidates, _):
      let shown = candidates.prefix(4).map { "\($0.id) (\($0.name.printable(limit: 30)))" }.joined(separator: ", ")
      let more = candidates.count > 4 ? " and \(candidates.count - 4) more" : ""
      return
        "\"\(ticker)\" is the ticker of \(candidates.count) coins: \(shown)\(more); say which: --map \(ticker)=\(candidates.first?.id ?? "ID")"
    case .notFound(_, _, let suggestion):
      return "no provider knows \"\(ticker)\"" + (suggestion.map { " (did you mean \"\($0)\"?)" } ?? "")
        + question
    case .noData:
      return
        "\"\(ticker)\" is not well known, and no coin list is at hand to look it up in\(question)"
    default:
      return error.description
    }
  }
}
