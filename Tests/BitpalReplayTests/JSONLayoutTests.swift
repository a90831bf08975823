import BitpalJSON
import BitpalReplay
import Testing

@Suite struct `Laying JSON out` {
  @Test func `An element a line, scalars together, every token untouched`() throws {
    let minified =
      #"{"id":"bit\"coin","price":42992.0,"tiny":1e-05,"points":[[1705222488449,42991.5],[1,null]],"none":[],"also":{},"t":[true,"a,b]"]}"#
    let pretty = try #require(JSONLayout.pretty(Array(minified.utf8)))
    #expect(
      String(decoding: pretty, as: UTF8.self) == """
        {
          "id": "bit\\"coin",
          "price": 42992.0,
          "tiny": 1e-05,
          "points": [
            [1705222488449, 42991.5],
            [1, null]
          ],
          "none": [],
          "also": {},
          "t": [true, "a,b]"]
        }

        """)
    #expect(JSONLayout.minified(pretty) == Array(minified.utf8))
  }

  @Test(arguments: ["", "{\"a\": 1}", "[1,]", "{\"a\"}", "[", "\"open", "[1] ", "<html></html>\n", "{1:2}", "[\"\\"])
  func `A text that could not be restored is not laid out`(text: String) {
    #expect(JSONLayout.pretty(Array(text.utf8)) == nil)
  }

  @Test func `Nesting without end is not followed`() {
    #expect(JSONLayout.pretty([UInt8](repeating: UInt8(ascii: "["), count: 100_000)) == nil)
  }
}
