import BitpalConfig
import BitpalFiles
import BitpalModel
import BitpalQueries

/// The names that other tools give to commands and options, and what is typed here instead.
///
/// Nothing of it is accepted: a line with such a name is refused with the whole line that was probably meant.
enum OtherTools {
  /// A line of a table: names, and what is typed instead of one of them, the most probable first.
  struct Entry {
    let names: [Substring]
    let meanings: [[String]]
  }

  /// The commands: the names of commands, and the words that are typed instead.
  ///
  /// `{1}` is the word after the name, and takes the place of all words after it.
  static let commandText = """
    quote, get, spot, ticker, tickers, rate, ask: price
    markets, market, trending, coins, movers, gainers, losers, rank, ranking, caps: top
    compare, graph, plot, sparkline, candle, candles, ohlc, ohlcv, kline, klines: chart
    info, show, detail, details, describe, about, view, stats: coin
    closes, historical, hist, eod: history
    conv, calc, exchange, fx: convert
    find, lookup, grep, which, symbol, symbols: search
    tui, live, monitor, tail, dashboard, ui, alert, alerts, alarm, notify: watch {1} | watch
    stream: watch {1} --format jsonl
    bar, waybar, polybar, prompt: status
    ls, favorites, favourites, favs, starred: watchlist
    follow, track, star, fav: watchlist add
    unfollow, untrack, unstar: watchlist remove
    positions, assets, allocation: portfolio holdings
    balance, balances, networth, worth, wallet, total: portfolio summary
    trades, orders, activity, tx, txs: portfolio transactions
    pnl, profit, tax, taxes: portfolio gains
    performance, perf, roi: portfolio returns
    ui-server, server, daemon, api, http, web-server: serve
    open, browse, browser, web, www, gui: serve --open
    demo, example, examples, sample, try: -p fixture btc eth sol
    sources, source, exchanges, backends, apis: providers list
    settings, preferences, prefs: config show
    setup, configure, wizard: config init
    auth, login, key, keys, apikey, api-key, diagnose, diagnostics, health, selftest: doctor
    update, sync, fetch, reload, pull: price {1} --refresh | price --refresh
    reset, purge, clean, flush: cache clear
    completions, autocomplete: completion
    options, flags: help options
    commands, usage, man, manual, news, changelog: help
    portfolio add, portfolio record: buy
    portfolio buy: buy
    portfolio sell: sell
    portfolio show, portfolio value, portfolio report, portfolio status, portfolio total, portfolio balance: portfolio summary
    portfolio view, portfolio overview, portfolio stats, portfolio worth, portfolio get: portfolio summary
    portfolio positions, portfolio allocation, portfolio assets, portfolio coins: portfolio holdings
    portfolio history, portfolio log, portfolio tx, portfolio txs, portfolio trades, portfolio activity: portfolio transactions
    portfolio performance, portfolio perf, portfolio return, portfolio roi: portfolio returns
    portfolio pnl, portfolio profit, portfolio tax, portfolio taxes, portfolio realized: portfolio gains
    portfolio graph, portfolio plot, portfolio value-history: portfolio chart
    portfolio ls, portfolio all: portfolio list
    portfolio new, portfolio create, portfolio init: buy 1 btc --price close --portfolio {1} --create
    portfolio rm, portfolio del: portfolio remove
    portfolio csv, portfolio dump, portfolio save: portfolio export
    portfolio load, portfolio upload: portfolio import
    watchlist ls, watchlist show, watchlist view: watchlist list
    watchlist rm, watchlist del, watchlist delete: watchlist remove
    watchlist import, watchlist new, watchlist create: watchlist add
    providers ls, providers all: providers list
    providers search, providers which, providers for: providers find
    providers info, providers get, providers describe: providers show
    providers test, providers validate, providers lint: providers check
    providers add, providers create, providers init: providers new
    providers diff: providers compare
    providers use, providers set, config provider, config use: config set provider
    imports ls, imports show, imports all: imports list
    imports add, imports create: imports new
    cache show, cache info, cache status, cache ls, cache list, cache size: cache stats
    cache reset, cache purge, cache rm, cache delete, cache clean, cache flush: cache clear
    config ls, config list, config view, config all: config show
    config edit, config where, config file: config path
    config add, config put: config set
    config rm, config delete, config remove, config reset: config unset
    config create, config new: config init
    config validate, config lint, config test: config check
    config aliases: config alias
    widget get, widget print: widget show
    """

  /// The options, without dashes: their names, and what is typed instead.
  ///
  /// A meaning is taken when the line is right with it. `{}` is the value; `name=#` is the option with a number, which is
  /// `{}`, and `name=a*` with a value that begins so, whose rest is `{}`. `@chart` makes it a line of another command, where
  /// a command takes coins. A word that a command does not take has an empty name.
  static let optionText = """
    currency=euro currency=euros currency=€: --currency eur
    currency=dollar currency=dollars currency=$: --currency usd
    currency=pound currency=pounds currency=£: --currency gbp
    currency=yen currency=¥: --currency jpy
    currency=franc currency=francs: --currency chf
    fiat vs vs-currency vs_currency vs-currencies vs_currencies convert-to quote in unit cur base target: --currency {}
    colour colors: --color {}
    color=yes color=true color=on color=1: --color always
    color=no color=false color=off color=0 color=none: --color never
    no-colour nocolor nocolour monochrome plain: --no-color
    decimals precision places round scale: --digits {}
    source sources exchange market api backend service via: -p {}
    no-cache nocache skip-cache force fresh live update: --refresh
    cached cache-only no-network: --offline
    debug trace: --verbose
    silent: --quiet
    timezone time-zone zone: --tz {}
    lang language: --locale {}
    conf cfg profile: --config {}
    max-time=# connect-timeout=#: --timeout {}s
    o=*.svg output=*.svg out=*.svg file=*.svg save=*.svg export=*.svg format=*.svg: --svg {}.svg
    o=*.png output=*.png out=*.png file=*.png save=*.png format=svg format=png o=svg: --svg {}.svg | --svg picture.svg
    o=*.csv output=*.csv out=*.csv file=*.csv save=*.csv export=*.csv: --csv
    o=*.json output=*.json out=*.json file=*.json save=*.json: --json
    format=ndjson o=ndjson output=ndjson format=jsonlines: --format jsonl
    format=text format=plain format=human format=pretty o=text output=text o=wide: --format table
    format=tsv format=excel format=xlsx: --csv
    format=bean: --format beancount
    o output out as output-format: --format {}
    ndjson jsonl jsonlines: --format jsonl
    table human pretty text: --rows | --format table
    ledger: --format ledger
    hledger: --format hledger
    beancount bean: --format beancount
    waybar: --format waybar
    raw: --csv
    days=# d=# last=#: --range {}d | --from {}d | @chart --range {}d
    weeks=# w=#: --range {}w | --from {}w | @chart --range {}w
    hours=#: --range {}h | @chart --range {}h
    years=# y=#: --range {}y | --from {}y | @chart --range {}y
    months=1: --range 1M | @chart --range 1M
    months=3: --range 3M | @chart --range 3M
    months=6: --range 6M | @chart --range 6M
    months=12: --range 1Y | @chart --range 1Y
    days range period span window duration last time-range: --range {} | --range {}d | --from {} | @chart --range {}
    max all-time ever: --range MAX | @chart --range MAX
    ytd: --range YTD | @chart --range YTD
    interval=# every=# refresh-interval=# period=# delay=# limit=# sleep=# poll=#: --every {}s | --candle {}m
    interval every refresh-interval delay poll: --every {} | --candle {} | @watch --every {} | @chart --candle {}
    timeframe granularity resolution bucket step candle tf: --candle {} | @chart --candle {}
    date on at @ day when as-of asof: --on {} | --date {} | --price {} | @history --on {}
    start since begin after start-date from-date startdate date_from: --from {} | @history --from {}
    end until before end-date to-date enddate date_to: --to {}
    from: @history --from {} | {}
    to: {} | --currency {}
    amount qty quantity size: {}
    candlestick candlesticks candles candle ohlc ohlcv: --type candle | --ohlc | @chart --type candle
    type=candles type=candlestick type=candlesticks type=ohlc type=bar type=bars: --type candle
    type=lines type=area type=linear: --type line
    line: --type line
    volume full: --ohlc
    svg png picture image: @chart --svg {}
    chart graph plot: @chart
    history: @history
    watch follow live stream: @watch
    info details detail: @coin
    compare with against: {}
    sparkline sparklines spark-line trend: --spark
    width-in-columns columns cols: --width {}
    lines: --height {}
    samples count max-points limit: --points {} | --limit {} | --count {}
    per-page per_page per page-size max number num first head results rows top: --limit {}
    all: --limit 250 | --range MAX | @top
    =#: --limit {} | --year {} | @convert {} | --listen 127.0.0.1:{} | --every {}s | --price {}
    =0.*: @convert 0.{}
    =20*: --on 20{} | @history --on 20{}
    =1d =7d =14d =30d =90d =24h =1w =1m =3m =6m =1y =ytd =max: --range {} | @chart --range {}
    once one-shot oneshot single: --count 1
    times iterations repeat: --count {}
    sort=-*: --sort {} --reverse
    sort=+*: --sort {}
    sort=market_cap sort=marketcap sort=mcap sort=cap sort=rank sort=market: --sort market-cap
    sort=24h sort=change_24h sort=change24h sort=percent sort=gain sort=gainers sort=performance: --sort change
    sort=losers: --sort change --reverse
    sort=symbol sort=alphabetical sort=coin sort=id: --sort name
    order=desc sort-order=desc order=descending: --reverse
    desc descending reversed invert: --reverse
    order sort-by sortby sort_by order-by orderby order_by: --sort {}
    portfolio-name account wallet name: --portfolio {}
    group-name tag category list: --group {}
    id ids coin coins symbol symbols tickers asset assets pair: {} | --coin {}
    ticker: {} | --coin {} | --symbol {}
    note memo comment description desc: --notes {} | --note {}
    fees commission: --fee {}
    cost rate per-unit unit-price each: --price {}
    value paid spent: --total {}
    time timestamp datetime: --date {}
    dry simulate preview test what-if: --dry-run
    y force assume-yes no-confirm: --yes
    strategy accounting order lot-method: --method {}
    lifo: --method lifo
    fifo: --method fifo
    hifo: --method hifo
    tax-year: --year {}
    format type exchange importer preset from: --as {}
    date-format dateformat: --dates {}
    charset: --encoding {}
    p=# port=# provider=#: --listen 127.0.0.1:{} | --port {}
    bind address addr: --listen {}
    browser web: --open
    cors origin allow-origins: --allow-origin {}
    fmt pattern: --template {}
    shell: {}
    """

  static let commands = entries(commandText, ", ")
  static let options = entries(optionText, " ")

  private static func entries(_ text: String, _ separator: String) -> [Entry] {
    text.split(separator: "\n").compactMap { line in
      guard let colon = line.firstRange(of: ": ") else { return nil }
      return Entry(
        names: line[..<colon.lowerBound].split(separator: separator),
        meanings: line[colon.upperBound...].split(separator: " | ").map { $0.split(separator: " ").map(String.init) })
    }
  }

  /// Returns whether another tool has a command of a name.
  static func has(command: String) -> Bool { commands.contains { $0.names.contains(command[...]) } }

  /// Returns the command that is meant by a group and what one of its commands takes: `watchlist btc`, `config currency eur`.
  ///
  /// - Parameter isLast: Whether nothing follows the word.
  static func member(of group: String, taking word: String, isLast: Bool) -> String? {
    switch group {
    case "watchlist" where WellKnownCoins.isKnown(word): "watchlist add \(word)"
    case "portfolio" where WellKnownCoins.isKnown(word): "portfolio transactions --coin \(word)"
    case "config" where PreferencesFile.keys.contains(word): "config \(isLast ? "get" : "set") \(word)"
    case "providers" where ShippedFiles.names(in: ShippedFiles.folder + "/providers")?.contains(word + ".yaml") == true:
      "providers show \(word)"
    default: nil
    }
  }

  /// Returns the lines that may be meant by one with the name of a command that is another tool's, with their commands.
  ///
  /// - Parameter meaning: The command that is typed instead; nil for that of the table.
  static func lines(
    _ typed: [String], command: String, meaning: String? = nil
  ) -> [(words: [String], command: [String])] {
    let known = commands.first { $0.names.contains(command[...]) }?.meanings ?? []
    let meanings = meaning.map { [$0.split(separator: " ").map(String.init)] } ?? known
    let words = command.split(separator: " ").map(String.init)
    return meanings.compactMap { meaning in
      guard let place = typed.firstIndex(of: words[0]), var line = removing(words, from: typed) else { return nil }
      let name = meaning.filter { $0 != "{1}" }
      if meaning.contains("{1}") {
        guard let first = line[place...].first(where: { !$0.hasPrefix("-") }) else { return nil }
        return (line[..<place] + meaning.map { $0 == "{1}" ? first : $0 }, name)
      }
      line.insert(contentsOf: meaning, at: place)
      return (line, name)
    }
  }

  /// Returns the lines that may be meant by one with an option, or a word, that is another tool's.
  ///
  /// - Parameters:
  ///   - typed: The line.
  ///   - index: The place of the option in it.
  ///   - name: Its name without dashes; empty for a word that is one too many.
  ///   - attached: The value in the same word; nil where a value is the next word.
  ///   - command: The command of the line, as far as it is known.
  ///   - isSpecific: Whether only the names with a certain value count, because others have a meaning here.
  static func lines(
    _ typed: [String], at index: Int, name: String, attached: String?, for command: CommandSpec?,
    isSpecific: Bool = false
  ) -> [[String]] {
    let value = attached ?? typed.dropFirst(index + 1).first
    return options.flatMap { entry in
      entry.names.flatMap { pattern -> [[String]] in
        let parts = pattern.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts[0] == name, parts.count == 2 || !isSpecific else { return [] }
        let part = value.flatMap { parts.count == 2 ? captured($0, by: parts[1]) : $0 }
        if parts.count == 2, part == nil { return [] }
        return entry.meanings.compactMap { meaning in
          let takesValue = parts.count == 2 || meaning.contains { $0.contains("{}") }
          guard part != nil || !takesValue else { return nil }
          var words = meaning.map { $0.replacing("{}", with: part ?? "") }
          var other: String?
          if words[0].hasPrefix("@") { other = String(words.removeFirst().dropFirst()) }
          var line = typed
          line.replaceSubrange(index...index + (takesValue && attached == nil ? 1 : 0), with: words)
          guard let other else { return line }
          guard let command, command.takesCoins else { return nil }
          return [other] + (removing(command.words, from: line) ?? line)
        }
      }
    }
  }

  /// Returns the part of a value that a pattern leaves open; nil for a value that it does not describe.
  private static func captured(_ value: String, by pattern: Substring) -> String? {
    if pattern == "#" { return value.first?.isNumber == true && Double(value) != nil ? value : nil }
    guard let star = pattern.firstIndex(of: "*") else { return value.lowercased() == pattern ? value : nil }
    let (start, end) = (pattern[..<star], pattern[star...].dropFirst())
    guard value.count > start.count + end.count, value.hasPrefix(start), value.hasSuffix(end) else { return nil }
    return String(value.dropFirst(start.count).dropLast(end.count))
  }

  /// Returns a line without the first of each of some words; nil where it lacks one.
  private static func removing(_ words: [String], from line: [String]) -> [String]? {
    var line = line
    for word in words {
      guard let index = line.firstIndex(of: word) else { return nil }
      line.remove(at: index)
    }
    return line
  }
}

/// The refusal of a line, with the lines that may be meant instead.
struct Refusal: Error {
  let message: String

  /// The hint where none of the lines is right.
  var hint: String?

  /// The word that was refused.
  var subject = ""

  /// The lines that may be meant, the most probable first.
  var lines: [[String]] = []

  /// A sentence after the line that is meant.
  var remark = ""

  /// Returns the error, with the first line that a command accepts.
  func error(of typed: [String], _ table: CommandTable) -> BitpalError {
    let line = Self.accepted(lines, of: typed, table, depth: 3)
    return .usage(message, hint: line.map { "did you mean \"\(Self.text($0))\"?\(remark)" } ?? hint)
  }

  /// Returns a line as it is typed in a shell.
  static func text(_ line: [String]) -> String { (["bitpal"] + line.map { "\(ShellWord($0))" }).joined(separator: " ") }

  /// Returns the first line that is right, or that is with another of its words replaced; nil for none.
  static func accepted(_ lines: [[String]], of typed: [String], _ table: CommandTable, depth: Int) -> [String]? {
    for line in lines {
      do {
        switch try Invocation.read(RawArguments(line, table: table), table, depth - 1) {
        case .nothing: continue
        case .run(let type, let arguments): _ = try type.init(arguments)
        case .help, .version: break
        }
        return line
      } catch let refusal as Refusal {
        // What a meaning itself has brought in is not replaced again.
        guard depth > 0, typed.contains(where: { $0.hasPrefix(refusal.subject) }) else { continue }
        if let better = accepted(refusal.lines, of: typed, table, depth: depth - 1) { return better }
      } catch {}
    }
    return nil
  }
}
