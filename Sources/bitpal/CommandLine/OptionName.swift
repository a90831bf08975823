/// The long name of an option of the command line.
///
/// There is one list for all commands. An option may stand before the command, so whether it takes a value must not
/// depend on the command that follows.
enum OptionName: String, CaseIterable, Sendable {
  case config
  case provider
  case currency
  case format
  case errors
  case now
  case offline
  case refresh
  case timeout
  case wait
  case timeZone = "tz"
  case digits
  case color
  case quiet
  case verbose
  case help
  case version
  case sort
  case range
  case type
  case candle
  case ohlc
  case svg
  case width
  case height
  case points
  case ascii
  case rows
  case spark
  case on
  case from
  case to
  case missing
  case forFile = "for"
  case price
  case date
  case asImport = "as"
  case dates
  case decimal
  case map
  case value
  case fee
  case notes
  case label
  case total
  case year
  case method
  case commodity
  case account
  case portfolio
  case create
  case all
  case yes
  case dryRun = "dry-run"
  case allowCode = "allow-code"
  case amount
  case coin
  case size
  case limit
  case every
  case count
  case template
  case fromURL = "from-url"
  case fromFile = "from-file"
  case symbol
  case ask
  case header
  case plugin
  case replace
  case remove
  case append
  case accept
  case acceptDamage = "accept-damage"
  case acceptPrices = "accept-prices"
  case check
  case budgets
  case fleet
  case listen
  case host
  case allowOrigin = "allow-origin"
  case tokenFile = "token-file"
  case maxStale = "max-stale"
  case record
  case readyFD = "ready-fd"
  case open
  case port

  /// The full spelling of the option: `--range`.
  var spelling: String { "--" + rawValue }
}
