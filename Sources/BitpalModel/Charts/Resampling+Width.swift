extension Resampling {
  /// The finest spacing of line samples that any source is known to have; no line makes candles narrower than three of it.
  public static let finestSampling = Duration.seconds(5 * 60)

  /// The width to ask a source for when candles of `wanted` are to be shown.
  ///
  /// The wanted one if the source has it, else the widest that divides it, else the narrowest. A source whose widths are
  /// not known is asked for the wanted one.
  public static func nativeWidth(for wanted: Duration, among native: [Duration]) -> Duration {
    native.filter { divides($0, wanted) }.max() ?? native.min() ?? wanted
  }

  /// Whether candles of `width` can be put together to ones of `wanted`.
  public static func divides(_ width: Duration, _ wanted: Duration) -> Bool {
    width.milliseconds > 0 && wanted >= width && wanted.milliseconds % width.milliseconds == 0
  }

  /// Whether a line may give better candles than those of `native`, so that it is worth asking for.
  public static func needsSamples(native: Duration, wanted: Duration) -> Bool {
    !divides(native, wanted) && wanted >= finestSampling * samplesPerCandle
  }

  /// The candles in force: those of the source put together to the wanted width, else those of its line, else its own.
  ///
  /// - Parameters:
  ///   - native: What the source answered, whatever it was asked for.
  ///   - wanted: The width asked for.
  ///   - samples: The line over the same window, when ``needsSamples(native:wanted:)`` and there is one.
  public static func candles(_ native: CandleSeries, wanted: Duration, samples: [ChartDataPoint] = []) -> CandleSeries {
    if native.width == wanted { return native }
    if divides(native.width, wanted) {
      return CandleSeries(width: wanted, candles: aggregate(native.candles, to: wanted))
    }
    if needsSamples(native: native.width, wanted: wanted), let candles = candles(from: samples, width: wanted) {
      return CandleSeries(width: wanted, candles: candles)
    }
    return native
  }
}
