import BitpalModel
import Glibc

/// Prints the load of fleets of 10 to 10,000 machines, in Markdown; `make simulation` runs it, docs/fleet.md has its tables.
@main
enum FleetSimulation {
  private static let usage = """
    usage: fleet-simulation [--seed N] [--minutes N]

    Simulates fleets on a clock of its own. The same seed gives the same tables.

      --seed N       other random numbers (default 1)
      --minutes N    measure so many minutes of 10 million users (default 1)
    """

  static func main() async {
    var (seed, minutes) = (UInt64(1), UInt64(1))
    var arguments = CommandLine.arguments.dropFirst()
    while let option = arguments.popFirst() {
      let number = arguments.popFirst().flatMap { UInt64($0) }
      switch (option, number) {
      case ("--seed", let number?): seed = number
      case ("--minutes", let number?) where 1...60 ~= number: minutes = number
      case ("-h", _), ("--help", _): return print(usage)
      default:
        print(usage)
        exit(2)
      }
    }
    print("Seed \(seed).\n\n### One hot coin expires\n")
    await ResultTable.hotExpiry.printRows(hotExpiries(seed: seed))
    print("\n### 10 million users, \(minutes) min\n")
    await ResultTable.users.printRows(crowds(seed: seed, measured: .seconds(60 * minutes)))
  }

  /// One coin on all machines, directly and behind relays, by the settings that make a difference.
  private static func hotExpiries(seed: UInt64) -> [Scenario] {
    [nil, 50].flatMap { behindRelay in
      [10, 100, 1_000, 10_000].flatMap { machines in
        [(false, Duration.zero), (true, .zero), (true, .seconds(10))].map { hasJitter, whileRenewing in
          Scenario.hotExpiry(
            machines: machines, behindRelay: behindRelay, hasJitter: hasJitter, whileRenewing: whileRenewing, seed: seed
          )
        }
      }
    }
  }

  /// Many users, who ask the machines directly and behind relays.
  private static func crowds(seed: UInt64, measured: Duration) -> [Scenario] {
    [30, 500].flatMap { perMinute in
      [(10, nil), (100, nil), (1_000, nil), (1_000, 50)].map { machines, behindRelay in
        Scenario.users(
          machines: machines, behindRelay: behindRelay, perMinute: perMinute, measured: measured, seed: seed)
      }
    }
  }
}
