import BitpalModel
import Foundation
import Testing

@testable import BitpalConfig

@Suite struct `Time zones` {
  /// A workspace with a database of one good zone, an hour ahead, and one that is damaged.
  private func workspace() throws -> Workspace {
    let workspace = try Workspace([
      "zones/Europe/Paris": "junk",
      "zones/zone.tab": "# codes\nDE\t+5230+01322\tEurope/Berlin\tmost of it\nFR\t+4852+00220\tEurope/Paris\n",
      "empty/readme": "",
    ])
    let counts = [0, 0, 0, 0, 1, 4].flatMap { [0, 0, 0, $0] as [UInt8] }
    let bytes = Array("TZif1".utf8) + [UInt8](repeating: 0, count: 15) + counts + [0, 0, 0x0E, 0x10, 0, 0]
    try Data(bytes + Array("CET\0".utf8)).write(to: URL(fileURLWithPath: workspace.path + "/zones/Europe/Berlin"))
    return workspace
  }

  private func load(_ workspace: Workspace, _ name: String, zones: String = "zones") -> Result<Settings, BitpalError> {
    Result { () throws(BitpalError) in
      try workspace.load(["TZDIR": workspace.path + "/" + zones], SettingsOverrides(timeZone: name))
    }
  }

  @Test(arguments: [
    ("Europe/Berlin", "Europe/Berlin"), ("europe/BERLIN", "Europe/Berlin"), ("utc", "UTC"), ("UTC", "UTC"),
  ])
  func `Are found in the system's database, in whatever case`(name: String, found: String) throws {
    let settings = try load(try workspace(), name).get()
    #expect(settings.timeZone.name == found)
    #expect(settings.timeZone.offset(at: Date(timeIntervalSince1970: 0)) == (found == "UTC" ? 0 : 3600))
    #expect(settings.entries.first { $0.key == "timezone" }?.description == "timezone: \(found) (--tz)")
  }

  @Test(arguments: [
    ("Europe/Berln", "--tz: unknown time zone \"Europe/Berln\"; did you mean Europe/Berlin?"),
    ("Berlin", "--tz: unknown time zone \"Berlin\"; did you mean Europe/Berlin?"),
    (
      "Mars/Base",
      "--tz: unknown time zone \"Mars/Base\"; zones are named by region and city, like America/New_York"
    ),
    ("Europe", "--tz: unknown time zone \"Europe\"; zones are named by region and city, like America/New_York"),
    ("../zones/Europe/Berlin", "--tz: a time zone is named like Europe/Berlin, not \"../zones/Europe/Berlin\""),
    ("/etc/passwd", "--tz: a time zone is named like Europe/Berlin, not \"/etc/passwd\""),
  ])
  func `That do not exist are refused with the nearest`(name: String, message: String) throws {
    guard case .failure(let error) = load(try workspace(), name) else {
      Issue.record("it was taken")
      return
    }
    #expect(error.description == message)
  }

  @Test func `that are damaged or not installed are reported with their place`() throws {
    let workspace = try workspace()
    let damaged = "--tz: \(workspace.path)/zones/Europe/Paris cannot be read: it is not a time zone file"
    #expect(load(workspace, "Europe/Paris").failure?.description == damaged)
    #expect(
      load(workspace, "Europe/Berlin", zones: "empty").failure?.description
        == "--tz: no time zones are installed in \(workspace.path)/empty; install the package tzdata, "
        + "or name its folder in TZDIR")
  }

  @Test func `May stand in the settings, and a wrong one is a fault with its line`() throws {
    let workspace = try workspace()
    let variables = ["TZDIR": workspace.path + "/zones"]
    try workspace.write("config.yaml", "bitpal: 1\ntimezone: Europe/Berlin\n")
    let named = SettingsOverrides(configPath: "config.yaml")
    #expect(try workspace.load(variables, named).timeZone.name == "Europe/Berlin")
    try workspace.write("config.yaml", "bitpal: 1\ntimezone: Europe/Berln\n")
    let words = message { () throws(BitpalError) in try workspace.load(variables, named) }
    #expect(words.hasPrefix("config.yaml:2:11: "))
    #expect(words.contains("did you mean Europe/Berlin?"))
  }
}

extension Result {
  fileprivate var failure: Failure? { if case .failure(let error) = self { error } else { nil } }
}
