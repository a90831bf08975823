@testable import BitpalModel
public import FuzzDriver

@testable import BitpalJSON

/// Reads any bytes as an answer in CSV; what comes out must be JSON that SQLite reads, with as many rows in either form.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  guard let first = start?.pointee else { return 0 }
  // The first byte chooses the layout.
  let layouts = [
    CSVLayout(), CSVLayout(delimiter: UInt8(ascii: ";")), CSVLayout(delimiter: UInt8(ascii: "\t"), header: .none),
    CSVLayout(header: .names(["time", "price"])),
  ]
  let layout = layouts[Int(first) % layouts.count]
  let body = Array(UnsafeBufferPointer(start: start, count: count).dropFirst())
  do throws(BodyFault) {
    let rows = try CSVReader(layout).rows(body)
    let some = try CSVReader(layout, columns: ["price", "c0"]).rows(body)
    precondition(some.ragged == rows.ragged, "what is left out depends on what is looked at")
    precondition(elements(of: rows.json) == elements(of: some.json), "rows depend on what is looked at")
  } catch {
    precondition(error.line > 0 && error.column > 0 && error.message.utf8.count < 1000)
  }
  return 0
}

/// How many elements an array has.
private func elements(of json: [UInt8]) -> Int {
  var count = -1
  do {
    try Sandbox().prepare("SELECT json_array_length(:body)").forEach(in: json, values: [:]) { row in
      count = row.text(0).flatMap { Int($0) } ?? -1
    }
  } catch {
    fatalError("it is no JSON: \(error)")
  }
  precondition(count >= 0)
  return count
}

/// The program's start.
@_cdecl("FuzzBodyCSV_main")
public func start(_ count: CInt, _ words: FuzzDriver.Words) -> CInt {
  FuzzDriver.run(count, words, fuzz)
}
