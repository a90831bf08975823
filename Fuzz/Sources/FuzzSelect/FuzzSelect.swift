public import FuzzDriver

@testable import BitpalJSON

/// Runs the text before a line of three hyphens as a provider's SELECT over the bytes after it, and reads every column
/// in every way; whatever both are, it ends within its budget.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  let mark = Array("\n---\n".utf8)
  let end = bytes.firstRange(of: mark)
  let sql = String(decoding: bytes[..<(end?.lowerBound ?? bytes.count)], as: UTF8.self)
  let body = end.map { Array(bytes[$0.upperBound...]) } ?? Array("{}".utf8)
  let budget = Sandbox.Budget(steps: 500_000, time: .seconds(2))
  let values = [":id": "bitcoin", ":symbol": "btc", ":SYMBOL": "BTC", ":currency": "usd", ":CURRENCY": "USD"]
  do {
    let statement = try Sandbox(budget: budget).prepare(sql)
    let columns = statement.columns.indices
    try statement.forEach(in: body, values: values) { row in
      for column in columns {
        _ = try? row.decimal(column)
        _ = try? row.instant(column)
        _ = try? row.instant(column, millisecondsPerUnit: 1000)
        _ = try? row.name(in: column)
        _ = row.isMissing(column)
      }
    }
  } catch let failure as Sandbox.Failure {
    _ = "\(failure)"
  } catch {
    fatalError("\(error) is no failure of a SELECT")
  }
  return 0
}

/// The program's start.
@_cdecl("FuzzSelect_main")
public func start(_ count: CInt, _ words: FuzzDriver.Words) -> CInt {
  FuzzDriver.run(count, words, fuzz)
}
