import Bitpal
import BitpalConfig
import BitpalModel
import BitpalOutput
import BitpalPortfolio
import BitpalProviders
import BitpalQueries
import FoundationEssentials

/// The `bitpal history COIN…` command, which shows daily closes.
struct HistoryCommand: Command {
  static let name = "history"
  static let spec = CommandSpec(
    name, "daily closes, for tables and plain-text accounting", operands: .any("COIN"),
    options: HistoryQuery.parameters + [
      ParameterSpec(
        "missing", .choice(HistoryQuery.Missing.allCases.map(\.rawValue)), "treatment of days without a close"),
      ParameterSpec(
        "for", .text("FILE"), "print the prices that a journal needs, instead of COIN; - for standard input"),
      ParameterSpec("only", .text("NAMES"), "of a journal, only these commodities, separated by commas"),
      ParameterSpec("except", .text("NAMES"), "of a journal, not these commodities"),
      ParameterSpec("check", .flag, "compare the prices in the journal with the source, and show what differs"),
      ParameterSpec("tolerance", .text("PERCENT"), "difference from which --check shows a price (2)"),
      ParameterSpec(
        "format", .choice(OutputFormat.allCases.map(\.rawValue) + PriceDirectives.Format.allCases.map(\.rawValue)),
        "format of the output; the last three are price directives", short: "f"),
      .commodity,
    ],
    isQuestion: true,
    details: [
      "A day is a day in UTC, and its close is the last price in it. A day that has not ended has no close. A day "
        + "before the first of the source is refused with the date of the first, unless --missing skip is given, which "
        + "says on standard error which days were left out, and why.",
      "A day on which the market was closed is not a failure, but a note. With --missing skip other days without a "
        + "close are left out as well; with --missing previous the last close of up to a week before stands in, and "
        + "JSON and CSV name its day. A source that fails, a limit and an unknown name are failures all the same.",
      "--for reads a journal of ledger, hledger or Beancount with its included files, and prints the missing price "
        + "directives in the form and with the names of the journal: for each commodity, those of every day on which "
        + "the journal moves it, and yesterday's. Each commodity needs at most one request. A comment says once which coin "
        + "a name was taken for.",
      "Its prices are in --currency, otherwise in Beancount's operating currency, otherwise in that of the settings. "
        + "In Beancount's journals the metadata price of a commodity, such as \"EUR:yahoo/VWCE.DE\", name its sources and "
        + "currencies as for Beancount's own price tool: several, and ^ for the inverse.",
      "A close is fetched once and kept. A close that may still change, because the source has no later price, is "
        + "marked as provisional and requested again after two minutes; --for leaves it out.",
    ],
    examples: [
      .init("history bitcoin --on 2025-01-14", "what it closed at"),
      .init("history shiba-inu --from 2025-01-01 --format ledger > shib.db", "a price directive for each day"),
      .init("history btc --from 2024-12-01 --ohlc --format csv", "whole days, for a spreadsheet"),
      .init("history btc eth --from 2024-12-01 --to 2024-12-31 --format csv", "a month of two, for a spreadsheet"),
      .init("history --for main.journal >> prices.journal", "what the ledger lacks to value itself"),
      .init("history --for main.journal --check --except HOUSE", "which of its prices differ from the source"),
    ])

  private let coins: [String]
  private let journal: String?
  private let only: [String]
  private let except: [String]

  /// The difference in percent from which a price of the journal is shown; nil to print the missing prices.
  private let tolerance: Decimal?
  private let query: HistoryQuery
  private let format: PriceDirectives.Format?

  /// Whether a format of output was asked for.
  private let hasForm: Bool
  private let naming: CommodityNaming
  private let policy: FetchPolicy

  init(_ arguments: Invocation.Arguments) throws(BitpalError) {
    coins = arguments.coins
    journal = arguments.raw["for"]
    only = arguments.raw.list("only")
    except = arguments.raw.list("except")
    tolerance = arguments.raw.has("check") ? try arguments.raw.decimal("tolerance") ?? 2 : nil
    let missing = arguments.raw["missing"].flatMap(HistoryQuery.Missing.init(rawValue:))
    query = try HistoryQuery(arguments.raw, missing: missing ?? .tell)
    format = arguments.raw["format"].flatMap(PriceDirectives.Format.init(rawValue:))
    hasForm = arguments.raw.has("format")
    naming = CommodityNaming(arguments.raw)
    policy = arguments.options.policy
    if query.isWhole, format != nil || journal != nil {
      throw .usage("--ohlc needs a table, CSV or JSON: a price directive has one price", hint: "omit --ohlc")
    }
    if query.isWhole, coins.count > 1, arguments.options.format == .table {
      throw .usage("--ohlc of several coins has no table", hint: "name one coin, or give --format csv or json")
    }
    if arguments.raw.has("tolerance"), tolerance == nil {
      throw .usage("--tolerance needs --check", hint: "as in bitpal history --for main.journal --check --tolerance 1")
    }
    if journal == nil, let name = ["only", "except", "check"].first(where: arguments.raw.has) {
      throw .usage("--\(name) needs --for", hint: "as in bitpal history --for main.journal --\(name)")
    }
    if journal != nil {
      guard coins.isEmpty, !query.hasDays else {
        throw .usage("--for takes coins and days from the journal", hint: "give the file alone")
      }
    } else if coins.isEmpty {
      throw .usage("history needs a COIN", hint: "as in bitpal history bitcoin --on 2025-01-14")
    }
  }

  func run(_ session: Session) async throws -> ExitStatus {
    let configured = try session.settings()
    let service = try session.assembly(configured).priceService()
    if let journal { return try await prices(journal, session, configured, service) }
    let (coins, settings) = try session.separating(coins, configured, service)
    if coins.count == 1, let coin = coins.first { return try await one(coin, session, settings, service) }
    return try await several(coins, session, settings, service)
  }

  private func one(
    _ coin: String, _ session: Session, _ settings: Settings, _ service: PriceService
  ) async throws -> ExitStatus {
    let answer = try await query.answer(coin, by: service, currency: settings.currency, policy: policy)
    let id = answer.closes.about.coin
    let output = HistoryOutput(answer, currency: settings.currency, provider: service.descriptors.first?.id)
    if let format {
      let directives = PriceDirectives(
        closes: answer.closes.value, commodity: await names(of: [id], settings, service)[id],
        currency: settings.currency.uppercased(),
        digits: session.options.digits ?? PriceDirectives.digits(of: answer.closes))
      try session.console.answer(directives.text(format))
    } else {
      try session.show(HistoryView(output: output, providers: service.descriptors))
    }
    session.console.warn(about: [answer.closes]) { _ in id }
    session.console.tell(leftOut: answer.leftOut)
    session.console.tell(answer.missing)
    return ExitStatus(answered: answer.closes.value.count, failures: answer.missing.map(\.error.code))
  }

  private func several(
    _ coins: [String], _ session: Session, _ settings: Settings, _ service: PriceService
  ) async throws -> ExitStatus {
    var answers: [Sourced<[Resampling.DailyClose]>] = []
    var failures: [CoinFailure] = []
    var leftOut: [BitpalError] = []
    for (index, coin) in coins.enumerated() where coins.firstIndex(of: coin) == index {
      session.console.working(index + 1, of: coins.count, "asking for daily closes")
      do {
        let answer = try await session.withOwnDeadline {
          try await query.answer(coin, by: service, currency: settings.currency, policy: policy)
        }
        answers.append(answer.closes)
        failures += answer.missing.map { CoinFailure(coin: coin, error: $0.error) }
        leftOut += answer.leftOut
      } catch let error as BitpalError {
        failures.append(CoinFailure(coin: coin, error: error))
      }
    }
    session.console.tell(leftOut: leftOut)
    let names = await names(of: Set(answers.map(\.about.coin)), settings, service)
    let histories = answers.map { CoinHistory($0, name: names[$0.about.coin]) }
    return try show(histories, failures, settings.currency.uppercased(), format, session, settings, service)
  }

  /// Returns the names of coins, each of one coin alone.
  private func names(of ids: Set<String>, _ settings: Settings, _ service: PriceService) async -> CommodityNames {
    CommodityNames(
      ids, symbols: await naming.names(of: ids, at: service, policy: policy), currency: settings.currency,
      form: format?.name ?? { $0.uppercased() })
  }

  private func prices(
    _ path: String, _ session: Session, _ configured: Settings, _ service: PriceService
  ) async throws -> ExitStatus {
    let journal = try JournalFiles.needs(of: path)
    let settings = configured.showing(currency: currency(of: journal, path, session, configured))
    if let place = journal.undated.first {
      session.console.warning(
        "\(place): the date names no year, so nothing is known of its day (\(journal.undated.count) in all); "
          + "a line Y2025 above says which is meant")
    }
    let commodities = try chosen(of: journal)
    let asking = JournalPrices.Asking(
      service, currency: settings.currency, missing: query.missing, policy: policy
    ) { provider in
      let known = ProviderCatalog(settings: settings).ids()
      guard known.contains(provider) else {
        throw BitpalError.usage(
          "its metadata price names \"\(provider.printable(limit: 60))\", which is not a provider",
          hint: "there are: \(known.joined(separator: ", "))")
      }
      return try session.assembly(settings.asking([provider])).priceService()
    }
    if let tolerance { return try await check(journal, commodities, asking, tolerance, session) }
    let prices = try await JournalPrices(journal, commodities, asking, within: session.withOwnDeadline)
    session.console.tell(leftOut: prices.leftOut)
    if prices.histories.isEmpty, prices.failures.isEmpty, prices.leftOut.isEmpty {
      session.console.notice(
        journal.commodities.isEmpty
          ? "\(path) needs no prices: it has no transaction that moves a commodity"
          : "\(path) has every price that it needs")
    }
    let own: PriceDirectives.Format = journal.isBeancount ? .beancount : .ledger
    let format = hasForm ? format : own
    if format != nil { try session.console.answer(Self.meanings(of: prices.histories, journal)) }
    return try show(
      prices.histories, prices.failures, settings.currency.uppercased(), format, session, settings, service,
      usesComma: journal.usesComma)
  }

  /// Returns the currency of prices, and warns where the journal states nothing in it.
  private func currency(
    of journal: JournalNeeds, _ path: String, _ session: Session, _ configured: Settings
  ) -> String {
    if session.options.currency != nil { return configured.currency }
    let currency = journal.currency(usual: configured.currency)
    if tolerance == nil, let other = journal.otherCurrency(than: currency) {
      session.console.warning(
        "\(path) states its costs and prices in \(other.uppercased()) and none in \(currency.uppercased()); "
          + "--currency \(other) prices it in \(other.uppercased())")
    }
    return currency
  }

  /// Returns the commodities of a journal that `--only` and `--except` leave.
  private func chosen(of journal: JournalNeeds) throws(BitpalError) -> [String] {
    // A file of prices alone has nothing that is moved, and its prices are to be compared all the same.
    let known = tolerance == nil ? journal.commodities : journal.pricedCommodities
    // One that is moved, but not priced, may be excepted from a comparison too.
    let exceptable = known + journal.commodities
    let strangers = only.filter { !known.has($0) } + except.filter { !exceptable.has($0) }
    for name in strangers {
      let nearest = NearestName.match(name, among: known).map { "did you mean \"\($0)\"?" }
      throw .usage("the journal does not \(tolerance == nil ? "move" : "price") \"\(name)\"", hint: nearest)
    }
    let (only, except) = (Set(only.map { $0.lowercased() }), Set(except.map { $0.lowercased() }))
    return known.filter { (only.isEmpty || only.contains($0.lowercased())) && !except.contains($0.lowercased()) }
  }

  /// Returns a comment for each commodity that was taken for a coin of another name, unless the journal has it.
  private static let unmistakable: Set<String> = [
    "usd", "eur", "gbp", "jpy", "chf", "cad", "aud", "nzd", "sek", "nok", "dkk", "pln", "czk", "huf", "inr", "cny",
    "krw", "brl",
    "mxn", "zar", "try", "sgd", "hkd",
  ]

  private static func meanings(of histories: [CoinHistory], _ journal: JournalNeeds) -> String {
    var remarks = journal.remarks
    return histories.compactMap { history -> String? in
      let coin = history.answer.about.coin
      guard !history.answer.value.isEmpty, coin.lowercased() != history.name.lowercased(),
        CurrencyCoin.currency(of: coin).map({ !Self.unmistakable.contains($0) }) ?? true
      else { return nil }
      let remark = "; \(history.name.printable()) = \(coin.printable()) (\(history.answer.source))"
      return remarks.insert(remark).inserted ? remark + "\n" : nil
    }.joined()
  }

  /// Shows the prices of a journal that differ from the closes of their days.
  private func check(
    _ journal: JournalNeeds, _ commodities: [String], _ asking: JournalPrices.Asking, _ tolerance: Decimal,
    _ session: Session
  ) async throws -> ExitStatus {
    guard session.options.format == .table, format == nil else {
      throw BitpalError.usage("--check prints a table", hint: "omit --format")
    }
    let check = try await JournalCheck(
      journal, commodities, asking, tolerance: tolerance, within: session.withOwnDeadline)
    if !check.rows.isEmpty {
      var table = TextTable([
        .init("DATE"), .init("COMMODITY"), .init("JOURNAL", .right), .init("CLOSE", .right),
        .init("DIFFERENCE", .right),
        .init("SOURCE"),
      ])
      let style = session.console.style
      for row in check.rows {
        let currency = " " + (row.price.currency ?? "").printable(limit: 12)
        table.add([
          .init(row.price.need.day.dayText), .init(row.price.need.commodity),
          .init(style.price(row.amount) + currency), .init(style.price(row.close) + currency), .change(row.percent),
          .init(row.source),
        ])
      }
      try session.console.answer(table.text(style: style))
    }
    func remark(_ prices: [JournalNeeds.Price], _ reason: String) -> String {
      prices.map(\.need.day).min().map { "; \(prices.count) \(reason), the first on \($0.dayText)" } ?? ""
    }
    session.console.notice(
      "\(check.rows.count) of \(check.compared) prices differ by more than \(tolerance.plainText)%"
        + remark(check.unread, "cannot be read as a price above zero")
        + remark(check.unpriced, "on a day without a close"))
    session.console.tell(check.failures)
    let status = ExitStatus(answered: check.compared, failures: check.failures.map(\.error.code))
    let isChecked = check.compared > 0 || check.unread.isEmpty && check.unpriced.isEmpty
    return check.rows.isEmpty && isChecked ? status : .partlyAnswered
  }

  private func show(
    _ histories: [CoinHistory], _ failures: [CoinFailure], _ currency: String, _ format: PriceDirectives.Format?,
    _ session: Session, _ settings: Settings, _ service: PriceService,
    usesComma: (_ currency: String) -> Bool = { _ in false }
  ) throws -> ExitStatus {
    if let format {
      let texts = histories.map { history in
        let currency = history.currency ?? currency
        return PriceDirectives(
          closes: history.answer.value, commodity: history.name, currency: currency,
          digits: session.options.digits ?? PriceDirectives.digits(of: history.answer), hasComma: usesComma(currency),
          isOfJournal: journal != nil
        ).text(format)
      }
      try session.console.answer(texts.joined())
    } else {
      let others = histories.filter { $0.currency.map { $0.uppercased() != settings.currency.uppercased() } ?? false }
      if let other = others.first(where: { $0.currency?.lowercased() != settings.currency }), journal != nil,
        CurrencyCoin.isCurrency(other.currency ?? "")
      {
        throw BitpalError.usage(
          "the prices of \(other.name) are in \(other.currency ?? ""), and a table has one currency",
          hint: "omit --format, or leave it out with --except \(other.name)")
      }
      let output = HistoriesOutput(
        histories, failures: failures, currency: settings.currency, provider: service.descriptors.first?.id)
      try session.show(HistoriesView(output: output, providers: service.descriptors))
    }
    session.console.warn(about: histories.map { history in history.answer.map { _ in history.name } }) { $0 }
    session.console.tell(failures)
    return ExitStatus(answered: histories.count, failures: failures.map(\.error.code))
  }
}

/// The daily closes of one coin.
struct HistoryView: View {
  let output: HistoryOutput
  let providers: [ProviderDescriptor]

  func table(style: Style) -> String {
    let currency = output.currency.uppercased()
    let isWhole = output.closes.contains { $0.candle != nil }
    let hasVolume = output.closes.contains { $0.candle?.volume != nil }
    var table = TextTable(
      [.init("DATE")]
        + (isWhole ? [("OPEN", 2), ("HIGH", 4), ("LOW", 3)].map { .init($0, .right, drops: $1) } : [])
        + [.init("CLOSE \(currency)", .right)] + (hasVolume ? [.init("VOLUME", .right, drops: 1)] : []))
    for close in output.closes {
      let day = close.candle
      table.add(
        [.init(close.dateText)] + (day.map { [$0.open, $0.high, $0.low].map { .init(style.price($0)) } } ?? [])
          + [.init(style.price(close.price))]
          + (hasVolume ? [day?.volume.map { .init(NumberFormat.quantity($0)) } ?? "-"] : []))
    }
    let kind = (isWhole ? "days" : "daily closes") + providers.dayText(of: [output.provenance.source])
    return style("\(output.coin.printable(limit: 80)) · \(kind) · \(currency)", .heading) + "\n"
      + Provenance.line([output.provenance], providers: providers, style: style) + "\n\n" + table.text(style: style)
  }
}

/// The daily closes of several coins, with one column per coin.
struct HistoriesView: View {
  let output: HistoriesOutput
  let providers: [ProviderDescriptor]

  func table(style: Style) -> String {
    let currency = output.currency.uppercased()
    var table = TextTable([.init("DATE")] + output.histories.map { .init($0.name.printable(limit: 20), .right) })
    let prices = output.histories.map { history in
      Dictionary(history.answer.value.map { ($0.day, $0) }) { first, _ in first }
    }
    for day in Set(prices.flatMap(\.keys)).sorted() {
      table.add(
        [.init(day.dayText)] + prices.map { .init($0[day].map { style.price($0.price) } ?? "-") })
    }
    let sources = output.histories.map { Provenance($0.answer) }
    let kind = "daily closes" + providers.dayText(of: sources.map(\.source))
    return style("\(kind) · \(currency)", .heading) + "\n"
      + Provenance.line(sources, providers: providers, style: style) + "\n\n" + table.text(style: style)
  }
}

extension [String] {
  /// Returns whether a name is among them, in any case.
  fileprivate func has(_ name: String) -> Bool { contains { $0.lowercased() == name.lowercased() } }
}

extension [ProviderDescriptor] {
  /// Returns whose days the closes of sources are, after a comma.
  fileprivate func dayText(of sources: [String]) -> String {
    contains { sources.contains($0.id) && $0.hasOwnDays }
      ? ", days of \(sources.count == 1 ? "its" : "each") market" : ", UTC"
  }
}
