import BitpalModel
import BitpalOutput
import Testing

@testable import BitpalFleet
@testable import bitpal

@Suite struct `Findings of the doctor about a fleet's server` {
  private static func settings() throws -> FleetSettings {
    FleetSettings(address: try FleetAddress("rediss://cache.example"), members: 4)
  }

  private static func health(policy: String? = "volatile-lru", isReplica: Bool = false) -> FleetHealth {
    FleetHealth(
      version: "7.0.15", roundTrip: .microseconds(1_340), evictionPolicy: policy, isReplica: isReplica,
      answers: 25, budgets: 3)
  }

  @Test(arguments: ["volatile-lru", "volatile-ttl", "noeviction", nil])
  func `One that is as it should be is one line`(policy: String?) throws {
    #expect(
      FleetCheck.findings(of: Self.health(policy: policy), try Self.settings()) == [
        Finding(
          .fleet, "redis",
          "rediss://cache.example, Redis 7.0.15, answers in 1.3 ms; 25 answers and 3 budgets of at most 4 machines")
      ])
  }

  @Test func `A server that forgets budgets or refuses writes is reported`() throws {
    let health = Self.health(policy: "allkeys-lru", isReplica: true)
    #expect(
      FleetCheck.findings(of: health, try Self.settings()).dropFirst() == [
        Finding(
          .fleet, "role", .warning, "a replica, which takes nothing that is written: name its primary in fleet.redis"),
        Finding(
          .fleet, "memory", .warning, "when it is full, budgets are forgotten too: maxmemory-policy is allkeys-lru",
          fix: "redis-cli config set maxmemory-policy volatile-lru"),
      ])
  }

  @Test func `One on which limits differ, or whose user lacks a right, is a warning`() throws {
    var health = Self.health()
    health.differing = ["coingecko https://api.example no key": ["30/1m", "5/1m, 100/1d"]]
    health.missingRights = ["mget", "evalsha"]
    #expect(
      FleetCheck.findings(of: health, try Self.settings()).dropFirst() == [
        Finding(
          .fleet, "settings", .warning,
          "machines have different limits for coingecko, 30/1m and 5/1m, 100/1d: all keep to all of them"),
        Finding(
          .fleet, "rights", .warning, "the user may not run mget, evalsha: see docs/fleet.md for its rights"),
      ])
  }

  @Test(
    arguments: [
      (FleetFault.silent(.milliseconds(250)), nil), (.broken("Couldn't connect to server"), nil),
      (
        .refused(RESPFault("NOAUTH Authentication required.")),
        "export BITPAL_REDIS_PASSWORD_FILE=$HOME/.config/bitpal/redis-password"
      ),
    ] as [(FleetFault, String?)])
  func `One that cannot be used is a warning, with what follows from it`(fault: FleetFault, fix: String?) throws {
    let finding = FleetCheck.finding(of: fault, try Self.settings())
    #expect(
      finding
        == Finding(
          .fleet, "redis", .warning,
          "rediss://cache.example, \(fault.message); this machine keeps to its share of each budget, 1 of 4", fix: fix))
  }
}
