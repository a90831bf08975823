import Foundation
import Testing

@Suite(.ownThreads) struct `A plugin in the folder of another person` {
  private let world: World

  init() throws {
    world = try World(isTrusted: false)
    try world.write("bitpal: 1\nproviders_dir: providers\nprovider: lunar\n", to: "config.yaml")
    try world.write(
      "id: lunar\nname: Lunar\nkind: plugin\ncommand: [sh, lunar.sh]\nhosts: [lunar.example]\n",
      to: "providers/lunar.yaml")
    // Whoever starts it leaves a trace.
    try world.write("touch \(world.folder)/started\n", to: "providers/lunar.sh")
    try world.write(
      "id: own\nname: Own\nkind: plugin\ncommand: [sh, \(world.work)/providers/lunar.sh]\nhosts: [lunar.example]\n",
      to: world.ownProvider("own"))
    try world.write(
      "id: tape\nname: Tape\nkind: recorded\nof: own\nrecording: ../Fixtures/market\n", to: "providers/tape.yaml")
  }

  private var wasStarted: Bool { FileManager.default.fileExists(atPath: world.folder + "/started") }

  @Test(arguments: [
    "price bitcoin", "price bitcoin -p lunar", "price bitcoin -p own", "price bitcoin -p tape", "chart bitcoin",
    "providers list", "providers list --format json", "providers show lunar", "providers check lunar",
    "providers check own", "config check", "doctor --offline", "search lunar", "coin bitcoin", "history bitcoin",
    "trust --dry-run",
  ])
  func `Is started by no command`(line: String) throws {
    let outcome = try world.run("bitpal \(line)")
    #expect(!wasStarted, "\(outcome)")
    #expect([0, 1, 3].contains(outcome.status), "\(outcome)")
  }

  @Test func `Is shown before it is trusted, with what it would start`() throws {
    let list = try world.run("bitpal providers list")
    // The columns are as wide as the other rows want them.
    #expect(list.output.contains(/\n\*  lunar +Lunar +plugin +- +\?/))
    #expect(list.output.contains("not trusted: WORLD/work/providers/lunar.yaml"))
    #expect(list.errors.contains("no plugin lunar, no plugin own; \"bitpal trust\" if it is yours"))
    let dry = try world.run("bitpal trust --dry-run")
    #expect(dry.output.contains("\nlunar would start:  sh lunar.sh  (providers/lunar.sh)\n"))
    #expect(try world.run("bitpal trust list --format csv").output == "folder,state\n")
    #expect(try world.run("bitpal price bitcoin").errors.contains("is not trusted: no providers/lunar.yaml"))
    #expect(try world.run("bitpal trust").output.contains("\nlunar starts:  sh lunar.sh  (providers/lunar.sh)\n"))
    try world.write("touch elsewhere\n", to: "providers/lunar.sh")
    #expect(
      try world.run("bitpal price bitcoin").errors
        == "bitpal: ./config.yaml has changed since it was trusted: no providers/lunar.yaml; "
        + "\"bitpal trust\" if it is yours\n")
    #expect(!wasStarted)
  }
}
