import FoundationEssentials
public import FuzzDriver

@testable import BitpalConfig
@testable import BitpalJSON
@testable import BitpalModel
@testable import BitpalPortfolio

/// Reads any bytes as an import file, and as an unknown export; every fault must be an issue with a place.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  guard let first = start?.pointee else { return 0 }
  // The first byte chooses what is read.
  let bytes = Array(UnsafeBufferPointer(start: start, count: count).dropFirst())
  if first & 1 == 0 { readImport(bytes) } else { readExport(bytes) }
  return 0
}

/// Returns the import of a file that has no issue; nil for any other.
private func specification(_ bytes: [UInt8]) -> ImportSpecification? {
  let document = YAMLDocument(YAMLSource(file: "fuzz.yaml", directory: "/nowhere", bytes: bytes))
  guard let root = document.root else { return nil }
  let issues = IssueList()
  let specification = ImportDecoder(issues: issues).decode(root, id: "fuzz")
  for issue in issues.sorted { _ = issue.description }
  return issues.sorted.isEmpty && document.issues.isEmpty ? specification : nil
}

private func readImport(_ bytes: [UInt8]) {
  guard let specification = specification(bytes), let check = try? ImportCheck(specification) else { return }
  _ = check.run()
}

private func readExport(_ bytes: [UInt8]) {
  guard let text = try? ImportOutline(bytes, name: "export.csv", id: "fuzz").outline.text else { return }
  guard let specification = specification(Array(text.utf8)) else {
    fatalError("the outline is no import file: \(text)")
  }
  precondition((try? ImportReader(specification)) != nil, "the SELECT of the outline does not compile: \(text)")
}

/// The program's start.
@_cdecl("FuzzImport_main")
public func start(_ count: CInt, _ words: FuzzDriver.Words) -> CInt {
  FuzzDriver.run(count, words, fuzz)
}
