package import FoundationEssentials

/// How a source writes dates in what it is asked: `yyyy-MM-dd`, with the letters of Unicode's date patterns, in UTC.
package struct DatePattern: Hashable, Sendable {
  /// A pattern that is none: what is wrong, and at which byte of it.
  package struct Fault: Error, Equatable, Sendable {
    package let message: String
    package let offset: Int
  }

  private enum Part: Hashable, Sendable {
    case literal(String)

    /// A part of the time, with zeros up to that many digits.
    case number(Unit, digits: Int)
  }

  private enum Unit: Character, CaseIterable, Hashable, Sendable {
    case year = "y"
    case month = "M"
    case day = "d"
    case hour = "H"
    case minute = "m"
    case second = "s"
  }

  /// The day alone, as ISO 8601 has it.
  package static let day = DatePattern([
    .number(.year, digits: 4), .literal("-"), .number(.month, digits: 2), .literal("-"), .number(.day, digits: 2),
  ])

  private let parts: [Part]

  private init(_ parts: [Part]) {
    self.parts = parts
  }

  /// Reads a pattern; letters that stand for themselves are written between `'`.
  package init(_ text: String) throws(Fault) {
    var parts: [Part] = []
    var rest = text[...]
    func fault(_ message: String) -> Fault {
      Fault(message: message, offset: text.utf8.distance(from: text.startIndex, to: rest.startIndex))
    }
    while let first = rest.first {
      if first == "'" {
        let inner = rest.dropFirst().prefix { $0 != "'" }
        guard inner.endIndex != rest.endIndex else { throw fault("the ' of a pattern needs another one") }
        // Two of them are one, as in SQL.
        parts.append(.literal(inner.isEmpty ? "'" : String(inner)))
        rest = rest[inner.endIndex...].dropFirst()
      } else if let unit = Unit(rawValue: first) {
        let run = rest.prefix { $0 == first }
        let widths = unit == .year ? [2, 4] : [1, 2]
        guard widths.contains(run.count) else { throw fault("\(run) is no part of a date; \(Self.advice)") }
        parts.append(.number(unit, digits: run.count))
        rest = rest[run.endIndex...]
      } else if first.isLetter {
        throw fault("\(first) is no letter of a pattern; \(Self.advice)")
      } else {
        parts.append(.literal(String(first)))
        rest = rest.dropFirst()
      }
    }
    guard parts.contains(where: { if case .number = $0 { true } else { false } }) else {
      throw fault("a pattern has parts of a date in it; \(Self.advice)")
    }
    self.parts = parts
  }

  private static let advice = "there are yyyy yy MM M dd d HH H mm m ss s, and other letters stand between '"

  /// The instant, written so.
  package func text(of instant: Date) -> String {
    let time = CivilTime(instant)
    return parts.reduce(into: "") { text, part in
      switch part {
      case .literal(let literal): text += literal
      case .number(let unit, let digits):
        let number =
          switch unit {
          case .year: digits == 2 ? time.year % 100 : time.year
          case .month: time.month
          case .day: time.day
          case .hour: time.hour
          case .minute: time.minute
          case .second: time.second
          }
        let plain = String(max(0, number))
        text += String(repeating: "0", count: max(0, digits - plain.count)) + plain
      }
    }
  }
}
