import BitpalModel
import Testing

@testable import BitpalJSON

/// What becomes of CSV, or what is said of it.
private func read(_ text: String, _ layout: CSVLayout = CSVLayout(), columns: Set<String>? = nil) -> String {
  do throws(BodyFault) {
    let rows = try CSVReader(layout, columns: columns).rows(Array(text.utf8))
    return String(decoding: rows.json, as: UTF8.self) + (rows.ragged.map { " \($0.count): \($0)" } ?? "")
  } catch {
    return "\(error)"
  }
}

@Suite struct `CSV as rows` {
  @Test(
    arguments: [
      ("plain fields", "a,b\n1,2\n3,4\n", #"[{"a":"1","b":"2"},{"a":"3","b":"4"}]"#),
      ("no line end at the end", "a,b\n1,2", #"[{"a":"1","b":"2"}]"#),
      ("CRLF", "a,b\r\n1,2\r\n", #"[{"a":"1","b":"2"}]"#),
      ("CR alone", "a,b\r1,2\r3,4", #"[{"a":"1","b":"2"},{"a":"3","b":"4"}]"#),
      ("a byte order mark", "\u{FEFF}a,b\n1,2\n", #"[{"a":"1","b":"2"}]"#),
      ("a comma in quotes", "a,b\n\"1,5\",2\n", #"[{"a":"1,5","b":"2"}]"#),
      ("doubled quotes", "a,b\n\"say \"\"no\"\"\",\"\"\"\"\n", #"[{"a":"say \"no\"","b":"\""}]"#),
      ("a line end in quotes", "a,b\n\"1\n2\r\n3\",4\n", #"[{"a":"1\n2\r\n3","b":"4"}]"#),
      ("empty fields", "a,b,c\n,\"\",\n", #"[{"a":"","b":"","c":""}]"#),
      ("white space, which belongs to the field", "a, b\n 1,2 \n", #"[{"a":" 1"," b":"2 "}]"#),
      ("what JSON writes otherwise", "a,b\n\\,\t\u{1}\n", #"[{"a":"\\","b":"\t\u0001"}]"#),
      ("other alphabets", "währung,é\n日本,😀\n", #"[{"währung":"日本","é":"😀"}]"#),
      ("blank lines at the end", "a,b\n1,2\n\n\r\n\n", #"[{"a":"1","b":"2"}]"#),
      ("blank lines between and before", "\n\na,b\n\n1,2\n", #"[{"a":"1","b":"2"}]"#),
      ("a header and nothing else", "a,b\n", "[]"),
      ("one column, in which an empty line is a row", "a\n1\n\n2\n", #"[{"a":"1"},{"a":""},{"a":"2"}]"#),
      (
        "a header that ends with a comma", "Date,USD,\n2025-01-15,1.03,\n",
        #"[{"Date":"2025-01-15","USD":"1.03","c2":""}]"#
      ),
      ("a quoted header", "\"a \"\"b\"\"\",c\n1,2\n", #"[{"a \"b\"":"1","c":"2"}]"#),
    ] as [(String, String, String)])
  func `Fields are texts under the names of their columns`(what: String, text: String, json: String) {
    #expect(read(text) == json)
  }

  @Test func `The delimiter is what the file declares`() {
    #expect(read("a;b\n1,5;2\n", CSVLayout(delimiter: UInt8(ascii: ";"))) == #"[{"a":"1,5","b":"2"}]"#)
    #expect(read("a\tb\n1\t2\n", CSVLayout(delimiter: UInt8(ascii: "\t"))) == #"[{"a":"1","b":"2"}]"#)
    #expect(read("a|b\n1|\"2|3\"\n", CSVLayout(delimiter: UInt8(ascii: "|"))) == #"[{"a":"1","b":"2|3"}]"#)
  }

  @Test(
    arguments: [
      ("a line that sets the delimiter", "sep=|\r\na|b\r\n1|2\r\n", 0, ["b"], #"[{"b":"2"}]"#),
      (
        "a title, and a quote that is never closed", "Prices of \"May\n\n\na,b\n1,2\n", 0, ["a", "b"],
        #"[{"a":"1","b":"2"}]"#
      ),
      ("a line that has only some of the columns", "a,x\na,b\n1,2\n", 0, ["a", "b"], #"[{"a":"1","b":"2"}]"#),
      ("a column of no line: the first line counts", "a,b\n1,2\n", 0, ["c"], #"[{"a":"1","b":"2"}]"#),
      ("as many lines as the file says", "sep=;\nx\ny\na;b\n1;2\n", 2, nil, #"[{"a":"1","b":"2"}]"#),
      ("a cell that looks like a mark", "sep=,,b\n1,,2\n", 0, nil, #"[{"sep=":"1","c1":"","b":"2"}]"#),
    ] as [(String, String, Int, Set<String>?, String)])
  func `Lines above the table are passed over`(
    what: String, text: String, skip: Int, columns: Set<String>?, json: String
  ) {
    #expect(read(text, CSVLayout(skip: skip), columns: columns) == json)
  }

  @Test func `Without a header columns are numbered, or called what the file says`() {
    #expect(read("1,2\n3,4\n", CSVLayout(header: .none)) == #"[{"c0":"1","c1":"2"},{"c0":"3","c1":"4"}]"#)
    #expect(read("1,2\n", CSVLayout(header: .names(["t", "p"]))) == #"[{"t":"1","p":"2"}]"#)
  }

  @Test func `A row that is too short or too long is left out and reported with its line`() {
    #expect(
      read("a,b\n1,2\n3\n\"x\ny\",5,6\n7,8\n") == #"[{"a":"1","b":"2"},{"a":"7","b":"8"}] 2: line 3 has 1 field, not 2"#
    )
    #expect(read("a,b\n1,2\n3,4,5") == #"[{"a":"1","b":"2"}] 1: line 3 has 3 fields, not 2"#)
  }

  @Test func `Only requested columns are written, and all if one of them is missing`() {
    #expect(read("a,b,c\n1,\"2\",3\n4,5\n", columns: ["c"]) == #"[{"c":"3"}] 1: line 3 has 2 fields, not 3"#)
    #expect(read("a,b,c\n1,2,3\n", columns: ["c", "d"]) == #"[{"a":"1","b":"2","c":"3"}]"#)
  }

  @Test(
    arguments: [
      ("", "line 1, column 1: it is empty"),
      ("a,b\n1,\"2\n3", "line 2, column 3: a quote that is never closed"),
      (
        "a,b\n1,2\"x\n",
        ##"line 2, column 4: a quote inside a field that does not begin with one; it must be "like ""this""""##
      ),
      ("a,b\nä,\"2\"x\n", "line 2, column 6: text after the closing quote of a field"),
      ("a,b,a\n", #"line 1, column 5: two columns are called "a""#),
      ("a,b\r\r1,\u{0}\n", "line 3, column 3: a NUL; is this UTF-16?"),
    ] as [(String, String)])
  func `A text that is not CSV is refused with its place`(text: String, complaint: String) {
    #expect(read(text) == complaint)
  }

  @Test func `Text that is not UTF-8 is refused with its place`() {
    func fault(_ bytes: [UInt8]) -> String {
      do throws(BodyFault) {
        return "\(try CSVReader(CSVLayout()).rows(bytes).json.count) bytes"
      } catch {
        return "\(error)"
      }
    }
    #expect(fault(Array("a,b\n1,".utf8) + [0xE4]) == "line 2, column 3: this is not UTF-8")
  }

  @Test func `A header that would make gigabytes of a small body is refused`() {
    let name = String(repeating: "n", count: 1 << 20)
    #expect(
      read("\(name)\n" + String(repeating: "1\n", count: 1000))
        == "line 65, column 1: its rows become more than 64 MiB")
  }

  @Test func `A column is found by its name in any case, and by that without its zone where no other has it`() throws {
    let text = "Time,Time (UTC+8),Filled Time(GMT-05:30),Price (EUR)"
    let header = try #require(
      CSVSheet.headers(in: Array(text.utf8), within: 1, delimiters: [UInt8(ascii: ",")]).first)
    #expect(header.index(of: "time") == 0 && header.index(of: "Time (UTC+8)") == 1)
    #expect(header.index(of: "Filled Time") == 2 && header.index(of: "Price") == nil)
    #expect(header.names(without: ["FILLED TIME", "time"]) == ["Time (UTC+8)", "Price (EUR)"])
  }
}
