import Bitpal
import BitpalJSON
import BitpalModel
import BitpalQueries
import FoundationEssentials

/// The values of the options that every command takes.
struct GlobalOptions: Sendable {
  /// The path of the settings file; nil for the one that is found.
  let config: String?

  /// The name of the source to ask, instead of the configured ones.
  let provider: String?

  /// The currency code as it was typed, in upper or lower case; of several the first.
  let currency: String?

  /// The further currencies of a command that shows several, in lower case.
  let otherCurrencies: [String]
  let format: OutputFormat

  /// The form of failures and warnings on standard error.
  let errors: ErrorForm

  /// The instant that replaces the time of day; nil for the system's clock.
  let now: Date?

  /// The longest time to wait for the network, above zero; nil for the default.
  let timeout: Duration?

  /// The longest time to wait for a budget of requests; nil for the default.
  let wait: Duration?

  /// The policy that decides whether a source is asked: never, as needed, or always.
  let policy: FetchPolicy

  /// The name of the time zone of tables, as it was typed; nil for that of the settings.
  let timeZone: String?

  /// The marks of numbers in tables by `--locale`; nil without it.
  let marks: DigitMarks?

  /// The number of decimals of prices; nil for as many as they have.
  let digits: Int?
  let color: ColorChoice

  /// Whether warnings and notices are suppressed.
  let isQuiet: Bool

  /// Whether each step of an answer is traced on standard error.
  let isVerbose: Bool

  /// The spellings and descriptions of the options.
  static let specs = [
    ParameterSpec("config", .text("FILE"), "settings file", short: "c"),
    ParameterSpec("provider", .text("NAME"), "provider to ask instead of the configured one", short: "p"),
    ParameterSpec("currency", .text("CODE"), "currency of prices, such as usd or eur"),
    ParameterSpec(
      "format", .choice(OutputFormat.allCases.map(\.rawValue)), "format of the output (table)", short: "f"),
    ParameterSpec("json", .flag, "short for --format json", short: "j"),
    ParameterSpec("csv", .flag, "short for --format csv"),
    ParameterSpec(
      "errors", .choice(ErrorForm.allCases.map(\.rawValue)), "format of failures and warnings on standard error"),
    ParameterSpec("now", .text("TIME"), "set the clock to TIME, such as 2025-01-15T10:30Z"),
    ParameterSpec("offline", .flag, "answer from the cache only, however old"),
    ParameterSpec("refresh", .flag, "ask the source even if the cache has an answer"),
    ParameterSpec("timeout", .text("DURATION"), "longest wait for the network (15s)"),
    ParameterSpec(
      "wait", .text("DURATION"),
      "longest wait for a used-up request budget; 0s: none (65s on a terminal, otherwise 2s)"),
    ParameterSpec("tz", .text("ZONE"), "time zone of tables, days and times, such as Europe/Berlin (UTC)"),
    ParameterSpec("locale", .text("NAME"), "marks of numbers in tables, such as de_DE (that of LC_ALL or LC_NUMERIC)"),
    ParameterSpec("digits", .text("N"), "decimals of prices, 0 to 18 (2, or five significant ones below 10)"),
    ParameterSpec("color", .choice(ColorChoice.allCases.map(\.rawValue)), "use colour; auto does on terminals only"),
    ParameterSpec("no-color", .flag, "short for --color never"),
    ParameterSpec("quiet", .flag, "print errors only, no warnings", short: "q"),
    ParameterSpec("verbose", .flag, "trace each answer on standard error", short: "v"),
    ParameterSpec("help", .flag, "show help", short: "h"),
    ParameterSpec("version", .flag, "show the version", short: "V"),
  ]

  /// The options that are short for another with a value.
  static let shortened: [String: (name: String, value: String?)] = [
    "json": ("format", "json"), "csv": ("format", "csv"), "no-color": ("color", "never"),
  ]

  /// Reads the values.
  ///
  /// - Throws: ``BitpalError/usage(_:hint:)`` for a value that cannot be read, or for options that contradict each
  ///   other.
  init(_ raw: RawArguments) throws(BitpalError) {
    config = raw["config"]
    let providers = raw.values("provider").distinct
    provider = providers.isEmpty ? nil : providers.joined(separator: ",")
    let currencies = raw.list("currency")
    let first = currencies.first ?? raw["currency"]
    currency = first
    let others = try currencies.dropFirst().map { text throws(BitpalError) in
      guard let code = Currency.normalized(text) else { throw .usage("--currency: \(Currency.problem(of: text))") }
      return code
    }
    otherCurrencies = others.distinct.filter { $0 != first?.lowercased() }
    format = raw["format"].flatMap(OutputFormat.init(rawValue:)) ?? .table
    errors = raw["errors"].flatMap(ErrorForm.init(rawValue:)) ?? .text
    color = raw["color"].flatMap(ColorChoice.init(rawValue:)) ?? .auto
    timeZone = raw["tz"]
    marks = try raw["locale"].map { name throws(BitpalError) in
      guard let marks = DigitMarks.of(locale: name) else {
        throw .usage("--locale: \"\(name)\" is not a known locale", hint: "write it like de_DE, fr_CH or en")
      }
      return marks
    }
    digits = try raw["digits"].map { text throws(BitpalError) in
      guard let digits = Int(text), NumberFormat.digitsRange.contains(digits) else {
        throw .usage("--digits: \"\(text)\" is not a whole number from 0 to 18", hint: "write it like --digits 2")
      }
      return digits
    }
    isQuiet = raw.has("quiet")
    isVerbose = raw.has("verbose")
    now = try raw["now"].map { text throws(BitpalError) in
      guard let instant = Date(utcText: text) else {
        throw .usage("--now: \"\(text)\" is not an instant", hint: "write it like 2025-01-15T10:30:00Z")
      }
      return instant
    }
    timeout = try raw["timeout"].map { text throws(BitpalError) in
      guard let duration = Duration(unitText: text), duration > .zero else {
        throw .usage("--timeout: \"\(text)\" is not a duration above zero", hint: "write it like 15s, 500ms or 1m")
      }
      return duration
    }
    wait = try raw["wait"].map { text throws(BitpalError) in
      guard let duration = Duration(unitText: text) else {
        throw .usage("--wait: \"\(text)\" is not a duration", hint: "write it like 65s, 10m or 0s")
      }
      return duration
    }
    switch (raw.has("offline"), raw.has("refresh")) {
    case (true, true):
      throw .usage("--offline and --refresh contradict each other", hint: "give one of them")
    case (true, false): policy = .offline
    case (false, true): policy = .refresh
    case (false, false): policy = .normal
    }
  }

  /// Returns the longest time to wait for a used-up budget.
  ///
  /// At a terminal a command waits a little longer than the window of most budgets instead of failing. Elsewhere it
  /// waits for a moment, because a script that loops over a source of ten requests per second must not fail for
  /// milliseconds.
  ///
  /// - Parameter isAttended: Whether there is a terminal.
  func patience(isAttended: Bool) -> Duration {
    wait ?? (isAttended ? .seconds(65) : min(Deadline.brief, timeout ?? Deadline.standard))
  }
}

/// The condition under which output is coloured.
enum ColorChoice: String, CaseIterable, Sendable {
  /// Colour on a terminal, unless `NO_COLOR` is set or the terminal is dumb.
  case auto
  case always
  case never
}

/// The format of failures and warnings on standard error.
enum ErrorForm: String, CaseIterable, Sendable {
  /// Sentences.
  case text

  /// One JSON object per line, for programs.
  case json
}

/// The format of answers.
enum OutputFormat: String, CaseIterable, Sendable {
  /// Aligned columns for people.
  case table

  /// One indented JSON object.
  case json

  /// One JSON object per row, each on its own line.
  case jsonl

  /// A header line, and one line per row.
  case csv
}
