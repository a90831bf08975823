@testable import BitpalModel
public import FuzzDriver

@testable import BitpalJSON

/// Reads any bytes as an answer in XML; what comes out must be JSON that SQLite reads, with no name twice in an object.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let body = Array(UnsafeBufferPointer(start: start, count: count))
  do throws(BodyFault) {
    check(try XMLReader().json(body))
    check(try XMLReader(list: ["r", "d"]).json(body))
  } catch {
    precondition(error.line > 0 && error.column > 0 && error.message.utf8.count < 1000)
  }
  return 0
}

private func check(_ json: [UInt8]) {
  let twice = """
    SELECT count(*) FROM (SELECT 1 FROM json_tree(:body) WHERE typeof(key) = 'text' GROUP BY parent, key HAVING count(*) > 1)
    """
  do {
    try Sandbox().prepare(twice).forEach(in: json, values: [:]) { row in
      precondition(row.text(0) == "0", "a name is twice in an object")
    }
  } catch {
    fatalError("it is no JSON: \(error)")
  }
}

/// The program's start.
@_cdecl("FuzzBodyXML_main")
public func start(_ count: CInt, _ words: FuzzDriver.Words) -> CInt {
  FuzzDriver.run(count, words, fuzz)
}
