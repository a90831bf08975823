import BitpalModel
import Foundation
import Testing

@testable import BitpalPortfolio

@Suite struct `Times and tickers of a file` {
  private func read(
    _ row: String, column: String = "Date", zone: ClockZone? = nil, declared: ClockZone? = nil
  ) throws -> ImportedSheet {
    let header = Reading.header.replacing("Date", with: column)
    var specification = Reading.specification(Reading.legs.replacing("\"Date\"", with: "\"\(column)\""), header: header)
    specification.zone = declared
    var options = Reading.options()
    options.zone = zone
    return try Reading.sheet(Array("\(header)\n\(row)".utf8), by: specification, options)
  }

  private func time(_ sheet: ImportedSheet) throws -> String {
    try #require(sheet.transactions(ids: ["ETH": "eth"]).first).transaction.date.iso8601
  }

  private let row = "2024-01-01 00:30:00,100,USD,1,ETH,,,,,,,"

  @Test(
    arguments: [
      ("Time (UTC+8)", "2023-12-31T16:30:00Z"), ("Date(UTC)", "2024-01-01T00:30:00Z"),
      ("UTC_Time", "2024-01-01T00:30:00Z"), ("Date (GMT-05:30)", "2024-01-01T06:00:00Z"),
    ])
  func `The zone in the name of a column is applied`(column: String, expected: String) throws {
    let sheet = try read(row, column: column)
    #expect(try time(sheet) == expected && !sheet.isReadAsUTC)
  }

  @Test(arguments: ["Date(UTC+02:00)", "DATE (GMT-05:30)", "date(utc)"])
  func `A column of times is known by its name without the zone`(column: String) throws {
    let text = "\(Reading.header.replacing("Date", with: column))\n\(row)"
    let sheet = try Reading.sheet(Array(text.utf8), by: Reading.specification(), Reading.options())
    #expect(!sheet.isReadAsUTC && sheet.unread.isEmpty)
    let hours = ["Date(UTC+02:00)": "2023-12-31T22:30:00Z", "DATE (GMT-05:30)": "2024-01-01T06:00:00Z"]
    #expect(try time(sheet) == hours[column, default: "2024-01-01T00:30:00Z"])
  }

  @Test(arguments: [
    ("Time zone: Europe/Berlin", "Europe/Berlin"), ("\"Timezone: Local\",", "Local"),
    ("UID:1,Time Zone:UTC+3,", "UTC+3"),
    ("Time Zone:,EST,1", "EST"), ("All times are shown in CET", "CET"), ("TZ=Asia/Tokyo", "Asia/Tokyo"),
    ("Zeitzone;MEZ", "MEZ"),
    ("Timezone: -", nil), ("Time zone: N/A", nil), ("Euro zone: DE", nil), ("See the time zone of the account", nil),
  ])
  func `A line names the zone of its times behind a word for it`(line: String, zone: String?) {
    #expect(UnreadColumns.zone(statedIn: line) == zone)
  }

  @Test func `A zone above the header that is not known is a fault unless one is chosen`() throws {
    func read(_ line: String, zone: ClockZone? = nil) throws -> ImportedSheet {
      var options = Reading.options()
      options.zone = zone
      return try Reading.sheet(Array("\(line)\n\(Reading.header)\n\(row)".utf8), by: Reading.specification(), options)
    }
    #expect(try time(read("Time zone: Asia/Tokyo")) == "2023-12-31T15:30:00Z")
    #expect(throws: CSVFaults.self) { try read("Timezone: Local").transactions(ids: ["ETH": "eth"]) }
    #expect(try time(read("Timezone: Local", zone: ClockZone(offset: "+01:00"))) == "2023-12-31T23:30:00Z")
  }

  @Test func `A local time is in the zone that is chosen, and otherwise the sheet says that it is read as UTC`() throws
  {
    let zone = ClockZone(offset: "+01:00")
    #expect(try time(read(row)) == "2024-01-01T00:30:00Z" && read(row).isReadAsUTC)
    #expect(try time(read(row, zone: zone)) == "2023-12-31T23:30:00Z" && !read(row, zone: zone).isReadAsUTC)
    // What the file or its import states is not changed.
    #expect(try time(read(row, zone: zone, declared: .utc)) == "2024-01-01T00:30:00Z")
    #expect(try time(read(row.replacing(":00,", with: ":00Z,"), zone: zone)) == "2024-01-01T00:30:00Z")
    #expect(try time(read("01/13/2024 00:30,100,USD,1,ETH,,,,,,,", zone: zone)) == "2024-01-12T23:30:00Z")
  }

  @Test func `The zone in the name of the file is applied where nothing else has one`() throws {
    let bytes = Array("\(Reading.header)\n\(row)".utf8)
    guard
      case .known(let specification, let file) = try ImportRecognition(
        bytes, name: "t.csv", among: [Reading.specification()], isOwnKnown: false)
    else { return #expect(Bool(false)) }
    let sheet = try ImportReader(specification).read(file, name: "All(UTC--6)_1.csv", options: Reading.options())
    #expect(try time(sheet) == "2024-01-01T06:30:00Z" && !sheet.isReadAsUTC)
  }

  @Test func `ZIP files and workbooks are named`() {
    for (bytes, what) in [
      ([0x50, 0x4B, 3, 4] + Array("xl/workbook.xml".utf8), "a workbook"), ([0x50, 0x4B, 3, 4, 1], "a ZIP file"),
    ]
      as [([UInt8], String)]
    {
      #expect { try ImportRecognition.text(of: bytes, name: "t.zip") } throws: { "\($0)".contains("it is \(what)") }
    }
  }

  @Test func `A time that falls on midnight in UTC stays a time, and a day stays that day`() throws {
    let west = ClockZone(offset: "-05:00")
    let evening = "2023-12-31 19:00:00,100,USD,1,ETH,,,,,,,"
    #expect(try time(read(evening, zone: west)) == "2024-01-01T00:00:00.001Z")
    #expect(try time(read(row.replacing(":30:", with: ":00:"), declared: .utc)) == "2024-01-01T00:00:00.001Z")
    #expect(try time(read(row.replacing("00:30:00", with: "00:00:00Z"))) == "2024-01-01T00:00:00.001Z")
    #expect(try time(read(row.replacing(" 00:30:00", with: ""), zone: west)) == "2024-01-01T00:00:00Z")
    #expect(try time(read("13/01/2024,100,USD,1,ETH,,,,,,,", zone: west)) == "2024-01-13T00:00:00Z")
    // Midnights alone, without a zone, are the days of a spreadsheet; beside another time they are times.
    let midnight = row.replacing(":30:", with: ":00:")
    #expect(try time(read(midnight)) == "2024-01-01T00:00:00Z")
    #expect(try time(read(midnight + "\n" + row)) == "2024-01-01T00:00:00.001Z")
  }

  @Test func `A time of a pattern without an offset is in the zone that is chosen`() throws {
    func time(_ text: String, _ pattern: String) throws -> ImportDate? {
      let pattern = try TimePattern(pattern)
      return Array(text.utf8).withUnsafeBufferPointer { pattern.importDate($0) }
    }
    let instant = Date(milliseconds: 1_704_067_200_000)
    #expect(try time("1.1.2024 0:00", "d.M.yyyy H:mm") == .local(instant))
    #expect(try time("1.1.2024 1:00+01", "d.M.yyyy H:mmX") == .instant(instant))
    #expect(try time("1.1.2024", "d.M.yyyy") == .day(instant))
  }

  @Test func `A ticker means the coin that it meant on the day of the row`() throws {
    func coins(_ day: String, mapped: Set<String> = []) throws -> [String] {
      let options = Reading.options(coins: mapped)
      let bytes = Array("\(Reading.header)\n\(day),100,USD,1,LUNA,,,,,,,".utf8)
      return try Reading.sheet(bytes, by: Reading.specification(), options).coins
    }
    #expect(try coins("2021-12-01") == ["terra-luna"] && coins("2022-06-01") == ["LUNA"])
    #expect(try coins("2021-12-01", mapped: ["LUNA"]) == ["LUNA"])
    let faults = try Reading.faults("2022-05-20,100,USD,1,LUNA,,,,,,,")
    let expected = "coin: on 2022-05-20 \"LUNA\" was one of terra-luna, terra-luna-2; say which: --map LUNA=terra-luna"
    #expect(faults.count == 1 && faults[0].hasSuffix(expected), "\(faults)")
  }

  @Test func `Faults of one cause are one`() throws {
    #expect(
      try Reading.faults("1704069000,1,USD,1,ETH,,,,,,,", "1704069001,1,USD,1,ETH,,,,,,,").first
        == "2:1: date: \"1704069000\" is not a date like 2025-01-15 10:30:00 (and in 1 more)")
  }
}
