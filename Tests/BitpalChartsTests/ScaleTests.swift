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

@Suite struct `Figures of a chart differ as their places do` {
  @Test(arguments: [
    ("1000.012 1000.0144 1000.0132", ["1,000.0120", "1,000.0144", "1,000.0132"]),
    ("83.511 83.5162 83.5125", ["83.5110", "83.5162", "83.5125"]),
    ("96841.33 94726.82 97206.884", ["96,841.33", "94,726.82", "97,206.88"]),
    ("1.00012341 1.00012349", ["1.00012341", "1.00012349"]), ("100 115 98", ["100", "115", "98"]),
    ("1000.012 1000.012", ["1,000.01", "1,000.01"]), ("0.000012345 0.000012349", ["0.000012345", "0.000012349"]),
    ("100 100.5 200.504", ["100", "100.5", "200.50"]),
    ("50000.001 50000.004 90000", ["50,000.001", "50,000.004", "90,000.000"]),
  ])
  func `Prices`(prices: String, texts: [String]) throws {
    let prices = try prices.split(separator: " ").map { try Decimal(strict: String($0)) }
    let digits = NumberFormat.digits(tellingApart: prices)
    #expect(prices.map { NumberFormat.price($0, digits: digits) } == texts)
  }

  @Test(arguments: 0..<200) func `Prices that a chart draws apart have different figures`(seed: Int) {
    var numbers = Sample.Numbers(state: UInt64(seed))
    let unit = Decimal(sign: .plus, exponent: -Int(numbers.next() % 9), significand: 1)
    let base = Decimal(numbers.next() % 10_000_000) * unit
    let prices = (0..<4).map { _ in base + Decimal(numbers.next() % 100 + 1) * unit }
    let digits = NumberFormat.digits(tellingApart: prices)
    #expect(Set(prices.map { NumberFormat.price($0, digits: digits) }).count == Set(prices).count)
  }

  @Test(arguments: [
    ("0.00012", "+0.00012%"), ("-0.0001234", "-0.00012%"), ("0", "0.00%"), ("0.05", "+0.05%"), ("0.0512", "+0.051%"),
    ("12.3456", "+12.35%"), ("-0.0999", "-0.100%"), ("3", "+3.00%"),
  ])
  func `A percentage has two significant digits`(value: String, text: String) throws {
    #expect(NumberFormat.finePercent(try Decimal(strict: value)) == text)
  }

  @Test func `Lines that are compared have as many decimals as their scale, and the scale has labels`() {
    let lines = [("fund", ["1000", "1000.0012", "1000.0004"]), ("rupee", ["100", "100.0031", "100.0018"])].map {
      ComparedLine(name: $0.0, points: Sample.points($0.1))
    }
    let chart = Chart(.comparison(lines), title: "x")
    for height in [3, 4, 5, 9] {
      let rows = TerminalChart(chart, options: TerminalOptions(width: 60, height: height)).lines()
      #expect(rows.contains { $0.hasSuffix("◄ +0.0018%") } && rows.contains { $0.hasSuffix("◄ +0.00004%") })
      #expect(rows.contains { $0.contains("├ ") && $0.hasSuffix("%") } || height == 3, "\(height) rows")
    }
  }
}
