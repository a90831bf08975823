import BitpalModel
import TestSupport
import Testing

@testable import BitpalConfig

@Suite struct `Fleet settings in a settings file` {
  static func fleet(_ text: String) throws -> FleetSettings? {
    try Workspace(["etc/config.yaml": "bitpal: 1\n\(text)\n"])
      .load([:], SettingsOverrides(configPath: "etc/config.yaml")).fleet
  }

  @Test func `Everything is taken over, and a path is one beside the file`() throws {
    let workspace = try Workspace([
      "etc/config.yaml": """
      bitpal: 1
      fleet:
        redis: rediss://bitpal@Cache.Example:6380/3
        members: 1000
        ca: ../ca.pem
        prefix: "{bitpal-home}"
      """
    ])
    let settings = try workspace.load([:], SettingsOverrides(configPath: "etc/config.yaml"))
    #expect(
      settings.fleet
        == FleetSettings(
          address: try FleetAddress("rediss://bitpal@cache.example:6380/3"), members: 1000,
          certificates: workspace.path + "/ca.pem", prefix: "{bitpal-home}"))
    #expect(
      settings.entries.map(\.description).filter { $0.hasPrefix("fleet.") } == [
        "fleet.redis: rediss://bitpal@cache.example:6380/3 (etc/config.yaml:3)",
        "fleet.members: 1000 (etc/config.yaml:4)", "fleet.ca: \(workspace.path)/ca.pem (etc/config.yaml:5)",
        "fleet.prefix: {bitpal-home} (etc/config.yaml:6)",
      ])
  }

  @Test func `A missing key has its default`() throws {
    let fleet = try #require(try Self.fleet("fleet: { redis: /run/redis/redis-server.sock }"))
    #expect(fleet.address.place == .socket("/run/redis/redis-server.sock"))
    #expect(fleet.members == 2 && fleet.certificates == nil && fleet.prefix == "bitpal")
  }

  @Test(arguments: ["", "fleet:", "fleet:\n  # redis: redis://cache", "fleet: { members: 3, ca: x.pem }"])
  func `Without an address the fleet is off`(text: String) throws {
    #expect(try Self.fleet(text) == nil)
  }

  @Test(arguments: [
    BadFile(
      "values", "bitpal: 1\nfleet: { redis: cache:6379, members: 1, prefix: other }\n",
      """
      config.yaml:2:17: fleet.redis is not an address: write redis://HOST, rediss://HOST for TLS, or the path of a socket
        fleet: { redis: cache:6379, members: 1, prefix: other }
                        ^
      config.yaml:2:38: fleet.members must be between 2 and 1000, not 1
        fleet: { redis: cache:6379, members: 1, prefix: other }
                                             ^
      config.yaml:2:49: fleet.prefix must be bitpal and letters, digits, -, _ and . after it, like bitpal-home or \
      {bitpal-home}, not "other"
        fleet: { redis: cache:6379, members: 1, prefix: other }
                                                        ^
      """),
    BadFile(
      "kinds", "bitpal: 1\nfleet:\n  redis: []\n  member: 3\n  ca:\n",
      """
      config.yaml:3:10: fleet.redis must be an address like redis://cache.example:6379/0, not a list
          redis: []
                 ^
      config.yaml:4:3: unknown key "member" (did you mean "members"?)
          member: 3
          ^
      config.yaml:5:6: fleet.ca has no value
          ca:
             ^
      """),
    BadFile(
      "an authority without TLS", "bitpal: 1\nfleet: { redis: redis://cache, ca: ca.pem }\n",
      """
      config.yaml:2:36: fleet.ca is for TLS, which redis://cache does not speak: write rediss:// in fleet.redis, or \
      leave it out
        fleet: { redis: redis://cache, ca: ca.pem }
                                           ^
      """),
    BadFile(
      "a password, which is not shown", "bitpal: 1\nfleet: { redis: 'redis://:sesame@cache' }\n",
      "config.yaml:2:17: fleet.redis has a password in it: put it into the variable BITPAL_REDIS_PASSWORD, or into a "
        + "file named by BITPAL_REDIS_PASSWORD_FILE, and change it if others have seen it"),
    BadFile(
      "a password behind a slip", "bitpal: 1\nfleet: { redis: 'redis:/me:sesame@cache' }\n",
      "config.yaml:2:17: fleet.redis is not an address: write redis://HOST, rediss://HOST for TLS, or the path of a socket"
    ),
  ])
  func `Every mistake is reported with its place`(file: BadFile) throws {
    #expect(try Workspace().complaint(about: file.text) == file.complaint)
  }
}
