import Foundation
import Testing

@Suite(.ownThreads) struct `Libraries of the tool` {
  /// All of Foundation makes a static binary three times as large and a start several milliseconds longer.
  @Test(arguments: [
    "libFoundation.so", "libFoundationInternationalization.so", "lib_FoundationICU.so", "libFoundationNetworking.so",
  ])
  func `The tool needs only the essentials of Foundation`(library: String) throws {
    let tool = try Data(contentsOf: URL(fileURLWithPath: Repository.tool))
    #expect(tool.range(of: Data((library + "\0").utf8)) == nil)
  }

  /// `$ORIGIN`, which the package manager puts there otherwise, has a libcurl loaded that somebody put beside the tool.
  @Test func `A released tool looks for no library beside itself`() throws {
    let makefile = try String(contentsOfFile: Repository.root + "/Makefile", encoding: .utf8)
    let builds = makefile.split(separator: "\n").filter { $0.contains("build -c release --product bitpal") }
    #expect(builds.count == 1)
    #expect(builds.allSatisfy { $0.contains("--disable-local-rpath") })
  }

  @Test func `The check sees a library that is there`() throws {
    let tool = try Data(contentsOf: URL(fileURLWithPath: Repository.tool))
    #expect(tool.range(of: Data("libsqlite3.so".utf8)) != nil)
  }
}
