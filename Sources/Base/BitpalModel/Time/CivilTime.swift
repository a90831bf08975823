package import FoundationEssentials

/// A date and time of day in UTC, in the proleptic Gregorian calendar.
///
/// Every price needs instants to be parsed and printed; Foundation's ISO 8601 style must know in advance whether a
/// fraction follows, and takes a hundred times as long.
package struct CivilTime: Equatable, Sendable {
  package var year: Int
  package var month: Int
  package var day: Int
  package var hour: Int
  package var minute: Int
  package var second: Int
  package var millisecond: Int

  /// Creates a time; nil unless the parts are a valid date of the years 1 to 9999 and a valid time of day (a leap
  /// second counts as 59).
  package init?(year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0, millisecond: Int = 0)
  {
    guard (1...9999).contains(year), (1...12).contains(month),
      (1...Self.days(inMonth: month, of: year)).contains(day), (0...23).contains(hour), (0...59).contains(minute),
      (0...60).contains(second), (0...999).contains(millisecond)
    else { return nil }
    self.year = year
    self.month = month
    self.day = day
    self.hour = hour
    self.minute = minute
    self.second = min(second, 59)
    self.millisecond = millisecond
  }

  /// Creates the UTC date and time of an instant.
  package init(_ instant: Date) {
    let total = instant.milliseconds
    let (days, millisecondOfDay) = total.flooredQuotientAndRemainder(dividingBy: 86_400_000)
    // Converts days to year, month and day in eras of 400 years from 0000-03-01.
    let shifted = Int(days) + 719_468
    let (era, dayOfEra) = shifted.flooredQuotientAndRemainder(dividingBy: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    let ofDay = Int(millisecondOfDay)
    hour = ofDay / 3_600_000
    minute = ofDay / 60_000 % 60
    second = ofDay / 1000 % 60
    millisecond = ofDay % 1000
  }

  /// The instant of the date and time.
  package var instant: Date {
    let shiftedYear = month <= 2 ? year - 1 : year
    let (era, yearOfEra) = shiftedYear.flooredQuotientAndRemainder(dividingBy: 400)
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    let days = era * 146_097 + dayOfEra - 719_468
    let milliseconds = ((days * 24 + hour) * 60 + minute) * 60_000 + second * 1000 + millisecond
    return Date(milliseconds: Int64(milliseconds))
  }

  private static func days(inMonth month: Int, of year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}

extension BinaryInteger {
  /// Divides and rounds towards minus infinity, so that the remainder is never negative.
  fileprivate func flooredQuotientAndRemainder(dividingBy divisor: Self) -> (Self, Self) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}
