/// What the command line asks for.
enum Arguments {
  case help
  case wrong(String)
  case run(directory: String, seed: UInt64)

  /// The seed of the recording in the repository.
  static let defaultSeed: UInt64 = 7

  static let usage = """
    usage: simulate-market OUTPUT_DIR [--seed N]

    Writes OUTPUT_DIR/recording.har and OUTPUT_DIR/bodies/: a simulated market of
    2025-01-15T10:30:00Z in CoinGecko's wire format. The same seed gives the same bytes.

      --seed N      another market (default \(defaultSeed), the one in Fixtures/market)
      -h, --help    this text
    """

  static func parse(_ arguments: [String]) -> Arguments {
    var directory: String?
    var seed = defaultSeed
    var optionsEnded = false
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if optionsEnded || !argument.hasPrefix("-") || argument == "-" {
        guard directory == nil else { return .wrong("one OUTPUT_DIR is enough, \"\(argument)\" is another") }
        directory = argument
      } else if argument == "--" {
        optionsEnded = true
      } else if argument == "-h" || argument == "--help" {
        return .help
      } else if argument == "--seed" || argument.hasPrefix("--seed=") {
        let text = argument == "--seed" ? rest.popFirst() : String(argument.dropFirst("--seed=".count))
        guard let text else { return .wrong("--seed wants a number") }
        guard let number = UInt64(text) else { return .wrong("--seed wants a whole number from 0, not \"\(text)\"") }
        seed = number
      } else {
        return .wrong("unknown option \"\(argument)\"")
      }
    }
    guard let directory, !directory.isEmpty else { return .wrong("OUTPUT_DIR is missing") }
    return .run(directory: directory, seed: seed)
  }
}

/// A mistake in the generator's own tables, or a file that cannot be written.
struct SimulationError: Error, CustomStringConvertible {
  let message: String

  var description: String { message }
}
