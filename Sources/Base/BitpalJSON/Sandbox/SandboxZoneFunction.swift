import BitpalFiles
import BitpalModel
import CSQLite
import FoundationEssentials

/// The SQL functions over instants and time zones.
///
/// An instant is a number of seconds since 1970; a zone is a name of the time zone database, or `+08:00`. NULL gives
/// NULL. An unknown zone fails the row, because a day depends on it.
enum SandboxZoneFunction: String, CaseIterable {
  /// `local_day(instant, zone)`: the date that the zone's clocks show, as the instant of its midnight in UTC.
  case localDay = "local_day"

  /// `zone_offset(instant, zone)`: how far the zone's clocks are ahead of UTC, in seconds.
  case zoneOffset = "zone_offset"

  /// `instant(text, zone)`: the instant at which the zone's clocks show an ISO 8601 date, with or without a time; a time
  /// with an offset of its own keeps it.
  case instant

  func run(_ call: SandboxCall) {
    guard call.type(0) != SQLITE_NULL, call.type(1) != SQLITE_NULL, let value = text(0, of: call),
      let name = text(1, of: call)
    else { return }
    let zone: ClockZone
    do throws(ZoneFiles.Problem) {
      zone = try ZoneFiles.system.zone(name)
    } catch {
      return call.fail(error.description)
    }
    guard self != .instant else {
      guard let civil = Date(utcText: value) else {
        return call.fail(
          "instant should be given a time like 2026-01-15T09:30:00, not \"\(value.printable(limit: 60))\"")
      }
      let hasOffset = value.dropFirst(10).contains { "Zz+-".contains($0) }
      return call.result(Int((hasOffset ? civil : zone.instant(of: CivilTime(civil))).milliseconds / 1000))
    }
    guard let seconds = Double(value), abs(seconds) < 1e11 else {
      return call.fail("\(rawValue) should be given seconds since 1970, not \"\(value.printable(limit: 60))\"")
    }
    let instant = Date(milliseconds: Int64((seconds * 1000).rounded(.down)))
    call.result(self == .localDay ? Int(zone.day(at: instant).milliseconds / 1000) : zone.offset(at: instant))
  }

  /// Returns an argument as text, out of its quotes where it is JSON.
  private func text(_ index: Int, of call: SandboxCall) -> String? {
    guard let bytes = call.text(index) else { return nil }
    let quote = UInt8(ascii: "\"")
    let isQuoted = bytes.count >= 2 && bytes.first == quote && bytes.last == quote
    return String(decoding: isQuoted ? bytes[1..<bytes.count - 1] : bytes[...], as: UTF8.self)
  }
}
