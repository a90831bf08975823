public import FuzzDriver

@testable import BitpalConfig
@testable import BitpalJSON
@testable import BitpalModel
@testable import BitpalProviders

/// Reads any bytes as settings and as a provider file; every fault must be an issue with a place.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  let document = YAMLDocument(YAMLSource(file: "fuzz.yaml", directory: "/nowhere", bytes: bytes))
  for issue in document.issues { _ = issue.description }
  guard let root = document.root else { return 0 }
  let issues = IssueList()
  var settings = Settings()
  SettingsDecoder(issues: issues).decode(root, into: &settings)
  var specification = ProviderSpecification(id: "fuzz", name: "Fuzz", kind: DeclaredKind())
  ProviderDecoder(home: nil, issues: issues).decode(root, into: &specification)
  for issue in issues.sorted { _ = issue.description }
  return 0
}

/// The program's start.
@_cdecl("FuzzYAML_main")
public func start(_ count: CInt, _ words: FuzzDriver.Words) -> CInt {
  FuzzDriver.run(count, words, fuzz)
}
