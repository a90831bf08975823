import BitpalModel
import BitpalNetwork
import BitpalReplay
import Foundation
import TestSupport
import Testing

@Suite struct `Comparing shapes` {
  private func changes(_ before: String, _ after: String, status: Int = 200) throws -> [String] {
    let folder = try TemporaryFolder()
    func exchange(_ body: String, _ status: Int) -> CapturedExchange {
      CapturedExchange(
        request: HTTPRequest(url: "https://a.io/", query: .coinList),
        response: HTTPResponse(status: status, body: Array(body.utf8)))
    }
    try HARWriter.write(
      [exchange(before, 200)], to: folder.path + "/r", recordedAt: Date(timeIntervalSince1970: 0),
      redaction: Redaction([]))
    let comparison = try ShapeComparison(try HARReader.open(folder.path + "/r"), with: [exchange(after, status)])
    #expect(comparison.compared == 1 && comparison.unasked == [])
    #expect(comparison.isCompatible == comparison.changes.allSatisfy { $0.kind == .added })
    return comparison.changes.map { "\($0.kind) \($0.field): \($0.before ?? "-") → \($0.after ?? "-")" }
  }

  @Test(
    arguments: [
      (#"[{"id":"a","p":1}]"#, #"[{"id":"b","p":2.5},{"id":"c","p":3}]"#, []),
      (#"[{"id":"a","p":1}]"#, #"[{"id":"b","p":null}]"#, []),
      (#"[{"id":"a","p":1}]"#, #"[{"id":"b"}]"#, ["gone $[].p: number → -"]),
      (#"[{"id":"a","p":1}]"#, #"[{"id":"b","p":"1"}]"#, ["retyped $[].p: number → string"]),
      (#"[{"id":"a"}]"#, #"[{"id":"b","more":{"x":1,"y":2}}]"#, ["added $[].more: - → object"]),
      (#"{"a":{"b":{"c":1}}}"#, #"{"a":1}"#, ["retyped $.a: object → integer", "gone $.a.b: object → -"]),
      (#"[[1,2],[3,4]]"#, #"[]"#, ["gone $[]: array → -"]),
      (#"{"a":1}"#, "<html>", ["retyped $: object → no JSON", "gone $.a: number → -"]),
    ] as [(String, String, [String])])
  func `Fields are compared, values are not`(before: String, after: String, expected: [String]) throws {
    #expect(try changes(before, after) == expected.map { $0.replacing("integer", with: "number") })
  }

  @Test func `Another status is a change of its own`() throws {
    #expect(try changes("[]", "[]", status: 404) == ["retyped status: 200 → 404"])
  }
}
