import BitpalModel
import BitpalProviders
import FoundationEssentials

/// The closes of sources with step prices, such as a file of prices: each holds until the next one.
extension DailyHistory {
  /// Returns every close of the first source with step prices that has some, at any age.
  ///
  /// - Throws: `failure` without such a source.
  func stepCloses(
    _ id: String, currency: String, insteadOf failure: BitpalError
  ) async throws -> Sourced<[Resampling.DailyClose]> {
    let window = TimeWindow(ending: asker.time.now, length: asker.time.now.since(.earliestPrice))
    for provider in asker.sources.providers where provider.descriptor.hasStepPrices {
      let query = ProviderQuery.line(coin: id, currency: currency, window: window)
      guard let series = try? await provider.value(query, as: LineSeries.self) else { continue }
      let about = AnswerKey(
        provider: provider.descriptor.cacheIdentity, kind: .line, coin: id, currency: currency, range: "closes")
      return Sourced(
        Resampling.dailyCloses(series, now: asker.time.now), about: about, source: provider.descriptor.id,
        fetchedAt: asker.time.now)
    }
    throw failure
  }

  /// Returns the prices of a coin on some days at the first source with step prices, each carried forward to the next.
  ///
  /// No source is asked over the network.
  func stepPrices(_ id: String, from first: Date, to last: Date, currency: String) async -> [Date: Decimal] {
    let none = BitpalError.noData(question: id, provider: "")
    guard let closes = try? await stepCloses(id, currency: currency, insteadOf: none) else { return [:] }
    let days = carriedForward(closes, to: last.startOfDay).value.filter {
      $0.day >= first.startOfDay && $0.day <= last
    }
    return Dictionary(days.map { ($0.day, $0.price) }) { first, _ in first }
  }

  /// Returns closes with one for every day until `last`, where their source has step prices.
  ///
  /// A rate of a currency is never carried forward.
  func carriedForward(
    _ answer: Sourced<[Resampling.DailyClose]>, to last: Date
  ) -> Sourced<[Resampling.DailyClose]> {
    let source = asker.sources.provider(of: answer.about)?.descriptor
    guard source?.hasStepPrices == true, CurrencyCoin.currency(of: answer.about.coin) == nil else { return answer }
    return answer.map { closes in
      var filled: [Resampling.DailyClose] = []
      for (index, close) in closes.enumerated() {
        filled.append(close)
        let next = index + 1 < closes.count ? closes[index + 1].day : last.adding(.seconds(86_400))
        var day = close.day.adding(.seconds(86_400))
        while day < next {
          filled.append(.init(day: day, price: close.price, carriedFrom: close.day))
          day = day.adding(.seconds(86_400))
        }
      }
      return filled
    }
  }
}

extension Date {
  /// 1900-01-01, from which on all closes of a file of prices are read.
  fileprivate static let earliestPrice = Date(milliseconds: -2_208_988_800_000)
}
