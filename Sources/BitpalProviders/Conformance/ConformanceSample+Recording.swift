import BitpalModel
import BitpalReplay

extension ConformanceSample {
  /// What a recording was asked with success: coins, a line and candles; nil when nothing.
  fileprivate init?(_ recording: Recording) {
    let good = recording.exchanges.filter { (200...299).contains($0.status) }
    var coins: [String] = []
    var currency: String?
    var line: Line?
    var candles: Candles?
    for exchange in good {
      switch exchange.query {
      case .quotes(let asked, let unit) where coins.isEmpty:
        coins = asked
        currency = unit
      case .line(let coin, let unit, let window) where line == nil:
        line = (coin, unit, window)
        currency = currency ?? unit
      case .candles(let coin, let unit, let window, let width) where candles == nil:
        candles = (coin, unit, window, width)
        currency = currency ?? unit
      default: continue
      }
    }
    guard let currency else { return nil }
    self.init(coins: coins, currency: currency, line: line, candles: candles)
  }
}

extension RecordedProvider {
  /// What the recording has answers to: coins with a price, a line, candles; nil when it has none.
  ///
  /// - Throws: `BitpalError.recordingDamaged`.
  public func conformanceSample() async throws -> ConformanceSample? {
    guard var sample = ConformanceSample(try recording()) else { return nil }
    let answer = try await quotes(sample.coins, currency: sample.currency).value
    sample.coins = sample.coins.filter { answer.coins[$0] != nil }
    return sample
  }
}
