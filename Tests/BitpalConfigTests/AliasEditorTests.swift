import BitpalConfig
import BitpalModel
import Testing

@Suite struct `Adding an alias to a settings file` {
  private func edited(_ text: String, _ name: String = "usdt", _ coin: String = "tether") throws -> String {
    try AliasEditor(file: "config.yaml").adding(name, for: coin, to: text).text
  }

  @Test(
    arguments: [
      // In braces.
      (
        "bitpal: 1\naliases: { btc: bitcoin }   # mine\ncurrency: eur\n",
        "bitpal: 1\naliases: { btc: bitcoin, usdt: tether }   # mine\ncurrency: eur\n"
      ),
      ("aliases: {btc: bitcoin,}\nbitpal: 1", "aliases: {btc: bitcoin, usdt: tether,}\nbitpal: 1"),
      ("bitpal: 1\naliases: {}\n", "bitpal: 1\naliases: { usdt: tether }\n"),
      (
        "bitpal: 1\naliases: {\n  btc: bitcoin,  # one\n  eth: \"ethereum\"  # two\n}\n",
        "bitpal: 1\naliases: {\n  btc: bitcoin,  # one\n  eth: \"ethereum\", usdt: tether  # two\n}\n"
      ),
      // In lines.
      (
        "bitpal: 1\naliases:\n    # short\n    btc: bitcoin  # first\n\n# the end\ncurrency: usd\n",
        "bitpal: 1\naliases:\n    # short\n    btc: bitcoin  # first\n    usdt: tether\n\n# the end\ncurrency: usd\n"
      ),
      ("bitpal: 1\naliases:\n  btc: bitcoin", "bitpal: 1\naliases:\n  btc: bitcoin\n  usdt: tether\n"),
      ("bitpal: 1\r\naliases:\r\n  btc: bitcoin\r\n", "bitpal: 1\r\naliases:\r\n  btc: bitcoin\r\n  usdt: tether\r\n"),
      // Not there yet.
      ("bitpal: 1  # v\naliases:   # none yet\n", "bitpal: 1  # v\naliases:   # none yet\n  usdt: tether\n"),
      ("bitpal: 1\n", "bitpal: 1\naliases:\n  usdt: tether\n"),
      ("\u{FEFF}bitpal: 1", "\u{FEFF}bitpal: 1\naliases:\n  usdt: tether\n"),
      // There with another coin.
      (
        "bitpal: 1\naliases: { USDT: 'old, one', btc: bitcoin }  # c\n",
        "bitpal: 1\naliases: { USDT: tether, btc: bitcoin }  # c\n"
      ),
      (
        "bitpal: 1\naliases:\n  usdt: old # c\n  btc: bitcoin\n",
        "bitpal: 1\naliases:\n  usdt: tether # c\n  btc: bitcoin\n"
      ),
      ("bitpal: 1\naliases: { usdt: tether }\n", "bitpal: 1\naliases: { usdt: tether }\n"),
    ])
  func `One entry changes and everything else stays`(text: String, expected: String) throws {
    #expect(try edited(text) == expected)
  }

  @Test(
    arguments: [
      ("元", "模拟元", #"aliases: { "元": "模拟元" }"#), ("a b", "c: d", #"aliases: { "a b": "c: d" }"#),
      ("\"", "\\", #"aliases: { "\"": "\\" }"#), ("no", "1e3", "aliases: { no: 1e3 }"),
      ("#", "- x", ##"aliases: { "#": "- x" }"##),
    ])
  func `Names that YAML would read otherwise are quoted`(name: String, coin: String, line: String) throws {
    #expect(try edited("bitpal: 1\naliases: {}\n", name, coin) == "bitpal: 1\n\(line)\n")
  }

  @Test func `The previous meaning of the alias is reported`() throws {
    let editor = AliasEditor(file: "config.yaml")
    #expect(try editor.adding("btc", for: "x", to: "bitpal: 1\naliases: { BTC: bitcoin }\n").previous == "bitcoin")
    #expect(try editor.adding("eth", for: "x", to: "bitpal: 1\naliases: { BTC: bitcoin }\n").previous == nil)
  }

  @Test(
    arguments: [
      (
        "bitpal: 1\naliases: [a]\n",
        "config.yaml:2:1: aliases: holds no names and coins"
      ),
      (
        "bitpal: 1\naliases:\n  btc: |\n    bitcoin\ncurrency: usd\n",
        "config.yaml:2:1: aliases: is written in a way that this command does not dare to change"
      ),
      (
        "bitpal: 1\n...\n", "config.yaml: aliases: is written in a way that this command does not dare to change"
      ),
      ("bitpal: [1\n", "config.yaml:1:11: a \",\" or \"]\" is expected"),
    ])
  func `A file that cannot be changed safely is refused`(text: String, message: String) {
    let error = #expect(throws: BitpalError.self) { try edited(text) }
    #expect(error?.message.hasPrefix(message) == true, "\(error?.message ?? "")")
  }
}

@Suite struct `Taking an alias out of a settings file` {
  private func removed(_ name: String, _ text: String) throws -> String {
    try AliasEditor(file: "config.yaml").removing(name, from: "bitpal: 1\n" + text).text
      .replacing("bitpal: 1\n", with: "")
  }

  @Test(arguments: [
    ("aliases:\n  btc: bitcoin # the first\n  eth: ethereum\n", "aliases:\n  eth: ethereum\n"),
    ("aliases:\n  eth: ethereum\n  BTC: bitcoin\nrefresh: 1m\n", "aliases:\n  eth: ethereum\nrefresh: 1m\n"),
    ("aliases:\n  btc: bitcoin\nrefresh: 1m", "aliases:\nrefresh: 1m"),
    ("aliases: { btc: bitcoin, eth: ethereum }\n", "aliases: { eth: ethereum }\n"),
    ("aliases: { eth: ethereum, btc: bitcoin }\n", "aliases: { eth: ethereum }\n"),
    ("aliases: { btc: \"bit, coin\" } # one\n", "aliases: { } # one\n"), ("refresh: 1m\n", "refresh: 1m\n"),
  ])
  func `leaves everything else as it is`(before: String, after: String) throws {
    #expect(try removed("btc", before) == after)
  }

  @Test func `says what it meant`() throws {
    let editor = AliasEditor(file: "config.yaml")
    #expect(try editor.removing("Btc", from: "bitpal: 1\naliases: { btc: bitcoin }\n").previous == "bitcoin")
    #expect(try editor.removing("x", from: "bitpal: 1\naliases: { btc: bitcoin }\n").previous == nil)
  }
}
