import BitpalModel
import BitpalTesting
import FoundationEssentials
import TestFleet
import TestSupport
import Testing

@testable import BitpalFleet

@Suite(.enabled(if: TestFleet.address != nil)) struct `Locks between machines` {
  private let folder: TemporaryFolder
  private let name = String(UInt64.random(in: .min ... .max), radix: 36)
  private let keys = ["bitcoin", "ethereum"].map { AnswerKey(provider: "p", kind: .quote, coin: $0, currency: "usd") }

  init() throws {
    folder = try TemporaryFolder()
  }

  private func lock() throws -> FleetFlightLock {
    let machine = try #require(TestFleet.machine(in: folder.path, named: name) { Issue.record("\($0)") })
    return FleetFlightLock(machine.fleet, local: nil, time: SystemTime())
  }

  @Test func `are held by one, all of a question or none, until they are let go`() async throws {
    var hold = try await lock().lock(keys, patience: .zero)
    #expect(hold != nil)
    #expect(try await lock().lock([keys[1]], patience: .milliseconds(60)) == nil)
    let waiting = Task { [keys] in try await lock().lock(keys, patience: .seconds(10)) != nil }
    try await TestFleet.pass(.milliseconds(80))
    withExtendedLifetime(hold) {}
    hold = nil
    #expect(try await waiting.value)
  }

  @Test func `are free after a while when their holder has died`() async throws {
    let (fleet, _) = try #require(TestFleet.machine(in: folder.path, named: name) { Issue.record("\($0)") })
    let names = keys.map(fleet.keys.flight)
    _ = try fleet.perform { connection throws(FleetFault) in
      try connection.run(FleetScripts.lock, keys: names, ["dead", "3000"]).integer
    }
    #expect(try await lock().lock(keys, patience: .milliseconds(50)) == nil)
    #expect(try await lock().lock(keys, patience: .seconds(20)) != nil)
  }

  @Test func `are not let go by anybody else`() async throws {
    let hold = try await lock().lock(keys, patience: .zero)
    let (fleet, _) = try #require(TestFleet.machine(in: folder.path, named: name) { Issue.record("\($0)") })
    let names = keys.map(fleet.keys.flight)
    _ = try fleet.perform { connection throws(FleetFault) in
      try connection.run(FleetScripts.unlock, keys: names, ["somebody"]).integer
    }
    #expect(try await lock().lock(keys, patience: .zero) == nil)
    withExtendedLifetime(hold) {}
  }
}
