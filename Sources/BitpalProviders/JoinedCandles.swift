import BitpalModel

/// Pages of candles on their way to one answer.
struct JoinedCandles {
  private var answers: [ProviderAnswer<CandleSeries>] = []

  /// Adds a page.
  ///
  /// One of a time before the coin was traded is empty; the later ones are not.
  mutating func add(_ page: () throws -> ProviderAnswer<CandleSeries>) rethrows {
    do {
      answers.append(try page())
    } catch BitpalError.noData {
    }
  }

  /// The candles of all pages, in order, in the width of the latest.
  ///
  /// - Throws: `BitpalError.noData` when every page was empty.
  func answer(coin: String, provider: String) throws(BitpalError) -> ProviderAnswer<CandleSeries> {
    guard let last = answers.last else { throw .noData(question: "candles of \(coin)", provider: provider) }
    let joined = SeriesRules.clean(answers.flatMap(\.value.candles))
    return ProviderAnswer(
      CandleSeries(width: last.value.width, candles: joined.points), warnings: answers.flatMap(\.warnings))
  }
}
