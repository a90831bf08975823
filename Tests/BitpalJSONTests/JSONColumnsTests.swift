import BitpalJSON
import Testing

@Suite struct `Arrays side by side` {
  private func rows(_ columns: String...) throws -> String {
    String(decoding: try JSONColumns.rows(columns), as: UTF8.self)
  }

  @Test func `are rows, with every digit and every text as it was`() throws {
    #expect(
      try rows("[1,2]", #"["a,b","\"]"]"#, "[0.10000000000000000000001,1e5]")
        == #"[[1,"a,b",0.10000000000000000000001],[2,"\"]",1e5]]"#)
  }

  @Test func `leave out the place at which one of them has nothing`() throws {
    #expect(try rows("[1,2,3,4]", "[5,null,7,8]", #"["x","y",null,"null"]"#) == #"[[1,5,"x"],[4,8,"null"]]"#)
  }

  @Test func `may be empty`() throws {
    #expect(try rows("[]", "[]") == "[]")
    #expect(try rows("[null]") == "[]")
  }

  @Test func `of another length, or of another type, are reported with their place`() {
    #expect(throws: JSONColumns.Failure.unequal(2, count: 1, first: 2)) { try rows("[1,2]", "[3,4]", "[5]") }
    #expect(throws: JSONColumns.Failure.noArray(1)) { try rows("[1]", "{}") }
  }
}
