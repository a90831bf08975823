import BitpalModel
import Testing

@testable import fleet_simulation

@Suite struct `A simulated fleet` {
  @Test func `placeholder`() {}
}
