/// Something measured, what it is held against, and what is wanted of it.
struct Row {
  let what: String
  let measured: String
  let against: String
  var ratio = ""
  var wanted = ""
  var met = ""

  /// A time that must not exceed `most`.
  static func limit(_ what: String, _ time: Measurement, _ most: Duration, _ name: String, _ other: Measurement) -> Row
  {
    Row(
      what: what, measured: time.both, against: "\(name): \(other.both)", ratio: ratios(time, other),
      wanted: "at most \(Measurement.text(most))", met: verdict(time.duration <= most))
  }

  /// A time that must not be longer than another by more than `most`.
  static func beyond(_ what: String, _ time: Measurement, _ name: String, _ other: Measurement, atMost: Duration) -> Row
  {
    Row(
      what: what, measured: time.both, against: "\(name): \(other.both)", ratio: ratios(time, other),
      wanted: "at most \(Measurement.text(atMost)) more", met: verdict(time.duration - other.duration <= atMost))
  }

  /// A time that must be that many times shorter than another.
  static func faster(_ what: String, _ time: Measurement, _ name: String, _ other: Measurement, atLeast: Double) -> Row
  {
    Row(
      what: what, measured: time.both, against: "\(name): \(other.both)", ratio: "\(ratios(other, time)) faster",
      wanted: "at least \(ratio(atLeast)) faster", met: verdict(other.over(time) >= atLeast))
  }

  /// A time that must not be longer than that many times another; nil where nothing is wanted.
  static func within(_ what: String, _ time: Measurement, _ name: String, _ other: Measurement, atMost: Double?) -> Row
  {
    Row(
      what: what, measured: time.both, against: "\(name): \(other.both)", ratio: ratios(time, other),
      wanted: atMost.map { "at most \(ratio($0))" } ?? "", met: atMost.map { verdict(time.over(other) <= $0) } ?? "")
  }

  /// A count that must be exactly so.
  static func count(_ what: String, _ count: Int, _ unit: String, wanted: Int, _ name: String, _ other: Int) -> Row {
    Row(
      what: what, measured: "\(count) \(unit)", against: "\(name): \(other)",
      ratio: ratio(Double(count) / Double(max(1, other))), wanted: "\(wanted)", met: verdict(count == wanted))
  }

  static func verdict(_ isMet: Bool) -> String { isMet ? "yes" : "NO" }

  static func ratios(_ time: Measurement, _ other: Measurement) -> String {
    "\(ratio(time.over(other))) (\(time.leastOver(other).rounded(places: 2)))"
  }

  static func ratio(_ value: Double) -> String { "\(value.rounded(places: 2)) x" }
}
