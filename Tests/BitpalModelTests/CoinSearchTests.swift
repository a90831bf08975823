import BitpalModel
import Testing

@Suite struct `Finding coins by text` {
  @Test(
    arguments: [
      ("Bitcoin", "bitcoin"), ("  Wrapped \t BITCOIN ", "wrapped bitcoin"), ("Ankaragücü", "ankaragucu"),
      ("Beşiktaş", "besiktas"), ("Ēnosys", "enosys"), ("Tiền Điện", "tien dien"), ("İstanbul", "istanbul"),
      ("e\u{301}", "e"), ("Ｗｉｄｅ　Ｃｏｉｎ", "wide coin"), ("In\u{200B}visible", "invisible"), ("µBeanz", "μbeanz"),
      ("Straße", "strasse"), ("Δοκιμή", "δοκιμη"), ("Учебный", "учебный"), ("模拟元", "模拟元"), ("درهم", "درهم"),
      ("🚀🌕", "🚀🌕"), ("a\u{0}b\nc", "a b c"), ("", ""), (" \u{200B} ", ""),
    ])
  func `Case, accents, width and invisible characters do not matter`(text: String, key: String) {
    #expect(text.searchKey == key)
    #expect(text.searchKey.searchKey == key)
  }

  private func items(_ rows: (String, String, String)...) throws -> [CoinListItem] {
    try rows.map { try CoinListItem(validating: $0.0, symbol: $0.1, name: $0.2) }
  }

  @Test func `Exact symbols and ids come first, then beginnings, then the rest, each by name`() throws {
    let items = try items(
      ("rabbit", "rab", "Rabbit"), ("bitcoin", "btc", "Bitcoin"), ("z-bit", "bit", "Zulu"), ("bit", "xx", "Éclair"),
      ("other", "orb", "An Orbit"), ("bit-two", "two", "aBc"), ("name", "nm", "Bit of Luck"), ("no", "n", "Nothing"))
    let search = try #require(CoinSearch("BIT"))
    #expect(
      search.matches(in: items, limit: 50).map(\.id)
        == ["bit", "z-bit", "bit-two", "name", "bitcoin", "other", "rabbit"])
    #expect(search.matches(in: items, limit: 2).map(\.id) == ["bit", "z-bit"])
    #expect(search.matches(in: items, limit: -1).isEmpty)
  }

  @Test func `A name that is the text begins with it; only an id or a symbol is exact`() throws {
    let search = try #require(CoinSearch("tether"))
    func ranks(_ keys: String) -> [String] {
      var keys = keys
      return keys.withUTF8 { search.matches(amongKeys: $0) }.map { "\($0.position) \($0.rank)" }
    }
    #expect(ranks("\ntether\nusdt\ntether") == ["0 exact"])
    #expect(ranks("\nbridged\nusdt\ntether") == ["0 prefix"])
    #expect(ranks("\nbridged-tether\nusdt\nbridged") == ["0 substring"])
    #expect(ranks("\nteth\nusdt\ner") == [])
    // A name before the id of the next coin ends as an id or a symbol does.
    #expect(
      ranks("\nbridged\nusdt\ntether\nx-tether\ntether\nx tether\na\nb\nc\ntether tether\nx\ny")
        == ["1 exact", "0 prefix", "3 prefix"])
  }

  @Test(arguments: ["", "  ", "\n\t", "\u{200B}"])
  func `An empty search is refused`(text: String) {
    #expect(CoinSearch(text) == nil)
  }
}
