import BitpalModel
import BitpalNetwork

/// The keys that a provider has sent, which no text of an answer may repeat.
///
/// ``/BitpalNetwork/Redaction`` removes them from the bytes of a response. This type finds a key that a dialect puts
/// together from several parts of the response.
final class SentKeys: Sendable {
  private let state = Locked((keys: [Secret](), redaction: Redaction([])))

  /// Adds the keys of a request.
  func add(_ keys: [Secret]) {
    state.withLock { state in
      let new = keys.filter { !state.keys.contains($0) }
      guard !new.isEmpty else { return }
      state.keys += new
      state.redaction = Redaction(state.keys)
    }
  }

  /// Returns whether a failure's message repeats a key.
  func areRepeated(in error: BitpalError) -> Bool {
    let redaction = state.withLock { $0.redaction }
    return !redaction.isEmpty && redaction.isNeeded(in: error.message)
  }

  /// Returns whether a text of an answer repeats a key.
  func areRepeated(in answer: ProviderAnswer) -> Bool {
    let redaction = state.withLock { $0.redaction }
    guard !redaction.isEmpty else { return false }
    func isIn(_ texts: String?...) -> Bool { texts.contains { $0.map(redaction.isNeeded) ?? false } }
    func isIn(_ coin: Coin) -> Bool { isIn(coin.id, coin.symbol, coin.name, coin.place) }
    func isIn(_ answer: Answer) -> Bool {
      switch answer {
      case .quote(let coin): isIn(coin)
      case .detail(let detail): isIn(detail.coin) || isIn(detail.image)
      case .coinList(let items): items.contains { isIn($0.id, $0.symbol, $0.name) }
      case .line, .candles, .missing: false
      }
    }
    return answer.answers.values.contains(where: isIn) || answer.extras.values.joined().contains(where: isIn)
      || answer.failures.values.contains { isIn($0.message) } || answer.warnings.contains { isIn($0.description) }
  }
}
