/// The settings file that `bitpal config init` writes.
package enum ConfigTemplate {
  /// The text of the file: the most common settings are active, the others are explained and commented out with their
  /// defaults.
  package static let text = """
    # Settings of bitpal. Lines that begin with # are comments; remove the # to use one.
    # `bitpal config check` finds mistakes, `bitpal config show` prints what is in force and where it came from.

    bitpal: 1                      # the version of this format

    # Where prices come from; `bitpal providers` lists what there is.
    # A list is an order of fallback: [coingecko, coinpaprika]
    provider: coingecko

    # What prices are expressed in.
    currency: usd

    # The providers of exchange rates, for prices in a currency that the provider lacks; none for no conversion.
    # convert: [ecb]

    # By whose clocks tables show times and days begin; JSON and CSV are in UTC whatever stands here.
    # timezone: Europe/Berlin

    # Short names for coins: ticker → CoinGecko's id, as `bitpal search` prints it.
    aliases:
      btc: bitcoin
      eth: ethereum
      sol: solana

    # A folder with provider files of your own, relative to this file.
    # providers_dir: providers

    # The interval at which `bitpal watch` refreshes; at least 10s.
    # refresh: 30s

    # cache:
    #   path: default              # $XDG_CACHE_HOME/bitpal/cache.db
    #   memory: 16MiB
    #   disk: 64MiB
    #   max_stale: 7d              # how old an answer may be served when the source fails
    #   while_renewing: 10s        # how long an expired answer is served, marked, while it is fetched again
    #   ttl: { quotes: 60s, detail: 5m, coin_list: 7d }

    # Several machines behind one address or one key share answers and budgets on a Redis; docs/fleet.md says how.
    # Its password belongs into the variable BITPAL_REDIS_PASSWORD, or its file's name into BITPAL_REDIS_PASSWORD_FILE.
    # fleet:
    #   redis: rediss://cache.example:6379/0
    #   members: 4                 # how many machines there are at most

    # chart:
    #   default_type: line         # or candle
    #   default_range: 1D          # one of 15M 1H 4H 1D 1W 1M 3M 6M YTD 1Y 5Y MAX, or of your own:
    #   ranges:
    #     2Y: { window: 730d, points: 104, candle: 7d, ttl: 1h }

    # With a key from CoinGecko, put it into the variable COINGECKO_API_KEY (or its file's name into
    # COINGECKO_API_KEY_FILE), never into this file. Of one that is paid for say so:
    # providers:
    #   coingecko: { tier: pro }

    """
}
