import BitpalModel
import BitpalService
import FoundationEssentials

/// The options everywhere, with their meaning.
struct GlobalOptions: Sendable {
  let config: String?
  let provider: String?
  let currency: String?
  let format: OutputFormat
  let now: Date?
  let timeout: Duration?
  let policy: FetchPolicy
  let color: ColorChoice
  let isQuiet: Bool
  let isVerbose: Bool

  /// Reads the values.
  ///
  /// - Throws: ``BitpalError/usage(_:hint:)`` for a value that is none, or for options that contradict each other.
  init(_ raw: RawArguments) throws(BitpalError) {
    config = raw.value(.config)
    provider = raw.value(.provider)
    currency = raw.value(.currency)
    format = raw.value(.format).flatMap(OutputFormat.init(rawValue:)) ?? .table
    color = raw.value(.color).flatMap(ColorChoice.init(rawValue:)) ?? .auto
    isQuiet = raw.has(.quiet)
    isVerbose = raw.has(.verbose)
    now = try raw.value(.now).map { text throws(BitpalError) in
      guard let instant = Date(utcText: text) else {
        throw .usage("--now: \"\(text)\" is not an instant", hint: "write it like 2025-01-15T10:30:00Z")
      }
      return instant
    }
    timeout = try raw.value(.timeout).map { text throws(BitpalError) in
      guard let duration = Duration(unitText: text), duration > .zero else {
        throw .usage("--timeout: \"\(text)\" is not a duration above zero", hint: "write it like 15s, 500ms or 1m")
      }
      return duration
    }
    switch (raw.has(.offline), raw.has(.refresh)) {
    case (true, true):
      throw .usage("--offline and --refresh contradict each other", hint: "give one of them")
    case (true, false): policy = .offline
    case (false, true): policy = .refresh
    case (false, false): policy = .normal
    }
  }
}
