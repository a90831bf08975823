import FoundationEssentials
import Testing

@testable import BitpalModel

@Suite struct `Times in a source's own way` {
  /// The instant as ISO 8601, or what is wrong.
  private func read(_ text: String, _ pattern: String) -> String {
    do throws(TimePattern.Fault) {
      let pattern = try TimePattern(pattern)
      return Array(text.utf8).withUnsafeBufferPointer { pattern.instant($0) }?.iso8601 ?? "no time"
    } catch {
      return "\(error.offset): \(error.message)"
    }
  }

  @Test(
    arguments: [
      ("yyyy-MM-dd", "2025-01-15", "2025-01-15T00:00:00Z"),
      ("yyyyMMdd", "20250115", "2025-01-15T00:00:00Z"),
      ("dd.MM.yyyy HH:mm Z", "15.01.2025 10:30 +0100", "2025-01-15T09:30:00Z"),
      ("dd.MM.yyyy HH:mm Z", "15.01.2025 10:30 Z", "2025-01-15T10:30:00Z"),
      ("d.M.yy", "5.1.25", "2025-01-05T00:00:00Z"),
      ("d.M.yy", "15.11.99", "1999-11-15T00:00:00Z"),
      ("M/d/yyyy h:mm a", "1/5/2025 12:05 am", "2025-01-05T00:05:00Z"),
      ("M/d/yyyy hh:mm:ss a", "1/5/2025 01:05:09 PM", "2025-01-05T13:05:09Z"),
      ("E, dd MMM yyyy HH:mm:ss x", "Wed, 15 Jan 2025 10:30:00 -05:30", "2025-01-15T16:00:00Z"),
      ("EEEE d MMMM y", "wednesday 15 january 2025", "2025-01-15T00:00:00Z"),
      ("yyyy-MM-dd'T'HH:mm:ss.SSSX", "2025-01-15T10:30:00.125GMT", "2025-01-15T10:30:00.125Z"),
      ("yyyy-MM-dd HH:mm:ss.S", "2025-01-15 10:30:00.5", "2025-01-15T10:30:00.500Z"),
      ("yyyy-MM-dd HH:mm:ss.SSSSSS", "2025-01-15 10:30:00.123456", "2025-01-15T10:30:00.123Z"),
      ("yyyy'年'M'月'd'日'", "2025年1月15日", "2025-01-15T00:00:00Z"),
      ("d MMM ''yy", "15 Jan '25", "2025-01-15T00:00:00Z"),
      ("MMM d, yyyy", "Sept 5, 2020", "2020-09-05T00:00:00Z"),
      ("MMM d, yyyy", "Sept. 5, 2020", "2020-09-05T00:00:00Z"),
      ("MMM d, yyyy", "Sep. 5, 2020", "2020-09-05T00:00:00Z"),
      ("dd-MMM-yyyy", "05-June-2020", "2020-06-05T00:00:00Z"),
      ("MMM. dd, yyyy", "July 05, 2020", "2020-07-05T00:00:00Z"),
      ("MMM. dd, yyyy", "Jan. 05, 2020", "2020-01-05T00:00:00Z"),
      ("MMM d, yyyy", "Septe 5, 2020", "no time"),
      ("MMM d, yyyy", "Jun.. 5, 2020", "no time"),
      ("yyyy-MM-dd ZZZZZ", "2025-01-15 +1", "2025-01-14T23:00:00Z"),
    ] as [(String, String, String)])
  func `A text in the notation gives its instant, in UTC unless it has an offset`(
    pattern: String, text: String, instant: String
  ) {
    #expect(read(text, pattern) == instant)
  }

  @Test(arguments: [
    ("yyyy-MM-dd", "2025-03-05"), ("yyyyMMdd", "20250305"), ("d.M.yy", "5.3.25"),
    ("dd/MM/yyyy HH:mm:ss", "05/03/2025 07:08:09"), ("yyyy-MM-dd'T'HH:mmX", "2025-03-05T07:08Z"),
    ("EEEE, d MMM y h:mm a", "Wednesday, 5 Mar 2025 7:08 AM"), ("y''MMMM d SSSS", "2025'March 5 0000"),
  ])
  func `An instant is written as the pattern says, in UTC`(pattern: String, text: String) throws {
    let instant = Date(milliseconds: 1_741_158_489_000)
    #expect(try TimePattern(pattern).text(of: instant) == text)
    #expect(TimePattern.day.text(of: instant) == "2025-03-05")
  }

  @Test func `A pattern knows whether it has a time of day`() throws {
    #expect(try !TimePattern("d.M.yy").hasTimeOfDay)
    #expect(try TimePattern("d.M.yy h a").hasTimeOfDay)
  }

  @Test(
    arguments: [
      ("dd.MM.yyyy", "1.1.2025"), ("dd.MM.yyyy", "15.01.2025 "), ("dd.MM.yyyy", "15.01.25"),
      ("dd.MM.yyyy", "15-01-2025"),
      ("dd.MM.yyyy", "31.02.2025"), ("dd.MM.yyyy", "15.13.2025"), ("yyyy-MM-dd HH:mm", "2025-01-15 24:00"),
      ("d MMM yyyy", "15 Jän 2025"), ("d/M/y h:mm a", "1/1/2025 13:00 PM"), ("d/M/y h:mm a", "1/1/2025 0:00 AM"),
      ("yyyy-MM-dd Z", "2025-01-15 CET"), ("yyyy-MM-dd Z", "2025-01-15 +99"), ("yyyy-MM-dd", ""),
      ("yyyy-MM-dd ss.SSS", "2025-01-15 00.12"),
    ] as [(String, String)])
  func `A text in another notation, or without a day in the calendar, is refused`(pattern: String, text: String) {
    #expect(read(text, pattern) == "no time")
  }

  @Test(
    arguments: [
      ("yyyy-mm-dd", "0: a time needs year, month and day, and this has no M"),
      ("HH:mm", "0: a time needs year, month and day, and this has no y"),
      ("yyyy-MM-dd yy", "11: y is about something that stands before it"),
      ("yyyy-MM-dd h:mm", "11: h needs a (AM or PM) beside it; the hour of a day is H"),
      ("yyyy-MM-dd H:mm a", "16: a (AM or PM) needs h beside it"),
      ("yyyy-MM-dd H h a", "13: H and h are the same hour; write one of them"),
      ("yyyy-MM-dd 'at", "11: an apostrophe that is never closed"),
    ] as [(String, String)])
  func `A wrong pattern is reported with the place in it`(pattern: String, complaint: String) {
    #expect(read("", pattern) == complaint)
  }

  @Test(arguments: [
    ("yyyy-MM-ddTHH:mm", 10, "T"), ("YYYY-MM-dd", 0, "YYYY"), ("yyyy-MM-dd VV", 11, "VV"), ("yyy-M-d", 0, "yyy"),
  ])
  func `A letter without a meaning is reported with the valid ones`(pattern: String, offset: Int, letters: String) {
    #expect(read("", pattern).hasPrefix("\(offset): \(letters) has no meaning in a time (yyyy yy, M MM MMM MMMM, "))
  }
}
