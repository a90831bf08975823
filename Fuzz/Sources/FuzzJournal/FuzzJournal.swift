@testable import BitpalModel
import FoundationEssentials
public import FuzzDriver

@testable import BitpalProviders

/// Reads any bytes as a file of prices; every price must be above zero and in order, every fault must have a line.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  guard let first = start?.pointee else { return 0 }
  // The first byte chooses the form.
  let bytes = Array(UnsafeBufferPointer(start: start, count: count).dropFirst())
  let defaults = PriceFile.Defaults(commodity: first & 2 == 0 ? nil : "BTC", currency: first & 4 == 0 ? nil : "usd")
  let file = PriceFile(bytes, name: "fuzz", form: first & 1 == 0 ? .journal : .csv, defaults: defaults)
  precondition(file.faults.count <= PriceFile.mostFaults && file.dropped >= 0)
  for prices in file.prices.values {
    precondition(prices.allSatisfy { $0.price >= 0 }, "a price is below zero")
    precondition(zip(prices, prices.dropFirst()).allSatisfy { $0.instant <= $1.instant }, "prices are not in order")
  }
  for fault in file.faults { precondition(fault.description.utf8.count < 2000) }
  return 0
}

/// The program's start.
@_cdecl("FuzzJournal_main")
public func start(_ count: CInt, _ words: FuzzDriver.Words) -> CInt {
  FuzzDriver.run(count, words, fuzz)
}
