import BitpalFiles
package import BitpalModel
package import FoundationEssentials

/// A provider of the user's own prices, from a file of price directives or CSV.
///
/// The file is read at the first query, and again after it has changed. A coin without a price in it is a failure, so
/// that the next provider is asked.
package struct FilePriceProvider: PriceProvider {
  private let specification: ProviderSpecification
  private let source: FileKind
  private let names: SourceNames
  private let time: any TimeSource
  private let warn: @Sendable (String) -> Void
  private let last = Locked<(stamp: String, file: PriceFile)?>(nil)
  private let described: Locked<(stamp: String, descriptor: ProviderDescriptor)?> = Locked(nil)

  /// Creates a file price provider.
  ///
  /// - Parameters:
  ///   - specification: The provider's file.
  ///   - source: The file of prices.
  ///   - ticker: Returns the ticker of a coin, for commodities with that name; nil when it is unknown.
  ///   - time: The clock, which determines the latest price.
  ///   - warn: Receives a warning about lines that were left out, each time the file is read.
  init(
    _ specification: ProviderSpecification, _ source: FileKind,
    ticker: @escaping @Sendable (String) -> String?, time: any TimeSource, warn: @escaping @Sendable (String) -> Void
  ) {
    self.specification = specification
    self.source = source
    self.time = time
    self.warn = warn
    names = SourceNames(specification, ticker: ticker)
  }

  /// The provider's names and capabilities; its cache identity changes whenever the file is written or replaced.
  package var descriptor: ProviderDescriptor {
    // A query reads the descriptor many times, so only the file's stamp is read each time.
    let stamp = (try? FileStatus(source.path).stamp) ?? ""
    return described.withLock { described in
      if let described, described.stamp == stamp { return described.descriptor }
      let descriptor = descriptor(stamp: stamp)
      described = (stamp, descriptor)
      return descriptor
    }
  }

  private func descriptor(stamp: String) -> ProviderDescriptor {
    ProviderDescriptor(
      id: specification.id, name: specification.name, kind: specification.kindName,
      capabilities: [.quotes, .line], coinsPerRequest: .max, attribution: specification.attribution,
      needsNetwork: false, hasStepPrices: true, maxAge: specification.maxAge ?? ProviderDescriptor.noMaxAge,
      hasCurrencies: true, cacheIdentity: CacheIdentity.of(specification, prices: source, fingerprint: stamp))
  }

  /// Returns the answer to one query.
  ///
  /// - Throws: `BitpalError.dataFile` when the file cannot be read, `.configuration` when it is not a file of prices,
  ///   because a market price must not replace the user's own after a file has moved; `.unsupported` for queries other
  ///   than quotes and lines, `.notFound`, `.unsupportedCurrency` and `.noData` for a line.
  package func answer(to query: ProviderQuery) async throws -> ProviderAnswer {
    switch query {
    case .quotes(let coins, let currency):
      let file = try coins.isEmpty ? nil : file()
      var found: [String: Coin] = [:]
      var failures: [String: BitpalError] = [:]
      for coin in coins {
        guard let file else { break }
        do throws(BitpalError) {
          found[coin] = try quote(of: coin, in: currency, from: file)
        } catch {
          failures[coin] = error
        }
      }
      return ProviderAnswer(quotes: found, failures: failures)
    case .line(let coin, let currency, let window):
      return ProviderAnswer(.line(try line(of: coin, in: currency, over: window, from: try file())), about: coin)
    case .coinList, .top, .detail, .candles:
      throw unsupported(query)
    }
  }

  /// Returns whether the file has prices of a commodity with that name, or `symbols` has the name.
  ///
  /// It is false for the ids of well-known coins, unless `symbols` has them.
  package func knows(_ name: String) -> Bool {
    if specification.symbols[name] != nil { return true }
    // A well-known id is certain without the file, which then need not be read where the cache has the price.
    return WellKnownCoins.place(of: name) == nil && (try? file())?.prices[name] != nil
  }

  /// Returns the latest price that is not in the future.
  ///
  /// - Throws: `BitpalError.noPrice` without such a price, or for a currency's rate older than ``maxRateAge``.
  private func quote(of coin: String, in currency: String, from file: PriceFile) throws(BitpalError) -> Coin {
    let prices = try prices(of: coin, in: currency, from: file)
    let now = time.now
    let oldest = CurrencyCoin.currency(of: coin) == nil ? Date.distantPast : now.adding(.zero - maxRateAge)
    if let last = prices.last(where: { $0.instant <= now }), last.instant < oldest {
      throw .noPrice(
        coin: coin, provider: specification.id,
        reason:
          "its last rate in \(PathText.name(of: source.path)) is of \(last.instant.dayText), older than \(maxRateAge.unitText); "
          + "\"max_age:\" in the provider file says otherwise")
    }
    guard let price = prices.last(where: { $0.instant <= now }) else {
      let first = prices.first.map { "; its first is of \($0.instant.utcText)" } ?? ""
      throw .noPrice(
        coin: coin, provider: specification.id, reason: "\(PathText.name(of: source.path)) has none until now\(first)")
    }
    do throws(ValidationError) {
      return try Coin(
        validating: coin, symbol: names.shownSymbol(of: coin), name: names.shownName(of: coin),
        currentPrice: price.price, lastUpdated: price.instant, place: "\(source.path):\(price.line)")
    } catch {
      throw .noPrice(coin: coin, provider: specification.id, reason: error.description)
    }
  }

  /// The age beyond which a currency's rate is not used: `max_age` of the provider file, or a week by default.
  private var maxRateAge: Duration { specification.maxAge ?? .seconds(7 * 86_400) }

  /// Returns the prices in the window, and the last one before it.
  ///
  /// - Throws: `.noData` when none is in the window, because a market's line is then a better answer than a constant.
  private func line(
    of coin: String, in currency: String, over window: TimeWindow, from file: PriceFile
  ) throws(BitpalError) -> LineSeries {
    let prices = try prices(of: coin, in: currency, from: file)
    let isDaily = prices.allSatisfy { $0.instant == $0.instant.startOfDay }
    // In a series of instants, midnight would count as the close of the day before; a price of a day is of that day.
    let points = prices.map {
      ChartDataPoint(timestamp: isDaily ? $0.instant : $0.instant.withTimeOfDay, price: $0.price)
    }
    let cleaned = SeriesRules.clean(points).points.filter { $0.timestamp <= window.end }
    guard let last = cleaned.last, last.timestamp > window.start else {
      let reach = cleaned.last.map { "; its last is of \($0.timestamp.dayText)" } ?? ""
      throw .noData(
        question: "prices of \(coin) in \(currency) over \(window.length.unitText)\(reach)", provider: specification.id)
    }
    let start = cleaned.lastIndex { $0.timestamp <= window.start } ?? 0
    return LineSeries(points: Array(cleaned[start...]), isDaily: isDaily)
  }

  /// Returns the prices of a coin in a currency, in order of time.
  ///
  /// - Throws: `BitpalError.notFound` for a coin without prices, `.unsupportedCurrency` for one with other currencies.
  private func prices(
    of coin: String, in currency: String, from file: PriceFile
  ) throws(BitpalError) -> [FilePrice] {
    let all = prices(of: coin, from: file)
    guard !all.isEmpty else { throw .notFound(coin: coin, provider: specification.id) }
    // Rates of before a currency began are of the one that it has replaced.
    let begin = CurrencyCoin.beginning(of: coin, in: currency) ?? .distantPast
    let prices = all.filter { $0.currency == currency && $0.instant >= begin }
    guard prices.isEmpty else { return prices }
    let parts = all.compactMap { price in
      MinorUnit(price.currency).flatMap {
        $0.currency == currency ? price.multiplied(by: $0.factor, in: currency) : nil
      }
    }
    guard parts.isEmpty else { return parts }
    let supported = Set(all.map { MinorUnit($0.currency)?.currency ?? $0.currency })
    throw .unsupportedCurrency(currency, provider: specification.id, supported: supported.sorted())
  }

  /// Returns the prices of a coin in every currency, in order of time.
  ///
  /// They are those of its id, of its currency's code and of its ticker. A ticker whose prices are far from those of the id
  /// belongs to something else, and is left out. Without any of them, the prices of the id in capitals count.
  private func prices(of coin: String, from file: PriceFile) -> [FilePrice] {
    if let name = specification.symbols[coin] { return file.prices[name] ?? [] }
    let code = CurrencyCoin.currency(of: coin).map { [$0.uppercased()] } ?? []
    let ticker = names.symbol(of: coin).map { [$0, $0.lowercased()] } ?? []
    let found = ([coin] + code + ticker).distinct.compactMap { file.prices[$0] }
    guard let first = found.first else { return file.prices[coin.uppercased()] ?? [] }
    let others = found.dropFirst().filter { Self.areNear($0, first) }
    return others.isEmpty
      ? first : ([first] + others).joined().sorted { ($0.instant, $0.line) < ($1.instant, $1.line) }
  }

  /// Returns whether the last of some prices is at most five times, and at least a fifth of, the nearest in time of others.
  private static func areNear(_ prices: [FilePrice], _ others: [FilePrice]) -> Bool {
    guard let last = prices.last else { return false }
    func distance(_ price: FilePrice) -> Duration {
      max(price.instant.since(last.instant), last.instant.since(price.instant))
    }
    let near = others.filter { $0.currency == last.currency }.min { distance($0) < distance($1) }
    return near.map { max($0.price, last.price).compared(to: min($0.price, last.price), times: 5) != .greater } ?? true
  }

  // MARK: The file

  /// Returns the faults of the file, with their places, at most ``PriceFile/mostFaults``.
  ///
  /// - Throws: `BitpalError.dataFile` when it cannot be read.
  func faults() throws(BitpalError) -> [ConfigurationIssue] { try read().file.faults }

  /// Returns at most three coins that the file prices, by their ids, with a currency and the instant of its last price.
  ///
  /// It is nil for a file without prices.
  ///
  /// - Throws: `BitpalError.dataFile` when it cannot be read.
  package func sample() throws(BitpalError) -> (coins: [String], currency: String, end: Date)? {
    let prices = try read().file.prices
    let currencies = prices.values.joined().map(\.currency).filter { $0 == $0.lowercased() }
    guard let currency = currencies.min() else { return nil }
    let coins = prices.filter { $0.value.contains { $0.currency == currency && $0.instant <= time.now } }.keys.sorted()
    let ids = coins.prefix(3).map { name in specification.symbols.filter { $0.value == name }.keys.min() ?? name }
    let instants = prices.values.joined().filter { $0.currency == currency }.map(\.instant)
    return instants.max().map { (ids, currency, $0) }
  }

  private func file() throws(BitpalError) -> PriceFile {
    let stamp = try? FileStatus(source.path).stamp
    if let last = last.withLock({ $0 }), last.stamp == stamp { return last.file }
    let (file, read) = try read()
    // A file that is refused is not kept: every question about it fails, and not the first alone.
    if file.isRefused { throw .configuration(file.faults) }
    last.withLock { $0 = (read, file) }
    if let first = file.faults.first {
      let count = file.dropped == 1 ? "1 line" : "\(file.dropped) lines"
      let place = [first.line, first.column].compactMap { $0.map { ":\($0)" } }.joined()
      warn(
        "left out \(count) of \(first.file), the first at \(first.file)\(place): \(first.message); "
          + "\"bitpal providers check \(specification.id)\" shows each")
    }
    return file
  }

  private func read() throws(BitpalError) -> (file: PriceFile, stamp: String) {
    let content: BoundedFile
    do throws(FileFault) {
      content = try BoundedFile(source.path, limit: PriceFile.largest)
    } catch {
      throw error.error(of: source.path)
    }
    try specification.trustedFiles?.check(content.bytes, of: source.path)
    let defaults = PriceFile.Defaults(commodity: source.commodity, currency: source.currency)
    let file = PriceFile(
      content.bytes, name: source.shownPath, form: PriceFile.Form(path: source.path), defaults: defaults)
    return (file, content.status.stamp)
  }
}
