import Foundation
import Testing

@Suite(.ownThreads) struct `What the tool is linked with` {
  /// All of Foundation makes a static binary three times as large and a start several milliseconds longer.
  @Test(arguments: [
    "libFoundation.so", "libFoundationInternationalization.so", "lib_FoundationICU.so", "libFoundationNetworking.so",
  ])
  func `The tool needs only the essentials of Foundation`(library: String) throws {
    let tool = try Data(contentsOf: URL(fileURLWithPath: Repository.tool))
    #expect(tool.range(of: Data((library + "\0").utf8)) == nil)
  }

  @Test func `The check sees a library that is there`() throws {
    let tool = try Data(contentsOf: URL(fileURLWithPath: Repository.tool))
    #expect(tool.range(of: Data("libsqlite3.so".utf8)) != nil)
  }
}
