import BitpalModel

extension Duration {
  /// The nearest tenth of a second.
  var roundedToTenths: Duration { .milliseconds((milliseconds + 50) / 100 * 100) }
}
