import BitpalModel
import Foundation
import Testing

@testable import BitpalPortfolio

@Suite struct `Columns that an import does not read` {
  @Test(arguments: [
    "Fee", "Fee (BTC)", "Currency conversion fee", "Currency conversion fee (EUR)", "Withholding tax", "Gebührenbetrag",
    "Token Fee", "Fee excl. VAT",
  ])
  func `A name of what was taken is a cost, whatever stands before it`(name: String) {
    #expect(UnreadColumns.isCost(name) && !UnreadColumns.isUnitOfCost(name))
  }

  @Test(arguments: ["Fee Currency", "Currency (Currency conversion fee)", "Currency of fee", "feeCoin"])
  func `A name of what a cost is in is not a cost`(name: String) {
    #expect(UnreadColumns.isUnitOfCost(name) && !UnreadColumns.isCost(name))
  }

  /// The faults of two purchases of a coin at a price, and of what came in a day after each, whose closes are 50 and 500.
  private func faults(_ first: String, _ second: String) throws -> [String] {
    let rows = [
      "2024-01-05,\(first),USD,1,SOL,,,,,,,", "2024-01-06,,,2,SOL,,,,,reward,,",
      "2024-03-05,\(second),USD,1,SOL,,,,,,,", "2024-03-06,,,2,SOL,,,,,reward,,",
    ]
    let text = ([Reading.header] + rows).joined(separator: "\n")
    let sheet = try Reading.sheet(Array(text.utf8), by: Reading.specification(), Reading.options(value: .close))
    #expect(sheet.closesNeeded(["SOL": "sol"]).map(\.days.lowerBound.dayText) == ["2024-01-05"])
    do throws(CSVFaults) {
      let close: (String, Date) -> Decimal? = { _, date in date.dayText < "2024-02" ? 50 : 500 }
      _ = try sheet.transactions(ids: ["SOL": "sol"], close: close)
      return []
    } catch {
      return error.issues.map(\.description)
    }
  }

  @Test func `Closes beside a price of a whole multiple are not taken, and others are`() throws {
    #expect(try faults("52", "480").isEmpty)
    #expect(try faults("90", "880").isEmpty)
    let split = try faults("505", "500")
    #expect(split.count == 1 && split[0].contains("line 2 has 10 times the close of 2024-01-05"), "\(split)")
    let later = try faults("50", "1490")
    #expect(later.count == 2 && later.allSatisfy { $0.contains("line 4 has 3 times") }, "\(later)")
    #expect(try faults("50", "62.5").contains { $0.contains("1/8 of the close") })
  }
}
