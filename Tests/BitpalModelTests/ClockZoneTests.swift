import BitpalModel
import FoundationEssentials
import Testing

@testable import BitpalModel

@Suite struct `Clocks of time zones` {
  /// A file with one block of the second version; written here, for no test needs the system's zones.
  static func file(
    changes: [(Int64, UInt8)] = [], offsets: [Int32] = [3600], letters: String = "CET\0", footer: String = "\n\n",
    magic: String = "TZif2", leaps: UInt32 = 0, counted: UInt32? = nil
  ) -> [UInt8] {
    func bytes<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
      withUnsafeBytes(of: number.bigEndian) { Array($0) }
    }
    func block(_ counts: [UInt32]) -> [UInt8] {
      Array(magic.utf8) + [UInt8](repeating: 0, count: 15) + counts.flatMap { bytes($0) }
    }
    // The first block is for readers of long ago, and has next to nothing.
    var file = block([0, 0, 0, 0, 1, 1]) + [UInt8](repeating: 0, count: 7)
    let written = UInt32(changes.count)
    file += block([0, 0, leaps, counted ?? written, UInt32(offsets.count), UInt32(letters.utf8.count)])
    for change in changes { file += bytes(change.0) }
    file += changes.map(\.1)
    for offset in offsets { file += bytes(offset) + [0, 0] }
    return file + Array(letters.utf8) + Array(footer.utf8)
  }

  private static let rule = "\nCET-1CEST,M3.5.0,M10.5.0/3\n"

  private func instant(_ text: String) throws -> Date { try #require(Date(utcText: text)) }

  @Test(arguments: [
    ("2025-01-15T10:30:00Z", "2025-01-15 11:30:00+01:00"), ("2025-07-15T10:30:00Z", "2025-07-15 12:30:00+02:00"),
    ("2025-03-30T00:59:59Z", "2025-03-30 01:59:59+01:00"), ("2025-03-30T01:00:00Z", "2025-03-30 03:00:00+02:00"),
    ("2025-10-26T00:59:59Z", "2025-10-26 02:59:59+02:00"), ("2025-10-26T01:00:00Z", "2025-10-26 02:00:00+01:00"),
    ("2024-12-31T23:30:00Z", "2025-01-01 00:30:00+01:00"),
  ])
  func `After its last change a zone keeps to its rule`(instant text: String, shown: String) throws {
    let zone = try ClockZone(name: "Europe/Berlin", tzif: Self.file(footer: Self.rule))
    #expect(try instant(text).text(in: zone) == shown)
  }

  @Test(arguments: [
    ("2025-07-15 12:30", "2025-07-15T10:30:00Z"), ("2025-01-15T11:30:00", "2025-01-15T10:30:00Z"),
    ("2025-07-15T12:30Z", "2025-07-15T12:30:00Z"), ("2025-07-15T12:30-04:00", "2025-07-15T16:30:00Z"),
    ("2025-07-15", "2025-07-15T00:00:00Z"),
  ])
  func `A time without an offset is one of the zone, a day is of none`(text: String, instant: String) throws {
    let zone = try ClockZone(name: "Europe/Berlin", tzif: Self.file(footer: Self.rule))
    #expect(Date(text, in: zone) == (try self.instant(instant)))
  }

  @Test(arguments: [
    ("AEST-10AEDT,M10.1.0,M4.1.0/3", "2025-01-15 21:30:00+11:00", "2025-07-15 20:30:00+10:00"),
    ("<-03>3<-02>,M3.5.0/-2,M10.5.0/-1", "2025-01-15 07:30:00-03:00", "2025-07-15 08:30:00-02:00"),
    ("IST-5:30", "2025-01-15 16:00:00+05:30", "2025-07-15 16:00:00+05:30"),
    ("NST3:30NDT,M3.2.0,M11.1.0", "2025-01-15 07:00:00-03:30", "2025-07-15 08:00:00-02:30"),
    ("XXX3EDT4,0/0,J365/23", "2025-01-15 06:30:00-04:00", "2025-07-15 06:30:00-04:00"),
    ("WGT3WGST,J60/0,300/0", "2025-01-15 07:30:00-03:00", "2025-07-15 08:30:00-02:00"),
  ])
  func `Rules are read in every form`(rule: String, winter: String, summer: String) throws {
    let zone = try ClockZone(name: "Zone", tzif: Self.file(footer: "\n\(rule)\n"))
    #expect(try instant("2025-01-15T10:30:00Z").text(in: zone) == winter)
    #expect(try instant("2025-07-15T10:30:00Z").text(in: zone) == summer)
  }

  @Test func `Changes are found between each other`() throws {
    let bytes = Self.file(changes: [(0, 1), (1000, 0), (2000, 1)], offsets: [0, 7200])
    let zone = try ClockZone(name: "Zone", tzif: bytes)
    let offsets = [-1, 0, 999, 1000, 1999, 2000, 9_999_999].map { zone.offset(at: Date(milliseconds: $0 * 1000)) }
    #expect(offsets == [0, 7200, 7200, 0, 0, 7200, 7200])
  }

  @Test func `Days begin at the midnight of the zone, on days of 23 and 25 hours too`() throws {
    let zone = try ClockZone(name: "Europe/Berlin", tzif: Self.file(footer: Self.rule))
    func start(_ text: String) throws -> String { zone.startOfDay(try instant(text)).iso8601 }
    #expect(try start("2025-01-15T23:30:00Z") == "2025-01-15T23:00:00Z")
    #expect(try start("2025-03-30T12:00:00Z") == "2025-03-29T23:00:00Z")
    #expect(try start("2025-10-26T12:00:00Z") == "2025-10-25T22:00:00Z")
    #expect(zone.startOfYear(try instant("2025-10-26T12:00:00Z")).iso8601 == "2024-12-31T23:00:00Z")
    #expect(ClockZone.utc.startOfYear(try instant("2025-10-26T12:00:00Z")).iso8601 == "2025-01-01T00:00:00Z")
  }

  @Test func `A time that the clocks show twice is the first, one that they jump over is after the jump`() throws {
    let zone = try ClockZone(name: "Europe/Berlin", tzif: Self.file(footer: Self.rule))
    let twice = try #require(CivilTime(year: 2025, month: 10, day: 26, hour: 2, minute: 30))
    #expect(zone.instant(of: twice).text(in: zone) == "2025-10-26 02:30:00+02:00")
    let never = try #require(CivilTime(year: 2025, month: 3, day: 30, hour: 2, minute: 30))
    #expect(zone.instant(of: never).text(in: zone) == "2025-03-30 03:30:00+02:00")
    #expect(zone.instants(of: twice).map(\.iso8601) == ["2025-10-26T00:30:00Z", "2025-10-26T01:30:00Z"])
    #expect(zone.instants(of: never).isEmpty)
  }

  @Test(arguments: [
    (file(magic: "GZif2"), "it is not a time zone file"), ([], "it ends too early"),
    (file(offsets: []), "it changes to a time that it does not have"),
    (file(changes: [(0, 3)]), "it changes to a time that it does not have"),
    (file(changes: [(5, 0), (5, 0)]), "its changes are not in order"),
    (file(offsets: [100_000]), "its clocks are more than 26 hours off"), (file(leaps: 27), "it counts leap seconds"),
    (file(counted: 4_000_000_000), "it counts more than it holds"), (file(counted: 60), "it ends too early"),
    (file(footer: ""), "it ends too early"), (file(footer: "\nCET"), "it ends too early"),
    (file(footer: "\nCE-1\n"), "its last line is not a rule"),
    (file(footer: "\nCET-25\n"), "its last line is not a rule"),
    (file(footer: "\nCET-1CEST,M13.1.0,M10.5.0\n"), "its last line is not a rule"),
    (file(footer: "\nCET-1CEST,M3.5.0\n"), "its last line is not a rule"),
    (file(footer: "\nCET-1 \n"), "its last line is not a rule"),
    ([UInt8](repeating: 0, count: 70_000), "it is too large"),
  ])
  func `A file that is none is refused with the reason`(bytes: [UInt8], reason: String) {
    #expect(throws: ClockZone.FileProblem(reason: reason)) { try ClockZone(name: "Zone", tzif: bytes) }
  }

  @Test(arguments: 0..<400)
  func `A file cut or changed anywhere never ends the program`(place: Int) {
    var bytes = Self.file(changes: [(0, 1), (1000, 0)], offsets: [0, 7200], footer: Self.rule)
    let cut = place % bytes.count
    _ = try? ClockZone(name: "Zone", tzif: Array(bytes[..<cut]))
    bytes[cut] = bytes[cut] ^ UInt8(truncatingIfNeeded: 1 << (place % 8))
    let zone = try? ClockZone(name: "Zone", tzif: bytes)
    for year in [-1, 0, 1, 1_000_000_000, 99_999_999_999] as [Int64] {
      _ = zone.map { Date(milliseconds: year * 1000).text(in: $0) }
    }
  }
}
