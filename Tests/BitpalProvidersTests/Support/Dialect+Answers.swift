import BitpalModel
import BitpalNetwork
import BitpalProviders
import Testing

/// Answers of a dialect by their kinds, for tests that look at one.
extension Dialect {
  func quotes(
    _ coins: [String], currency: String, from response: HTTPResponse
  ) throws -> ProviderAnswer<QuoteBatch> {
    try answer(to: .quotes(coins: coins, currency: currency), from: response).map { reply in
      try #require({ if case .quotes(let batch) = reply { batch } else { nil } }())
    }
  }

  func coinList(from response: HTTPResponse) throws -> ProviderAnswer<[CoinListItem]> {
    try answer(to: .coinList, from: response).map { reply in
      try #require({ if case .coinList(let items) = reply { items } else { nil } }())
    }
  }

  func detail(_ coin: String, currency: String, from response: HTTPResponse) throws -> ProviderAnswer<CoinDetail> {
    try answer(to: .detail(coin: coin, currency: currency), from: response).map { reply in
      try #require({ if case .detail(let detail) = reply { detail } else { nil } }())
    }
  }

  func line(
    _ coin: String, currency: String, window: TimeWindow, from response: HTTPResponse
  ) throws -> ProviderAnswer<LineSeries> {
    try answer(to: .line(coin: coin, currency: currency, window: window), from: response).map { reply in
      try #require({ if case .line(let series) = reply { series } else { nil } }())
    }
  }

  func candles(
    _ coin: String, currency: String, window: TimeWindow, width: Duration, from response: HTTPResponse
  ) throws -> ProviderAnswer<CandleSeries> {
    let query = ProviderQuery.candles(coin: coin, currency: currency, window: window, width: width)
    return try answer(to: query, from: response).map { reply in
      try #require({ if case .candles(let series) = reply { series } else { nil } }())
    }
  }
}
