package import BitpalModel

/// A store of answers: memory, SQLite, Redis.
///
/// Every tier follows these rules (`Tests/BitpalCacheTests/CacheTierTests` checks each of them):
/// * An answer is returned as it was stored, digit by digit, with the warnings of a series alone, or not at all; never that of another
/// key.
/// * A stored answer replaces the one under its key; a call stores all of its answers or none.
/// * A tier drops answers only for lack of room or when they can no longer be served; it does not decide which are fresh.
/// * Its failures stop no command: a failing tier has no answers, and storing does nothing.
///
/// ```swift
/// tier.store([answer])
/// let same = tier.answer(for: answer.about)
/// ```
package protocol CacheTier: Sendable {
  /// The name in traces: `memory`, `sqlite`, `redis`.
  var name: String { get }

  /// Returns the answer under a key; nil when there is none.
  func answer(for key: AnswerKey) -> Sourced<Answer>?

  /// Returns the answers under some keys.
  func answers(for keys: [AnswerKey]) -> [AnswerKey: Sourced<Answer>]

  /// Returns the provenance of an answer without its content; nil when there is none.
  func stamp(of key: AnswerKey) -> Sourced<Void>?

  /// Stores answers, each under the key that it is about.
  func store(_ answers: [Sourced<Answer>])

  /// Stores answers soon, where the caller need not wait for it.
  func storeSoon(_ answers: [Sourced<Answer>])

  /// Returns the coins of a stored list whose id is `name`, then those whose symbol it is in lower case; none without a
  /// list.
  func coins(named name: String, provider: String) -> [CoinListItem]

  /// Returns the best matches of a stored list, in the order of `CoinSearch`; none without a list.
  func matches(_ search: CoinSearch, limit: Int, provider: String) -> [CoinListItem]

  /// Removes everything.
  ///
  /// - Returns: The number of answers that were removed.
  @discardableResult func removeAll() -> Int
}

extension CacheTier {
  package func answers(for keys: [AnswerKey]) -> [AnswerKey: Sourced<Answer>] {
    keys.reduce(into: [:]) { found, key in found[key] = answer(for: key) }
  }
}

extension CacheTier {
  package func storeSoon(_ answers: [Sourced<Answer>]) { store(answers) }

  package func coins(named name: String, provider: String) -> [CoinListItem] {
    let (symbol, items) = (name.lowercased(), list(of: provider))
    return items.filter { $0.id == name } + items.filter { $0.symbol == symbol && $0.id != name }
  }

  package func matches(_ search: CoinSearch, limit: Int, provider: String) -> [CoinListItem] {
    search.matches(in: list(of: provider), limit: limit)
  }

  private func list(of provider: String) -> [CoinListItem] {
    guard case .coinList(let items)? = answer(for: AnswerKey(provider: provider, kind: .coinList))?.value else {
      return []
    }
    return items
  }
}
