import Foundation
import Testing

extension Attacks {
  /// Files that one is given: recordings, tables of transactions.
  @Suite struct `A file from another person` {
    /// Changes of the demo recording, as a `sed` script or a line of shell in its folder.
    @Test(arguments: [
      "sed -i 's|bodies/|../../../../../../../../etc/|' recording.har",
      "sed -i 's|\"_file\": \"|&/etc/passwd|' recording.har",
      "rm -r bodies; ln -s /etc bodies", "for f in bodies/*; do ln -sf /dev/zero $f; done",
      "for f in bodies/*; do rm $f; mkfifo $f; done", "for f in bodies/*; do echo >> $f; done",
      "rm recording.har; mkfifo recording.har",
      "rm recording.har; ln -s /dev/zero recording.har", "truncate -s 2G recording.har",
      "truncate -s 2G bodies/quotes-usd.json",
      "head -c 5000 recording.har > x; mv x recording.har", ": > recording.har",
      "sed -i 's|\"size\": [0-9]*|\"size\": 99999999999999999999|' recording.har",
      "sed -i 's|\"status\": 200|\"status\": \"x\"|' recording.har",
      "sed -i 's|2025-01-15T10:30:00Z|9999999-99-99|' recording.har",
      "sed -i 's|https://api|\\\\u001b[2Jhttps://api|' recording.har",
      "sed -i 's|\"entries\": \\[|&{},|' recording.har",
      "yes '[' | tr -d '\\n' | head -c 1000000 > recording.har",
    ])
    func `makes no recording a danger`(change: String) throws {
      let world = try World()
      let copied = try world.run(
        "rm Fixtures; cp -rL '\(Repository.fixtures)' Fixtures; cd Fixtures/market && \(change)")
      try #require(copied.status == 0, "\(copied.errors)")
      for command in ["price bitcoin", "chart bitcoin --range 1D", "search bit", "record market --check", "doctor"] {
        let outcome = try world.attack("bitpal \(command)")
        expectSafe(outcome, command)
        #expect(!outcome.output.contains("root:") && !outcome.errors.contains("root:"))
      }
    }

    /// Tables of which nothing may be taken.
    private static let tables: [String: String] = [
      "40,000 columns": "printf 'x,%.0s' $(seq 40000) > t.csv",
      "a million columns": "yes x, | tr -d '\\n' | head -c 2000000 > t.csv",
      "5 MB without an end of line": "head -c 5000000 /dev/zero | tr '\\0' a > t.csv",
      "only zeros": "head -c 100000 /dev/zero > t.csv", "noise": "head -c 100000 /dev/urandom > t.csv",
      "an open quote": "printf 'date,type,coin,amount,price\\n\"2024-01-01,buy,bitcoin,1,1\\n' > t.csv",
      "numbers without end":
        "printf 'date,type,coin,amount,price\\n2024-01-01,buy,bitcoin,%s,1\\n' $(head -c 9999 /dev/zero | tr '\\0' 9) > t.csv",
      "exponents": "printf 'date,type,coin,amount,price\\n2024-01-01,buy,bitcoin,1e999999999,1\\n' > t.csv",
      "years": "printf 'date,type,coin,amount,price\\n999999999-01-01,buy,bitcoin,1,1\\n' > t.csv",
      "many faults": "{ echo date,type,coin,amount,price; yes x,x,x,x,x | head -100000; } > t.csv",
      "a device": "ln -s /dev/zero t.csv", "a folder": "mkdir t.csv",
      "colours": "printf 'date,type,coin,amount,price\\n\\033[31m,\\033]0;x\\007,b,1,1\\n' > t.csv",
    ]

    @Test(arguments: tables.keys.sorted()) func `adds nothing if it is not a table of transactions`(kind: String) throws
    {
      let world = try World()
      _ = try world.run("bitpal trust -q 2>/dev/null; \(Self.tables[kind] ?? "")")
      let outcome = try world.attack("bitpal portfolio import t.csv")
      expectSafe(outcome, kind)
      #expect(outcome.status != 0)
      #expect(outcome.errors.utf8.count < 20_000, "\(outcome.errors.utf8.count) bytes of faults")
      let held = try world.run("bitpal portfolio transactions --format csv")
      #expect(held.output.split(separator: "\n").count == 1)
    }

    @Test(arguments: ["csv", "ledger", "hledger", "beancount"])
    func `holds no formula for a spreadsheet and no command for a terminal`(format: String) throws {
      let world = try World()
      try world.write(
        "date,type,coin,amount,price,notes\n"
          + ["=cmd|' /C calc'!A0", "@SUM(A1)", "+1+1", "-2+3", "\t=1", "\u{1B}[2J\u{202E}x\u{200B}", "plain"].map {
            "2024-01-01,buy,bitcoin,1,1,\"\($0)\"\n"
          }.joined(), to: "t.csv")
      let made = try world.run("bitpal trust -q 2>/dev/null; bitpal portfolio import t.csv -q")
      try #require(made.status == 0, "\(made.errors)")
      let export = "bitpal portfolio export --format \(format)"
      expectSafe(try world.attack("script -qec '\(export)' /dev/null | tr -d '\\r'"), format)
      if format == "csv" {
        let outcome = try world.attack(export)
        let cells = outcome.output.split(separator: "\n").flatMap { $0.split(separator: ",") }
        let formulas = cells.filter { cell in
          let text = cell.drop { $0 == "\"" }
          return text.first.map { "=@\t\r".contains($0) } == true || text.hasPrefix("+1+1") || text.hasPrefix("-2+3")
        }
        #expect(formulas == [])
        // The file is the user's own data, and comes back as it was.
        try world.write(outcome.output, to: "exported.csv")
        let again = try world.run(
          "bitpal portfolio import exported.csv --portfolio other --create > /dev/null && \(export) --portfolio other"
        )
        #expect(again.output == outcome.output, "\(again.errors)")
      }
    }

    @Test(arguments: ["a link", "a pipe", "a device", "a link to nothing", "a folder"])
    func `is not what a picture takes the place of`(kind: String) throws {
      let world = try World()
      try world.write("mine", to: "target")
      let made = [
        "a link": "ln -s target x.svg", "a pipe": "mkfifo x.svg", "a device": "ln -s /dev/null x.svg",
        "a link to nothing": "ln -s nowhere x.svg", "a folder": "mkdir x.svg",
      ]
      let before = try world.run("\(made[kind] ?? ""); stat -c %F x.svg").output
      // Somebody reads the pipe, so that writing it does not wait.
      let reader = kind == "a pipe" ? "cat x.svg > read & " : ""
      let outcome = try world.attack("\(reader)bitpal chart bitcoin --range 1D --svg x.svg; code=$?; wait; exit $code")
      expectSafe(outcome, kind)
      #expect(try world.run("stat -c %F x.svg").output == before)
      if kind == "a pipe" { #expect(world.content("read")?.starts(with: Data("<svg".utf8)) == true) }
      if kind == "a link" { #expect(world.content("target")?.starts(with: Data("<svg".utf8)) == true) }
      #expect(try world.run("stat -Lc %F /dev/null").output == "character special file\n")
    }
  }
}
