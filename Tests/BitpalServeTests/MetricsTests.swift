import Testing

@testable import BitpalServe

@Suite struct `Metrics of a server` {
  @Test func `The state of a fleet's server is reported, and left out without a fleet`() {
    let metrics = Metrics()
    #expect(!metrics.text(connections: 0, fleet: nil).contains("fleet"))
    let fleet = Metrics.Fleet(isUp: false, succeeded: 12, failed: 3, openings: 2)
    let lines = metrics.text(connections: 0, fleet: fleet).split(separator: "\n").filter {
      $0.hasPrefix("bitpal_fleet")
    }
    #expect(
      lines == [
        "bitpal_fleet_up 0", "bitpal_fleet_requests_total{outcome=\"ok\"} 12",
        "bitpal_fleet_requests_total{outcome=\"failed\"} 3", "bitpal_fleet_breaker_openings_total 2",
      ])
    let up = Metrics.Fleet(isUp: true, succeeded: 0, failed: 0, openings: 0)
    #expect(metrics.text(connections: 0, fleet: up).contains("\nbitpal_fleet_up 1\n"))
  }
}
