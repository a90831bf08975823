import FoundationEssentials
import Glibc

/// Writes the demo recording: a simulated market in CoinGecko's wire format, the same bytes for the same seed.
///
/// Everything in the output comes from whole numbers and `Decimal`, so that no machine's floating point, clock, locale
/// or hash order can change a byte.
@main
enum SimulateMarket {
  static func main() {
    switch Arguments.parse(Array(CommandLine.arguments.dropFirst())) {
    case .help:
      print(Arguments.usage)
    case .wrong(let message):
      complain(message + " (see simulate-market --help)")
      exit(2)
    case .run(let directory, let seed):
      do {
        let recording = try Recording(market: Market(seed: seed), seed: seed)
        let bytes = try recording.write(to: directory)
        print("\(directory): \(recording.exchanges.count) exchanges, \(bytes) bytes")
      } catch {
        complain("\(error)")
        exit(1)
      }
    }
  }

  private static func complain(_ message: String) {
    let line = Array("simulate-market: \(message)\n".utf8)
    _ = Glibc.write(STDERR_FILENO, line, line.count)
  }
}
