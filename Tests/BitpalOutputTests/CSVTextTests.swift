import BitpalJSON
import BitpalOutput
import Testing

@Suite struct `Writing CSV` {
  @Test func `A spreadsheet runs no name of a coin`() {
    let rows: [JSONObject] = [["name": "=HYPERLINK(1)", "change": "-2.5"], ["name": "a\u{200B}b", "change": "-x"]]
    #expect(
      CSVText.text(columns: ["name", "change"], rows: rows) == "name,change\n'=HYPERLINK(1),-2.5\na\u{FFFD}b,'-x\n")
  }

  @Test func `A header, then a line a row; fields are quoted where they must be`() {
    let rows: [JSONObject] = [
      ["name": "Plain", "price": "1.5", "ok": .bool(true)],
      ["name": "a,b", "price": .null, "ok": .bool(false)],
      ["name": "say \"hi\"", "price": .integer(3)],
      ["name": ["x", "y"], "price": "bell\u{7}"],
    ]
    #expect(
      CSVText.text(columns: ["name", "price", "ok"], rows: rows) == """
        name,price,ok
        Plain,1.5,true
        "a,b",,false
        "say ""hi""\",3,
        x y,bell\u{FFFD},

        """)
  }
}
