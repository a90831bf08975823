@testable import BitpalModel
@testable import BitpalPortfolio
import FoundationEssentials
public import FuzzDriver

/// Reads any bytes as transactions; what is read must be written and read back as it was.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let now = Date(timeIntervalSince1970: 4_102_444_800)
  func read(_ bytes: [UInt8]) throws(CSVFaults) -> [ImportedTransaction] {
    try TransactionCSV.transactions(bytes, file: "fuzz.csv", now: now, currency: "usd")
  }
  do {
    let read = try read(Array(UnsafeBufferPointer(start: start, count: count))).map(\.transaction)
    _ = try? PortfolioLedger(read)
    let text = TransactionCSV.text(read, currency: "usd")
    guard let again = try? TransactionCSV.transactions(Array(text.utf8), file: "again.csv", now: now, currency: "usd")
    else {
      fatalError("what was written is not read: \(text)")
    }
    guard again.map(\.transaction) == read else { fatalError("what was written is read as something else: \(text)") }
  } catch {
    precondition(!error.issues.isEmpty && error.issues.count < 40)
    precondition(error.description.utf8.count < 400_000)
  }
  return 0
}

/// The program's start.
@_cdecl("FuzzCSV_main")
public func start(_ count: CInt, _ words: FuzzDriver.Words) -> CInt {
  FuzzDriver.run(count, words, fuzz)
}
