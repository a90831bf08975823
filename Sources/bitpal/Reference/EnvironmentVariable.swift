/// A variable of the environment and what it decides.
struct EnvironmentVariable: Sendable {
  let name: String
  let meaning: String

  /// All that bitpal reads.
  static let all: [EnvironmentVariable] = [
    .init("BITPAL_CONFIG", "settings file to use, as --config; what --config names goes before it"),
    .init("BITPAL_PROVIDER", "source to ask, as --provider; several with commas are an order of fallback"),
    .init("BITPAL_CURRENCY", "currency of prices, as --currency"),
    .init("BITPAL_CACHE", "cache file, instead of cache.path of the settings"),
    .init("COINGECKO_API_KEY", "CoinGecko's key; other providers name their own variable under key_env"),
    .init("COINGECKO_API_KEY_FILE", "file that holds the key, readable by nobody else; so for every key variable"),
    .init("HOME", "your home folder, where the folders below lie by default"),
    .init("XDG_CONFIG_HOME", "folder of bitpal/config.yaml; ~/.config by default"),
    .init(
      "XDG_DATA_HOME", "folder of bitpal/bitpal.db, bitpal/WidgetData and bitpal/providers; ~/.local/share by default"),
    .init("XDG_STATE_HOME", "folder of bitpal/trusted-folders; ~/.local/state by default"),
    .init("XDG_DATA_DIRS", "folders of installed bitpal/providers; /usr/local/share:/usr/share by default"),
    .init("XDG_CACHE_HOME", "folder of bitpal/cache.db; ~/.cache by default"),
    .init("XDG_STATE_HOME", "folder of bitpal/budgets.db, the request budgets; ~/.local/state by default"),
    .init("TMPDIR", "where budgets.db is when HOME is not set, in a folder of your own; /tmp by default"),
    .init("NO_COLOR", "no colour when it is set to anything; --color always goes before it"),
    .init("TERM", "no colour when it is dumb"),
    .init(
      "LC_ALL, LC_CTYPE, LANG",
      "read by doctor alone, to say whether the locale is UTF-8; numbers and dates never change"),
    .init("https_proxy, http_proxy, all_proxy", "proxy to go through; the first and the last also in capitals"),
    .init("no_proxy, NO_PROXY", "hosts to reach without the proxy, with commas; * for all"),
  ]

  init(_ name: String, _ meaning: String) {
    self.name = name
    self.meaning = meaning
  }
}
