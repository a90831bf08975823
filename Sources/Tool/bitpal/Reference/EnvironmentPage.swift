import BitpalModel

/// The page `docs/environment.md`, with variables and exit codes.
struct EnvironmentPage {
  var text: String {
    """
    # Environment and exit status

    This page is made from the program by `make docs-cli`; `bitpal doctor` shows what is in force on your machine.

    ## Variables

    A flag goes before a variable, a variable before the settings file, the file before the defaults. A variable that is
    empty counts as not set, and a relative path in an `XDG_` variable is ignored.

    | variable | what it decides |
    | --- | --- |
    \(EnvironmentVariable.all.map { "| \(MarkdownText.code($0.name)) | \(MarkdownText.cell($0.meaning)) |" }.joined(separator: "\n"))

    ## Exit status

    | status | means |
    | --- | --- |
    \(ExitStatus.allCases.map { "| \($0.rawValue) | \($0.meaning) |" }.joined(separator: "\n"))

    ## Error codes

    With `--format json` every error has a `code`. The exit status is that of a command that fails as a whole for it.

    | code | exit status | means |
    | --- | --- | --- |
    \(ErrorCode.allCases.map { "| `\($0.rawValue)` | \(ExitStatus($0).rawValue) | \($0.meaning) |" }.joined(separator: "\n"))

    """
  }
}

/// A variable of the environment, and its meaning.
struct EnvironmentVariable: Sendable {
  let name: String
  let meaning: String

  /// All variables that bitpal reads.
  static let all: [EnvironmentVariable] = [
    .init("BITPAL_CONFIG", "settings file, as --config, which has precedence"),
    .init("BITPAL_PROVIDER", "provider to ask, as --provider; several, comma-separated, in order of fallback"),
    .init("BITPAL_CURRENCY", "currency of prices, as --currency"),
    .init("BITPAL_CACHE", "cache file, instead of cache.path of the settings"),
    .init("COINGECKO_API_KEY", "CoinGecko's key; other providers name their own variable under key_env"),
    .init("COINGECKO_API_KEY_FILE", "file that holds the key, readable only by you; so for every key variable"),
    .init("BITPAL_REDIS_PASSWORD", "password for the Redis of a fleet, fleet.redis of the settings"),
    .init("BITPAL_REDIS_PASSWORD_FILE", "file that holds that password, readable only by you"),
    .init("HOME", "your home folder, where the folders below lie by default"),
    .init("XDG_CONFIG_HOME", "folder of bitpal/config.yaml; ~/.config by default"),
    .init(
      "XDG_DATA_HOME", "folder of bitpal/bitpal.db, bitpal/WidgetData and bitpal/providers; ~/.local/share by default"),
    .init("XDG_STATE_HOME", "folder of bitpal/trusted-folders; ~/.local/state by default"),
    .init("XDG_DATA_DIRS", "folders of installed bitpal/providers; /usr/local/share:/usr/share by default"),
    .init("XDG_CACHE_HOME", "folder of bitpal/cache.db; ~/.cache by default"),
    .init("XDG_STATE_HOME", "folder of bitpal/budgets.db, the request budgets; ~/.local/state by default"),
    .init("TMPDIR", "where budgets.db is when HOME is not set, in a folder of your own; /tmp by default"),
    .init("COLUMNS", "how wide tables and charts on a terminal are, before what the terminal says"),
    .init("TZDIR", "the folder of the system's time zones, for --tz and timezone:"),
    .init("NO_COLOR", "no colour when it is set to anything; --color always goes before it"),
    .init("TERM", "no colour, and nothing that is redrawn in place, when it is dumb"),
    .init("https_proxy, http_proxy, all_proxy", "proxy to go through; the first and the last also in capitals"),
    .init("no_proxy, NO_PROXY", "hosts to reach without the proxy, with commas; * for all"),
  ]

  init(_ name: String, _ meaning: String) {
    self.name = name
    self.meaning = meaning
  }
}

extension ErrorCode {
  /// The meaning of the code, for the reference.
  var meaning: String {
    switch self {
    case .notFound: "no coin has that id, alias or symbol"
    case .ambiguous: "several coins have that symbol; use an id or an alias"
    case .noPrice: "the source knows the coin and has no price for it"
    case .notRecorded: "the recording has no answer to the question"
    case .noData: "the source has nothing in the time asked for"
    case .unsupported: "the provider cannot do that; the message names those that can"
    case .unsupportedCurrency: "the source does not answer in that currency"
    case .rateLimited: "the request budget is used up, here or at the source"
    case .coolingDown: "the source has just failed, and is not asked for a while"
    case .unauthorized: "the source refuses the key, or wants one"
    case .planLimit: "the plan of the key does not reach that far"
    case .refused: "the source answered with an error"
    case .network: "the source could not be reached"
    case .timedOut: "the time allowed ran out"
    case .sourcesDisagree: "too few of the sources under agree: have the same price; the message has all of theirs"
    case .offline: "nothing is cached, and --offline forbids to ask"
    case .unreadable: "the source sent something that cannot be read"
    case .plugin: "the program that speaks for the source broke a rule, or ended"
    case .recordingDamaged: "a recording cannot be read"
    case .configuration: "the settings or a provider file are wrong"
    case .untrusted: "the settings of this folder are not trusted, and get nothing of the portfolio"
    case .usage: "the command line is wrong"
    case .dataFile: "a file of yours cannot be read or written"
    }
  }
}
