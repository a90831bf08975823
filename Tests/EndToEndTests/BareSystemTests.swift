import Foundation
import Glibc
import TestSupport
import Testing

/// A view of the files in which system folders are empty, as in a chroot or a sparse container.
enum BareSystem {
  /// Whether the kernel lets this user have one.
  static let isAvailable: Bool = {
    let world = try? World()
    let outcome = try? world?.run(bare(["/proc", "/dev"], "true"))
    return outcome?.status == 0
  }()

  /// A line of shell that runs another where these folders are empty.
  static func bare(_ folders: [String], _ line: String) -> String {
    let mounts = folders.map { "mount -t tmpfs none \($0)" }.joined(separator: " && ")
    return "unshare -rm sh -c '\(mounts) && \(line)'"
  }
}

@Suite(.ownThreads, .enabled(if: BareSystem.isAvailable, "the kernel allows no name space of mounts here"))
struct `Without /proc or /dev` {
  @Test(arguments: [["/proc"], ["/dev"], ["/proc", "/dev"]])
  func `the same is answered, and no command ends by a signal`(folders: [String]) throws {
    let world = try World()
    for line in ["bitpal price bitcoin", "bitpal chart bitcoin --range 1W", "bitpal portfolio", "bitpal --version"] {
      let whole = try world.run(line)
      let bare = try world.run(BareSystem.bare(folders, line))
      #expect(bare == whole, "\(line)")
    }
  }

  /// A source that cannot be reached makes tasks wait, whose threads libdispatch looks for in /proc.
  @Test func `a cold question of the network is a failure and no trap`() throws {
    let world = try World()
    try world.write(
      "id: away\nname: Away\nkind: http\nbase_url: http://127.0.0.1:9\nquotes:\n  get: /x?id={id}\n  each: $\n"
        + "  fields: { price: $.p }\n", to: "providers/away.yaml")
    // One run in two met the trap.
    let line = "rm -rf ../home/.cache; bitpal price bitcoin -p away --wait 0s --timeout 2s; echo $?"
    let loop = "for i in 1 2 3 4 5 6 7 8 9 10 11 12; do \(line); done"
    let outcome = try world.run(BareSystem.bare(["/proc", "/dev"], loop))
    #expect(outcome.output == String(repeating: "4\n", count: 12), "\(outcome)")
    #expect(outcome.errors.contains("cannot reach 127.0.0.1") && !outcome.errors.contains("Signal"))
  }

  @Test func `a server serves and stops`() throws {
    let world = try World()
    let line =
      "bitpal serve --listen 127.0.0.1:0 --ready-fd 3 3>ready & "
      + "while [ ! -s ready ]; do sleep 0.01; done; kill -TERM $!; wait $!; echo $?"
    #expect(try world.run(BareSystem.bare(["/proc", "/dev"], line)).output.hasSuffix("\n0\n"))
  }
}
