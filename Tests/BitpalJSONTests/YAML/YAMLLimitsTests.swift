import BitpalJSON
import BitpalModel
import TestSupport
import Testing

@Suite struct `Limits of YAML` {
  private func document(_ bytes: some Sequence<UInt8>) -> YAMLDocument {
    YAMLDocument(YAMLSource(file: "config.yaml", directory: "/", bytes: Array(bytes)))
  }

  /// Returns the messages about a file; "no complaint" when there are none.
  private func complaint(about text: String) -> String {
    let issues = document(text.utf8).issues
    return issues.isEmpty ? "no complaint" : issues.map(\.description).joined(separator: "\n")
  }

  @Test(arguments: [
    BadFile(
      "a duplicate key", "bitpal: 1\ncache:\n  disk: 1MiB\n  path: x\n  disk: 2MiB\n",
      """
      config.yaml:5:3: duplicate key "disk" (first at line 3, column 3)
          disk: 2MiB
          ^
      """),
    BadFile(
      "an anchor and an alias", "bitpal: 1\nprovider: &p fixture\ncurrency: *p\n",
      """
      config.yaml:2:11: anchors (&name) are not supported; write the value out
        provider: &p fixture
                  ^
      config.yaml:3:11: aliases (*name) are not supported; write the value out
        currency: *p
                  ^
      """),
    BadFile(
      "a merge key", "bitpal: 1\nchart:\n  <<: *c\n",
      """
      config.yaml:3:3: merge keys (<<) are not supported; write the keys out
          <<: *c
          ^
      """),
    BadFile(
      "a tag on a plain text", "bitpal: 1\ncurrency: !!str usd\n",
      """
      config.yaml:2:11: tags (!name) are not supported; the key decides the type
        currency: !!str usd
                  ^
      """),
    BadFile(
      "a tag on a quoted text", "bitpal: 1\ncurrency: ! \"usd\"\n",
      """
      config.yaml:2:11: tags (!name) are not supported; the key decides the type
        currency: ! "usd"
                  ^
      """),
    BadFile(
      "the tag that libyaml forgets", "bitpal: 1\naliases: { ä: b }\ncurrency: ! usd\n",
      """
      config.yaml:3:11: tags (!name) are not supported; the key decides the type
        currency: ! usd
                  ^
      """),
    BadFile(
      "a tag on a mapping", "bitpal: 1\naliases: !x { a: b }\n",
      """
      config.yaml:2:10: tags (!name) are not supported; the key decides the type
        aliases: !x { a: b }
                 ^
      """),
    BadFile(
      "a tab as indentation", "bitpal: 1\ncache:\n\tdisk: 1MiB\n",
      """
      config.yaml:3:1: a tab cannot be used here; indent with spaces
        \u{FFFD}disk: 1MiB
        ^
      """),
    BadFile(
      "a tab after indented lines", "bitpal: 1\ncache:\n  disk: 1MiB\n\tpath: x\n",
      """
      config.yaml:4:1: a tab cannot be used here; indent with spaces
        \u{FFFD}path: x
        ^
      """),
    BadFile(
      "a second document", "bitpal: 1\n---\nbitpal: 1\n",
      """
      config.yaml:2:1: a second document starts here; only one is read per file
        ---
        ^
      """),
    BadFile(
      "something after the document", "bitpal: 1\n...\nmore\n",
      """
      config.yaml:3:1: the file's value ends before this; nothing may follow it
        more
        ^
      """),
    BadFile(
      "a directive", "%YAML 1.1\n---\nbitpal: 1\n",
      """
      config.yaml:1:1: a line cannot start with "%"; YAML directives are not supported
        %YAML 1.1
        ^
      """),
    BadFile(
      "a control character", "bitpal: 1\ncurrency: \"u\u{0}sd\"\n",
      """
      config.yaml:2:13: a control character is not allowed
        currency: "u\u{FFFD}sd"
                    ^
      """),
    BadFile(
      "an escaped NUL", "bitpal: 1\nproviders_dir: \"a\\0\"\n",
      """
      config.yaml:2:16: a text cannot contain a NUL character
        providers_dir: "a\\0"
                       ^
      """),
    BadFile(
      "a key that is no text", "bitpal: 1\n? [a]\n: b\n",
      """
      config.yaml:2:3: a key must be text, not a list or a mapping
        ? [a]
          ^
      """),
    BadFile(
      "a quote without end", "bitpal: 1\ncurrency: \"usd\n",
      """
      config.yaml:2:11: the quoted text that starts here has no closing quote
        currency: "usd
                  ^
      """),
    BadFile(
      "a mapping without end", "bitpal: 1\naliases: { a: b\nrefresh: 30s\n",
      """
      config.yaml:3:8: a "," or "}" is expected here; the mapping opens on line 2
        refresh: 30s
               ^
      """),
    BadFile(
      "a list without end", "bitpal: 1\nprovider: [a\nrefresh: 30s\n",
      """
      config.yaml:3:8: a "," or "]" is expected here; the list opens on line 2
        refresh: 30s
               ^
      """),
    BadFile(
      "a file that ends too early", "bitpal: 1\nprovider: [a,\n\n",
      """
      config.yaml:2:14: a value is expected here
        provider: [a,
                     ^
      """),
    BadFile(
      "a colon too many", "bitpal: 1\ncurrency: a: b\n",
      """
      config.yaml:2:12: a ":" is not expected here; check the indentation, and put a text that contains ": " in quotes
        currency: a: b
                   ^
      """),
    BadFile(
      "a colon too few", "bitpal: 1\ncurrency\nrefresh: 30s\n",
      """
      config.yaml:2:1: no ":" follows; write  key: value
        currency
        ^
      """),
    BadFile(
      "an item among keys", "bitpal: 1\ncache:\n  disk: 1MiB\n  - x\n",
      """
      config.yaml:4:3: a key is expected here; check the indentation of this line
          - x
          ^
      """),
    BadFile(
      "a key among items", "bitpal: 1\nprovider:\n  - a\n  b: c\n",
      """
      config.yaml:4:3: an item that starts with "-" is expected here; check the indentation
          b: c
          ^
      """),
    BadFile(
      "a reserved character", "bitpal: 1\ncurrency: @usd\n",
      """
      config.yaml:2:11: a value cannot start with "@"; put it in quotes
        currency: @usd
                  ^
      """),
    BadFile(
      "an unknown escape", "bitpal: 1\ncurrency: \"\\q\"\n",
      """
      config.yaml:2:12: this is not YAML: found unknown escape character
        currency: "\\q"
                   ^
      """),
  ])
  func `Each is refused with its place and a caret`(file: BadFile) {
    #expect(complaint(about: file.text) == file.complaint)
  }

  @Test func `100,000 open brackets are refused at the 33rd`() {
    let complaint = complaint(about: "bitpal: " + String(repeating: "[", count: 100_000))
    #expect(
      complaint
        == """
        config.yaml:1:40: lists and mappings are nested more than 32 deep
          bitpal: \(String(repeating: "[", count: 92))…
          \(String(repeating: " ", count: 39))^
        """)
  }

  @Test(arguments: ["{", "- ", "? "])
  func `Depth is counted in every form of nesting`(opening: String) {
    let complaint = complaint(about: String(repeating: opening, count: 50_000))
    #expect(complaint.contains(": lists and mappings are nested more than 32 deep\n"))
  }

  @Test func `32 levels are read`() {
    let text = "a: " + String(repeating: "[", count: 31) + String(repeating: "]", count: 31)
    let document = document(text.utf8)
    #expect(document.issues == [])
    #expect(document.root != nil)
  }

  @Test func `A file above 256 KiB is refused and one of that size is read`() {
    let head = "bitpal: 1\n#"
    let fits = head + String(repeating: "x", count: 256 * 1024 - head.utf8.count)
    #expect(complaint(about: fits) == "no complaint")
    for text in [fits + "x", head + String(repeating: "x", count: 1 << 20)] {
      #expect(complaint(about: text) == "config.yaml: the file is larger than 256 KiB, the most that is read")
    }
  }

  @Test(
    arguments: [
      ([0xFF], 12), ([0xC3, 0x28], 13), ([0xED, 0xA0, 0x80], 12), ([0x61, 0xC3, 0xA4, 0xC0, 0x80], 14),
    ] as [([UInt8], Int)])
  func `Bytes that are not UTF-8 are refused with their place`(bytes: [UInt8], column: Int) {
    let content = Array("bitpal: 1\ncurrency: \"".utf8) + bytes + Array("\"\n".utf8)
    let issue = document(content).issues.first
    #expect(issue?.message == "this is not valid UTF-8; save the file as UTF-8")
    #expect(issue?.line == 2)
    #expect(issue?.column == column)
  }
}
