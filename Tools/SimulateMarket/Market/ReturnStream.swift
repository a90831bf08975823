/// Returns minute by minute, in billionths: calm and wild stretches, trends, and now and then a shock.
struct ReturnStream {
  private var random: SplitMix64
  private let deviation: Int

  /// Volatility above the calm level, in 64ths of an octave: one that turns within hours, one within weeks.
  private var hourly = 0
  private var daily = 0

  private var trend = 0
  private var trendEnds = 0
  private var season = 0
  private var seasonEnds = 0

  /// - Parameters:
  ///   - dailyDeviation: The deviation of a calm day's return, in hundredths of a percent.
  init(random: SplitMix64, dailyDeviation: Int) {
    self.random = random
    // A hundredth of a percent is 100,000 billionths; a day has 1440 minutes, and √1440 is 37.947.
    deviation = dailyDeviation * 100_000_000 / 37_947
  }

  /// The return of the minute that ends at `minute` (minutes since 1970).
  mutating func next(minute: Int) -> Int {
    if minute % 1440 == 0 {
      daily += -daily / 12 + random.nextNormal(deviation: 11)
    }
    if minute % 30 == 0 {
      hourly += -hourly / 24 + random.nextNormal(deviation: 10)
      hourly = min(hourly, 220)
    }
    if minute >= seasonEnds {
      seasonEnds = minute + random.next(in: 5...25) * 1440
      season = random.nextNormal(deviation: deviation) / 120
    }
    if minute >= trendEnds {
      trendEnds = minute + random.next(in: 60...600)
      trend = random.nextNormal(deviation: deviation) / 50
    }
    var value = random.nextNormal(deviation: deviation)
    if random.next() % 3000 == 0 {
      value += random.nextNormal(deviation: 9 * deviation)
      hourly += 72
    }
    return (value + trend) * Self.power(hourly + daily + Self.session(minute)) / 65_536 + season
  }

  /// More is traded when Europe and America are both awake.
  private static func session(_ minute: Int) -> Int {
    switch minute / 60 % 24 {
    case 13...20: 22
    case 2...6: -14
    default: 0
    }
  }

  /// 2 to the power `exponent` / 64, times 65536, within 0.3 %: by whole numbers, for `pow` differs between machines.
  private static func power(_ exponent: Int) -> Int {
    let clamped = min(max(exponent, -128), 256)
    let octave = clamped >> 6
    let rest = clamped & 63
    let mantissa = 65_536 + 43_025 * rest / 64 + 22_511 * rest * rest / 4096
    return octave >= 0 ? mantissa << octave : mantissa >> -octave
  }
}
