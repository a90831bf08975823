import FoundationEssentials

/// The one table of true prices: a pure function of seed, source, thing, currency, instant and field.
///
/// Prices are counted in millionths. Every price differs from every other, so that a wrong one shows whose it is.
struct Truth: Sendable {
  /// A field of a price: a candle's, or the sample of a line.
  enum Field: String, CaseIterable, Sendable {
    case open, high, low, close
  }

  let seed: UInt64

  /// The price of a thing at a source at an instant, which is also the opening of every candle that begins there.
  func open(_ source: Source, _ thing: String, _ currency: String, at instant: Int) -> Decimal {
    value(source, thing, currency, instant, salt: 1)
  }

  /// The close of every candle that ends at an instant.
  ///
  /// CoinGecko's candles are made of its samples, so there the close is the sample.
  func close(_ source: Source, _ thing: String, _ currency: String, at end: Int) -> Decimal {
    value(source, thing, currency, end, salt: source.isSampled ? 1 : 2)
  }

  /// The high or low of every candle that ends at an instant: the later, the further away from the price.
  ///
  /// So the highest of several candles is that of the last, however they are put together.
  func extreme(_ source: Source, _ thing: String, _ currency: String, at end: Int, isHigh: Bool) -> Decimal {
    let base = base(thing, currency)
    let step = base / 10_000_000 * Int64(max(0, (end - Self.beginning) / 60) % 10_000_000) / 100
    return Self.decimal(isHigh ? base / 10 * 13 + step : base / 10 * 7 - step)
  }

  /// The price of now.
  func spot(_ source: Source, _ thing: String, _ currency: String, now: Int) -> Decimal {
    open(source, thing, currency, at: now)
  }

  /// The rate of one euro in a currency on a day, as a central bank states it.
  func rate(_ currency: String, on day: Int) -> Decimal {
    value(.ecb, "eur", currency, day, salt: 3)
  }

  /// The day before which no price is.
  static let beginning = 1_230_940_800

  private func value(_ source: Source, _ thing: String, _ currency: String, _ instant: Int, salt: UInt64) -> Decimal {
    let base = base(thing, currency)
    var state = seed &+ salt &* 0x9E37_79B9_7F4A_7C15 &+ UInt64(bitPattern: Int64(instant))
    for text in [source.rawValue, thing, currency] {
      for byte in text.utf8 { state = (state ^ UInt64(byte)) &* 0x100_0000_01B3 }
    }
    state = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
    state = (state ^ (state >> 27)) &* 0x94D0_49BB_1331_11EB
    state ^= state >> 31
    // Within ten per cent of the base.
    let part = Int64(state % 200_001) - 100_000
    return Self.decimal(base + base * part / 1_000_000 + Int64(state >> 40) % max(1, base / 1_000_000))
  }

  /// The middle of all prices of a thing in a currency, in millionths.
  private func base(_ thing: String, _ currency: String) -> Int64 {
    let dollars: Int64 =
      switch thing {
      case "bitcoin": 90_000_000_000
      case "ethereum": 3_000_000_000
      case "house": 350_000_000_000
      case "eur": 1_000_000
      default: 2_000_000 + Int64(thing.utf8.reduce(7) { ($0 &* 31 &+ UInt32($1)) % 997 }) * 1_000_000
      }
    let factor: (Int64, Int64) =
      switch currency {
      case "eur": (92, 100)
      case "gbp": (78, 100)
      case "isk": (140, 1)
      case "sek": (10, 1)
      default: (1, 1)
      }
    return dollars / factor.1 * factor.0
  }

  /// Millionths as a number.
  private static func decimal(_ millionths: Int64) -> Decimal {
    Decimal(sign: .plus, exponent: -6, significand: Decimal(millionths))
  }
}

extension Int {
  /// The last instant before or at this one that a width divides.
  func floored(to width: Int) -> Int { self - ((self % width) + width) % width }

  /// The midnight with which this instant's day begins.
  var day: Int { floored(to: 86_400) }

  /// `2026-11-17`.
  var dayText: String { Self.text(self, "yyyy-MM-dd") }

  /// `2026-11-17T12:00:00Z`.
  var instantText: String { Self.text(self, "") }

  /// 0 for Sunday to 6 for Saturday.
  var weekday: Int { ((self.day / 86_400) + 4) % 7 }

  private static func text(_ seconds: Int, _ form: String) -> String {
    let text = Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601)
    return form.isEmpty ? text : String(text.prefix(10))
  }
}
