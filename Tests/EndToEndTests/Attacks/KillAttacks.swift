import BitpalFiles
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
    TriedWrite(
      command: "bitpal config alias xyz bitcoin", state: "cat config.yaml preferences.yaml 2>/dev/null || true"),
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

    @Test(arguments: TriedWrite.all, Fault.allCases)
    func `when it is killed at any step, or the disk is full from it on`(write: TriedWrite, fault: Fault) throws {
      try tryAll(write, fault)
    }

    @Test(arguments: Fault.allCases)
    func `and the undoing of a restore leaves the transactions in a file`(fault: Fault) throws {
      let world = try Self.world()
      #expect(try world.run("bitpal portfolio restore other.db -q").status == 0)
      let undo = "bitpal portfolio restore ~/.local/share/bitpal/bitpal.db.before-restore*"
      try tryAll(TriedWrite(command: undo, state: "true"), fault, in: world) { step, _ in
        // Three purchases before the mistake, one in what was restored.
        let files = try world.run("ls -d ~/.local/share/bitpal/bitpal.db*").output.split(separator: "\n")
        let counts = files.map { file in
          (try? Self.transactions(in: file.replacingOccurrences(of: "WORLD", with: world.folder))) ?? 0
        }
        #expect(counts.contains(3), "step \(step): \(files) \(counts)")
      }
    }

    private static func transactions(in file: String) throws -> Int64 {
      let database = try SQLiteConnection(path: file, mode: .readWrite, busyTimeout: .seconds(2))
      let count = try database.prepare("SELECT count(*) FROM trade")
      return try count.step() ? count.integer(0) : 0
    }

    private func tryAll(_ write: TriedWrite, _ fault: Fault) throws {
      let world = try Self.world()
      let before = try world.run("\(write.prepare); \(write.state)")
      _ = try world.run(Self.keeping)
      let after = try world.run("(\(write.command)) > /dev/null 2>&1; \(write.state)")
      _ = try world.run(Self.puttingBack)
      try #require(before.status == 0 && after.status == 0, "\(before.errors) \(after.errors)")
      try tryAll(write, fault, in: world) { step, said in
        let state = try world.run(write.state)
        #expect(state.status == 0, "step \(step): \(state.errors)")
        #expect([before.output, after.output].contains(state.output), "step \(step): \(said)")
        // What an abandoned write left is swept away by the next one.
        let again = try world.run("\(write.command) > /dev/null")
        #expect([0, 1, 2].contains(again.status), "step \(step): \(again.errors)")
        let left = try world.run("find .. -name '*.unfinished*' -o -name '*.tmp' -o -name '*.new'")
        #expect(left.output == "", "step \(step)")
      }
    }

    private static let keeping = "rm -rf ../*.before; cp -a ../home ../home.before; cp -a . ../work.before"
    private static let puttingBack =
      "rm -rf ../home; cp -a ../home.before ../home; find . -mindepth 1 -delete; cp -a ../work.before/. ."

    /// Runs the command once for each step of it that the fault can hit, always from the same state.
    private func tryAll(
      _ write: TriedWrite, _ fault: Fault, in world: World, then look: (_ step: Int, _ said: String) throws -> Void
    ) throws {
      _ = try world.run(Self.keeping)
      var step = 1
      while step < 500 {
        _ = try world.run("\(Self.puttingBack); \(write.prepare)")
        let tried = try world.run(
          """
          timeout 20 strace -f -qq -o ../trace -e trace=\(fault.calls) -e signal=none \
            -e inject=\(fault.calls):\(fault.effect(at: step)) \(write.command) > ../said 2>&1
          """)
        guard try fault == .kill ? tried.status == 137 : world.run("grep -q INJECTED ../trace").status == 0 else {
          break
        }
        #expect(tried.status != 124, "step \(step)")
        try look(step, String(decoding: world.content("../said") ?? Data(), as: UTF8.self))
        step += 1
      }
      #expect(step > 3, "the fault did not hit")
    }

    enum Fault: CaseIterable {
      case kill, fullDisk

      /// The calls that it hits: those that change files.
      var calls: String {
        switch self {
        case .kill:
          "openat,write,pwrite64,ftruncate,fallocate,rename,renameat,renameat2,unlink,unlinkat,mkdir,link,linkat,fsync,"
            + "fdatasync,fchmod,copy_file_range"
        case .fullDisk: "write,pwrite64,ftruncate,fallocate,mkdir"
        }
      }

      func effect(at step: Int) -> String {
        switch self {
        case .kill: "signal=KILL:when=\(step)"
        case .fullDisk: "error=ENOSPC:when=\(step)+"
        }
      }
    }
  }
}
