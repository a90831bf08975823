import BitpalModel
public import BitpalReplay

extension ConformanceSample {
  /// What a recording has answers to: coins with a price, a line, candles; nil when it has none.
  ///
  /// - Parameters:
  ///   - recording: The recording.
  ///   - provider: The provider that answers from it.
  /// - Throws: `BitpalError.recordingDamaged`.
  public init?(_ recording: Recording, answeredBy provider: any PriceProvider) async throws {
    self.init(asked: recording)
    let answer = try await provider.quotes(coins, currency: currency).value
    coins = coins.filter { answer.coins[$0] != nil }
  }

  /// What a recording was asked with success; nil when nothing.
  private init?(asked recording: Recording) {
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
