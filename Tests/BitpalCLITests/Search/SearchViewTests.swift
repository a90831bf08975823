import BitpalModel
import Testing

@testable import bitpal

@Suite struct `What a search shows` {
  @Test func `Emoji, full-width and right-to-left names leave the columns straight`() throws {
    let items = try [
      ("frog-pond", "frog", "🐸 Frog Pond"), ("wide-coin", "ｗｉｄｅ", "Ｗｉｄｅ"), ("yuan", "元", "模拟元"),
      ("dirham", "dirs", "درهم رقمي"), ("evil", "e\u{1B}", "\u{202E}liv\u{7}e"),
    ].map { try CoinListItem(validating: $0.0, symbol: $0.1, name: $0.2) }
    let view = SearchView(Sample.sourced(items), query: "x", providers: [Sample.fixture])
    let lines = view.table(style: .plain).split(separator: "\n").dropFirst().map(String.init)
    #expect(
      lines == [
        "ID         SYMBOL    NAME",
        "frog-pond  FROG      🐸 Frog Pond",
        "wide-coin  ＷＩＤＥ  Ｗｉｄｅ",
        "yuan       元        模拟元",
        "dirham     DIRS      درهم رقمي",
        "evil       E�        �liv�e",
      ])
  }
}
