import Foundation
import LoopbackServer
import Testing

/// A command that writes, tried at every step of what it asks of the system.
struct TriedWrite: CustomTestStringConvertible, Sendable {
  /// What makes the state before; run once for each try.
  var prepare = "true"
  let command: String

  /// Prints what must be the same as before, or as after the whole command.
  let state: String

  var testDescription: String { command }

  private static let transactions = "bitpal portfolio transactions --format csv | cut -d, -f2-"

  static let all = [
    TriedWrite(command: "bitpal buy 2 ethereum --price 50 --date 2024-02-01", state: transactions),
    TriedWrite(command: "bitpal portfolio import more.csv", state: transactions),
    TriedWrite(command: "bitpal portfolio restore other.db", state: transactions),
    TriedWrite(
      command: "bitpal watchlist add solana", state: "bitpal watchlist list --offline --format csv | cut -d, -f1"),
    TriedWrite(command: "bitpal config alias xyz bitcoin", state: "cat config.yaml"),
    TriedWrite(
      prepare: "echo old > picture.svg", command: "bitpal chart bitcoin --range 1D --svg picture.svg",
      state: "cat picture.svg"),
    TriedWrite(
      prepare: "bitpal widget write -q", command: "bitpal widget write",
      state: "cat ~/.local/share/bitpal/WidgetData/portfolio.json"),
    TriedWrite(command: "bitpal price bitcoin", state: "bitpal price bitcoin"),
  ]
}

extension Attacks {
  /// `strace` ends the tool, or makes the disk full, before each call that changes something.
  @Suite struct `A write is whole or not there` {
    /// The calls that change files.
    private static let calls =
      "openat,write,pwrite64,ftruncate,fallocate,rename,renameat,renameat2,unlink,unlinkat,mkdir,link,linkat,fsync,"
      + "fdatasync,fchmod,copy_file_range"

    /// A world with three purchases, and files to import and to restore.
    private static func world() throws -> World {
      let world = try World()
      try world.write(
        """
        date,type,coin,amount,price
        2024-03-01,buy,solana,1,10
        2024-03-02,buy,solana,2,20

        """, to: "more.csv")
      let made = try world.run(
        """
        bitpal trust -q 2>/dev/null
        buy() { bitpal buy "$@" --price 100 --date 2024-01-02 -q > /dev/null || exit 9; }
        buy 1 dogecoin && bitpal portfolio backup other.db -q > /dev/null && rm ~/.local/share/bitpal/bitpal.db
        buy 1 bitcoin && buy 2 bitcoin && buy 3 ethereum && bitpal watchlist add bitcoin -q && bitpal price bitcoin -q
        """)
      try #require(made.status == 0, "\(made.errors)")
      return world
    }

    @Test(arguments: TriedWrite.all) func `when it is killed at any step`(write: TriedWrite) throws {
      try tryAll(write, injecting: "signal=KILL", once: true)
    }

    @Test(arguments: TriedWrite.all) func `when the disk is full from any step on`(write: TriedWrite) throws {
      try tryAll(write, injecting: "error=ENOSPC", once: false)
    }

    private func tryAll(_ write: TriedWrite, injecting fault: String, once: Bool) throws {
      let world = try Self.world()
      let calls = once ? Self.calls : "write,pwrite64,ftruncate,fallocate,mkdir"
      // The whole home is put back before each try: what is left by one must not help the next.
      _ = try world.run("cp -a ../home ../home.before; cp -a . ../work.before")
      let before = try world.run("\(write.prepare); \(write.state)")
      let after = try world.run("(\(write.command)) > /dev/null 2>&1; \(write.state)")
      try #require(before.status == 0 && after.status == 0, "\(before.errors) \(after.errors)")
      var step = 1
      var tries = 0
      while step < 1000 {
        let tried = try world.run(
          """
          rm -rf ../home; cp -a ../home.before ../home
          find . -mindepth 1 -delete 2>/dev/null; cp -a ../work.before/. .; \(write.prepare)
          timeout 20 strace -f -qq -o ../trace -e trace=\(calls) -e signal=none \
            -e inject=\(calls):\(fault):when=\(step)\(once ? "" : "+") \(write.command) > ../said 2>&1
          """)
        let hit = try world.run("grep -c -e INJECTED -e 'killed by' ../trace")
        guard hit.output != "0\n" else { break }
        tries += 1
        #expect(tried.status != 124, "step \(step)")
        let state = try world.run(write.state)
        #expect(
          [before.output, after.output].contains(state.output) && state.status == 0,
          "step \(step): \(state.status) \(state.errors)")
        // What an abandoned write left is swept away by the next one.
        let again = try world.run("\(write.command) > /dev/null")
        #expect([0, 1, 2].contains(again.status), "step \(step): \(again.errors)")
        let left = try world.run("find .. -name '*.unfinished*' -o -name '*.tmp' -o -name '*.new'")
        #expect(left.output == "", "step \(step)")
        // Opening libraries and settings takes most of the steps, and nothing is written before.
        step += 1
      }
      #expect(tries > 3)
    }
  }
}
