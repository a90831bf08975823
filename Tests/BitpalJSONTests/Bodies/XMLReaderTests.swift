import Testing

@testable import BitpalJSON

/// What becomes of XML, or what is said of it.
private func read(_ text: String, list: [String] = []) -> String {
  do throws(BodyFault) {
    // A space is left where an array might have begun.
    return String(decoding: try XMLReader(list: list).json(Array(text.utf8)), as: UTF8.self).replacing(
      #"": "#, with: #"":"#)
  } catch {
    return "\(error)"
  }
}

@Suite struct `XML as objects` {
  @Test(
    arguments: [
      ("text", "<a>1.5</a>", #"{"a":"1.5"}"#),
      ("nothing", "<a/>", #"{"a":""}"#),
      ("nothing between tags", "<a></a>", #"{"a":""}"#),
      ("attributes", "<a x='1' y=\"2\"/>", #"{"a":{"@x":"1","@y":"2"}}"#),
      ("attributes and text", "<a x='1'> 2 </a>", ##"{"a":{"@x":"1","#text":"2"}}"##),
      ("children", "<a><b>1</b><c>2</c></a>", #"{"a":{"b":"1","c":"2"}}"#),
      ("a name that comes again", "<a><b>1</b><b>2</b><b/></a>", #"{"a":{"b":["1","2",""]}}"#),
      (
        "a name that comes again after others", "<a x=''><b>1</b><c/><b><d/></b><c>2</c><e/></a>",
        #"{"a":{"@x":"","b":["1",{"d":""}],"c":["","2"],"e":""}}"#
      ),
      (
        "more names than a few, which come again",
        "<a><b/><c/><d/><e/><f/><g/><h/><i/><j/><k>1</k><b/><j/><k>2</k></a>",
        #"{"a":{"b":["",""],"c":"","d":"","e":"","f":"","g":"","h":"","i":"","j":["",""],"k":["1","2"]}}"#
      ),
      ("text between children", "<a>1<b/>2<b/> 3 </a>", ##"{"a":{"b":["",""],"#text":"12 3"}}"##),
      ("white space between children", "<a>\n  <b> 1\n </b>\n</a>\n", #"{"a":{"b":"1"}}"#),
      ("the five entities", "<a x='&quot;&apos;'>&lt;&gt;&amp;</a>", ##"{"a":{"@x":"\"'","#text":"<>&"}}"##),
      ("characters by number", "<a>&#65;&#x1F600;&#10;b</a>", #"{"a":"A😀\nb"}"#),
      ("CDATA", "<a> 1 <![CDATA[<b> & ]] ]]>2</a>", #"{"a":"1 <b> & ]] 2"}"#),
      ("line ends", "<a b='1\r\n2\t3'>x\r\ny\rz</a>", ##"{"a":{"@b":"1 2 3","#text":"x\ny\nz"}}"##),
      ("comments and instructions", "<!-- - --><?p x?><a><!----><?q?>1<!-- 2 -->3</a><!-- x -->", #"{"a":"13"}"#),
      ("a declaration", "<?xml version='1.0' encoding=\"utf-8\" standalone='yes' ?>\n<a/>", #"{"a":""}"#),
      ("a byte order mark", "\u{FEFF}<?xml version=\"1.0\"?><a/>", #"{"a":""}"#),
      ("prefixes", "<g:a xmlns:g='u'><g:b/><b/></g:a>", #"{"g:a":{"@xmlns:g":"u","g:b":"","b":""}}"#),
      ("other alphabets", "<währung ö='日'>é</währung>", ##"{"währung":{"@ö":"日","#text":"é"}}"##),
      ("what JSON writes otherwise", "<a b='\\'>\"\\</a>", ##"{"a":{"@b":"\\","#text":"\"\\"}}"##),
      ("spaces in tags", "<a  b = '1'\n></a >", #"{"a":{"@b":"1"}}"#),
    ] as [(String, String, String)])
  func `Elements become objects, arrays and texts`(what: String, text: String, json: String) {
    #expect(read(text) == json)
  }

  @Test func `The element that rows are made of is an array even where it comes once`() {
    #expect(read("<r><d><x/></d></r>", list: ["r", "d"]) == #"{"r":{"d":[{"x":""}]}}"#)
    #expect(read("<r><d/><e/><d/></r>", list: ["r", "d"]) == #"{"r":{"d":["",""],"e":""}}"#)
    #expect(read("<r><d><d/></d><c><d/></c></r>", list: ["r", "d"]) == #"{"r":{"d":[{"d":""}],"c":{"d":""}}}"#)
    #expect(read("<r/>", list: ["r"]) == #"{"r":[""]}"#)
  }

  @Test(arguments: [
    ("", "line 1, column 1: it is empty"), ("<a/>\n<b/>", "line 2, column 1: junk after document element"),
    ("<a><b></a>", "line 1, column 9: mismatched tag"), ("<a b='1' b='2'/>", "line 1, column 10: duplicate attribute"),
    ("<a>é&nbsp;</a>", "line 1, column 5: undefined entity"),
    // A body has been converted before, whatever it declares.
    ("<?xml version='1.0' encoding='ISO-8859-1'?><a>é</a>", #"{"a":"é"}"#),
  ])
  func `A refused feature is named with its place`(text: String, message: String) {
    #expect(read(text) == message)
  }

  @Test(arguments: [
    "  \n",
    "x<a/>",
    "<a/>\n<b/>",
    "<a/>x",
    "<a>",
    "<a><b></a>",
    "<a></ab>",
    "<a b='1' b='2'/>",
    "<a b='1'c='2'/>",
    "<a b/>",
    "<a b=1/>",
    "<a b='<'/>",
    "<a b='1/>",
    "<a",
    "< a/>",
    "<1a/>",
    "<a>]]></a>",
    "<a>1 & 2</a>",
    "<a>&nbsp;</a>",
    "<a>&#0;</a>",
    "<a>&#xD800;</a>",
    "<a>&#x110000;</a>",
    "<a>&#xFFFE;</a>",
    "<a>&#12a;</a>",
    "<a>\n\u{1}</a>",
    "<a>é\u{FFFF}</a>",
    "<a><!-- -- --></a>",
    "<a><!-- </a>",
    "<a><![CDATA[ </a>",
    "<a><?p </a>",
    "<a/><?xml version='1.0'?>",
    "<a><!x></a>",
    "<?xml encoding='utf-8'?><a/>",
  ])
  func `XML that is not well formed is refused`(text: String) {
    #expect(read(text).hasPrefix("line "))
  }

  @Test func `An answer of more than a million elements is refused, however they are named`() {
    #expect(read("<a>" + String(repeating: "<b/>", count: 1_000_000) + "</a>").hasSuffix("more than 1000000 elements"))
    let names = (0..<100_000).map { "<b\($0)/>" }.joined()
    #expect(read("<a>\(names)</a>").hasPrefix(#"{"a":{"b0":"","b1":"""#))
  }

  @Test func `The ends of the elements of a path are known`() throws {
    let text = "<r><d x='>'/><d>1</d><e><d/></e></r>"
    #expect(try XMLReader(list: ["r", "d"]).ends(in: Array(text.utf8)) == [13, 21])
  }

  @Test(arguments: [
    "<!DOCTYPE a><a/>", "<?xml version='1.0'?>\n<!DOCTYPE a SYSTEM 'file:///etc/passwd'><a/>",
    "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>", "<!DOCTYPE a [<!ENTITY x SYSTEM '/etc/passwd'>]><a>&x;</a>",
  ])
  func `A DOCTYPE is refused, and with it every entity and every file`(text: String) {
    #expect(read(text).hasSuffix("a DOCTYPE, which is refused: an answer defines no entities and names no files"))
  }

  @Test func `A hundred elements within each other are read by SQLite too, and more are refused`() throws {
    func nested(_ depth: Int) -> String {
      String(repeating: "<a>", count: depth) + String(repeating: "</a>", count: depth)
    }
    let json = try XMLReader(list: Array(repeating: "a", count: 100)).json(Array(nested(100).utf8))
    var count = 0
    try Sandbox().prepare("SELECT 1 FROM json_tree(:body)").forEach(in: json, values: [:]) { _ in count += 1 }
    #expect(count == 102)
    #expect(read(nested(101)) == "line 1, column 304: more than 100 elements within each other")
  }

  @Test func `An element may have many attributes, and one of them twice is found`() {
    let many = (0..<50).map { "a\($0)='\($0)'" }.joined(separator: " ")
    #expect(read("<a \(many)/>").hasSuffix(#""@a49":"49"}}"#))
    #expect(read("<a \(many) a3=''/>").hasSuffix("duplicate attribute"))
  }
}
