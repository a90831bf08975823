import Foundation
import Testing

extension Attacks {
  /// What a shell, a container or a scheduler may give a program to live with.
  @Suite struct `Few means and odd descriptors` {
    private static let commands = [
      "price bitcoin", "chart bitcoin --range 1D", "portfolio", "buy 1 bitcoin --price 1 --date 2024-01-01", "doctor",
      "--version", "help",
    ]

    @Test(arguments: [
      "<&-", ">&-", "2>&-", "<&- >&- 2>&-", ">/dev/full", "2>/dev/full", ">/dev/full 2>&1", "</dev/full",
      ">/dev/null 2>&-",
    ])
    func `crash nothing`(redirection: String) throws {
      let world = try World()
      for command in Self.commands {
        let outcome = try world.attack("bitpal \(command) \(redirection)")
        expectSafe(outcome, "\(command) \(redirection)")
      }
    }

    @Test(arguments: 3..<20) func `are reported when few descriptors are left`(count: Int) throws {
      let server = try MarketServer()
      let live = try LiveWorld(server.url)
      for command in ["price bitcoin --timeout 3s", "portfolio", "doctor"] {
        let outcome = try live.world.attack("ulimit -n \(count); exec bitpal \(command)")
        // Fewer than five are not enough for the loader, whose status is 127 and whose words are its own.
        if outcome.status == 127, count < 8 { continue }
        expectSafe(outcome, "\(command) with \(count)")
        #expect(!outcome.errors.contains("not installed"), "\(outcome.errors)")
      }
    }

    @Test(arguments: [0, 1, 8, 64]) func `and a limit on files ends no program without a word`(blocks: Int) throws {
      let world = try World()
      _ = try world.run("bitpal trust -q 2>/dev/null; bitpal buy 1 bitcoin --price 1 --date 2024-01-01 -q")
      let before = try world.run("bitpal portfolio transactions --format csv").output
      for command in Self.commands + ["portfolio backup copy.db", "record x -- price bitcoin"] {
        // The answers go through a pipe, which has no such limit.
        let outcome = try world.attack(
          "(ulimit -f \(blocks); LLVM_PROFILE_FILE=/dev/null bitpal \(command); echo $? > status) 2>&1 | cat; exit $(cat status)"
        )
        if blocks > 0 { expectSafe(outcome, "\(command) with \(blocks)") }
        #expect(!outcome.output.contains("limit exceeded"), "\(command) with \(blocks)")
      }
      #expect(try world.run("bitpal portfolio transactions --format csv").output.hasPrefix(before))
    }

    @Test(arguments: [
      "", "HOME=", "HOME=/nowhere", "HOME=/dev/null", "HOME=relative", "PATH=", "LANG=xx_YY", "TZ=:/dev/zero",
    ])
    func `and an odd environment`(variable: String) throws {
      let world = try World()
      for command in Self.commands {
        let outcome = try world.attack("env \(variable) \"$(command -v bitpal)\" \(command)")
        expectSafe(outcome, "\(variable) \(command)")
      }
    }
  }
}
