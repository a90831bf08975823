package import BitpalModel

/// A place where answers are kept: memory, SQLite, Redis.
///
/// What every tier keeps to (`Tests/BitpalCacheTests/CacheTierTests` holds each to it):
/// * An answer comes back as it was stored, digit by digit, without its warnings, or not at all; never another's.
/// * What is stored under a key takes the place of what was there, all of one call or nothing of it.
/// * It forgets when it must (it is bounded), and nothing that could still be served: what is fresh is not for a tier to say.
/// * Nothing that is wrong with it stops a command: then it has no answer, and storing does nothing.
package protocol CacheTier: Sendable {
  /// What it is called in traces: `memory`, `sqlite`, `redis`.
  var name: String { get }

  /// The answer that is kept under a key.
  func answer(for key: AnswerKey) -> Sourced<AnswerContent>?

  /// The answers that are kept under some keys.
  func answers(for keys: [AnswerKey]) -> [AnswerKey: Sourced<AnswerContent>]

  /// Where an answer comes from and how old it is, without reading it.
  func stamp(of key: AnswerKey) -> Sourced<Void>?

  /// Keeps answers, each under the key that it is about.
  func store(_ answers: [Sourced<AnswerContent>])

  /// Keeps answers soon, where the caller need not wait for it.
  func storeSoon(_ answers: [Sourced<AnswerContent>])

  /// The coins of a kept list whose id is `name`, then those whose symbol it is in lower case; none without a list.
  func coins(named name: String, provider: String) -> [CoinListItem]

  /// The best matches of a kept list, in the order of `CoinSearch`; none without a list.
  func matches(_ search: CoinSearch, limit: Int, provider: String) -> [CoinListItem]

  /// Forgets everything.
  ///
  /// - Returns: How many answers there were.
  @discardableResult func removeAll() -> Int
}

extension CacheTier {
  package func answers(for keys: [AnswerKey]) -> [AnswerKey: Sourced<AnswerContent>] {
    keys.reduce(into: [:]) { found, key in found[key] = answer(for: key) }
  }
}

extension CacheTier {
  package func storeSoon(_ answers: [Sourced<AnswerContent>]) { store(answers) }
}
