import BitpalModel
import FoundationEssentials
import Testing

@testable import BitpalCharts

@Suite struct `Scales have round labels` {
  @Test(arguments: [
    ("94726.82", "97206.88", 8, ["95,000", "95,500", "96,000", "96,500", "97,000"]),
    ("0.00000001", "0.000000012", 8, ["0.0000000100", "0.0000000105", "0.0000000110", "0.0000000115", "0.0000000120"]),
    ("999999.99", "1250000.5", 6, ["1,000,000", "1,050,000", "1,100,000", "1,150,000", "1,200,000", "1,250,000"]),
    ("0.9", "1.1", 4, ["0.9", "1.0", "1.1"]), ("5", "5", 8, ["5"]), ("0", "0", 8, ["0"]),
    ("1", "9", 1, ["5"]), ("100", "101", 2, ["100", "101"]),
  ])
  func `Prices`(low: String, high: String, most: Int, labels: [String]) throws {
    let axis = PriceAxis(low: try Decimal(strict: low), high: try Decimal(strict: high), most: most)
    #expect(axis.ticks.map(\.label) == labels)
  }

  @Test(arguments: 0..<200)
  func `At most eight, inside, evenly apart, all with the same decimals`(seed: Int) throws {
    var numbers = Sample.Numbers(state: UInt64(seed))
    let unit = Decimal(sign: .plus, exponent: Int(numbers.next() % 24) - 16, significand: 1)
    let low = Decimal(numbers.next() % 1_000_000) * unit
    let high = low + Decimal(numbers.next() % 100_000 + 1) * unit
    for most in [2, 3, 8, 50] {
      let axis = PriceAxis(low: low, high: high, most: most)
      #expect((1...min(8, most)).contains(axis.ticks.count))
      #expect(axis.ticks.allSatisfy { $0.value >= low && $0.value <= high })
      #expect(Set(axis.ticks.map { $0.label.split(separator: ".").dropFirst().first?.count ?? 0 }).count == 1)
      let steps = zip(axis.ticks.dropFirst(), axis.ticks).map { $0.value - $1.value }
      #expect(Set(steps).count <= 1)
      if let step = steps.first { #expect("125".contains(step.plainText.first { $0 != "0" && $0 != "." } ?? "x")) }
    }
  }

  @Test(arguments: [
    ("2025-01-15T10:15:00Z", "2025-01-15T10:30:00Z", 60, ["10:15", "10:20", "10:25", "10:30"]),
    ("2025-01-14T10:30:00Z", "2025-01-15T10:30:00Z", 60, ["12:00", "16:00", "20:00", "15 Jan", "04:00", "08:00"]),
    (
      "2025-01-08T10:30:00Z", "2025-01-15T10:30:00Z", 70,
      ["9 Jan", "10 Jan", "11 Jan", "12 Jan", "13 Jan", "14 Jan", "15 Jan"]
    ),
    ("2024-12-16T10:30:00Z", "2025-01-15T10:30:00Z", 60, ["23 Dec", "30 Dec", "6 Jan", "13 Jan"]),
    ("2024-01-16T10:30:00Z", "2025-01-15T10:30:00Z", 60, ["Mar", "May", "Jul", "Sep", "Nov", "2025"]),
    ("2010-01-16T10:30:00Z", "2025-01-15T10:30:00Z", 60, ["2012", "2014", "2016", "2018", "2020", "2022", "2024"]),
    ("2025-01-15T10:30:00Z", "2025-01-15T10:30:00Z", 60, ["10:30"]),
    ("2025-01-15T10:30:07Z", "2025-01-15T10:30:08Z", 60, ["15 Jan 10:30"]),
  ])
  func `Time, in the unit that suits the span`(start: String, end: String, columns: Int, labels: [String]) throws {
    let axis = TimeAxis(
      start: try #require(Date(utcText: start)), end: try #require(Date(utcText: end)), columns: columns)
    #expect(axis.ticks.map(\.label) == labels)
  }
}
