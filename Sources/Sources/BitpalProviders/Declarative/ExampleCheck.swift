import BitpalFiles
package import BitpalModel
package import BitpalNetwork
import BitpalReplay
import FoundationEssentials

/// A check of the examples of a provider file, which runs offline.
package struct ExampleCheck: Sendable {
  /// The result of one example.
  package struct Outcome: Equatable, Sendable {
    /// The example that was run.
    package let example: DeclaredExample

    /// The number of rows of the result; 0 after a failure.
    package let rows: Int

    /// The difference from the example; nil when there is none.
    package let problem: String?
  }

  private let source: DialectWithExamples

  /// Creates a check of a dialect with the examples of its file.
  package init(_ source: DialectWithExamples) {
    self.source = source
  }

  /// Creates a check of a specification that declares its source, without keys, aliases and coin lists.
  ///
  /// - Throws: `BitpalError.configuration` with every fault of the SELECTs.
  package init(_ specification: ProviderSpecification) throws(BitpalError) {
    self.init(DialectWithExamples(try DeclarativeDialect(specification), baseURL: specification.baseURL))
  }

  /// Runs all examples, and returns the outcome of each, in the order of the file.
  package func run() -> [Outcome] {
    source.examples.map { run($0) }
  }

  private func run(_ example: DeclaredExample) -> Outcome {
    do {
      let dialect = try source.dialect(at: example.now)
      if let problem = try requestProblem(example, dialect) {
        return Outcome(example: example, rows: 0, problem: problem)
      }
      let (reply, found) = try read(example, by: dialect)
      return Outcome(
        example: example, rows: found.count,
        problem: Self.difference(found, example.expectation) ?? Self.foreignDays(of: reply))
    } catch {
      let problem: String?
      if let error = error as? BitpalError {
        problem = example.expectation == .failure(error.code) ? nil : "\(error.code.rawValue): \(error.message)"
      } else {
        problem = "\(error)"
      }
      return Outcome(example: example, rows: 0, problem: problem)
    }
  }

  /// Returns the rows that come of an example's answer, each as texts by column.
  ///
  /// - Throws: The failure of the reading, or of the first coin when no coin has a quote.
  package func rows(of example: DeclaredExample) throws(BitpalError) -> [[String: String]] {
    do {
      return try read(example, by: try source.dialect(at: example.now)).rows
    } catch {
      throw error as? BitpalError
        ?? .unreadable(provider: source.dialect.descriptor.id, reason: "\(error)")
    }
  }

  private func read(
    _ example: DeclaredExample, by dialect: any Dialect
  ) throws -> (reply: ProviderAnswer, rows: [[String: String]]) {
    let reply = try Self.answer(to: example, dialect)
    return (reply, try Self.rows(of: example.query, reply))
  }

  /// Returns the fault of days that are not those of UTC and of which the file does not say whose they are; nil for none.
  private static func foreignDays(of reply: ProviderAnswer) -> String? {
    let starts = reply.answers.values.compactMap { answer -> Date? in
      switch answer {
      case .candles(let series): Resampling.startOfForeignDays(series)
      case .line(let series): Resampling.startOfForeignDays(series)
      case .quote, .coinList, .detail, .missing: nil
      }
    }
    return starts.first.map { "a day begins at \($0.utcText), and the file does not say whose days they are (days:)" }
  }

  /// Returns the difference of the request from the example's URL and body; nil when there is none.
  private func requestProblem(_ example: DeclaredExample, _ dialect: any Dialect) throws -> String? {
    guard example.url != nil || example.send != nil else { return nil }
    let asked = try dialect.plan(example.query).first ?? HTTPRequest(url: "")
    let base = source.baseURL(of: example.query.capability)
    if let url = example.url, asked.url != base + url {
      return "the request is \(asked.url.dropFirst(base.count)), not \(url)"
    }
    guard let send = example.send else { return nil }
    var wanted = asked
    wanted.body = Array(send.utf8)
    guard RequestShape(asked).differences(from: RequestShape(wanted)).isEmpty, asked.body != nil else {
      let body = asked.body.map { String(decoding: $0, as: UTF8.self) }
      return "the request sends \(body?.printable(limit: 200) ?? "nothing"), not \(send.printable(limit: 200))"
    }
    return nil
  }

  /// Returns the dialect's reading of the example's bodies.
  private static func answer(
    to example: DeclaredExample, _ dialect: any Dialect
  ) throws -> ProviderAnswer {
    let query = example.query
    var exchanges: [HTTPExchange] = []
    // An example may be about a coin that the source cannot be asked for.
    var waiting = (try? dialect.plan(query)) ?? [HTTPRequest(url: "")]
    var round = 0
    while true {
      for request in waiting {
        let response = try example.response(ofRequest: exchanges.count)
          .inUTF8(from: dialect.descriptor.id, assuming: request.charset)
        exchanges.append(HTTPExchange(request: request, response: response))
      }
      switch try dialect.step(after: exchanges, asking: query, round: round) {
      case .answer(let answer), .page(let answer, _): return answer
      case .ask(let more): waiting = more
      }
      round += 1
    }
  }

  /// Returns the rows of an answer, each as texts by column.
  ///
  /// - Throws: The failure of the first coin, when no coin has a quote.
  private static func rows(of query: ProviderQuery, _ reply: ProviderAnswer) throws -> [[String: String]] {
    if reply.answers.isEmpty, let failure = query.coins.compactMap({ reply.failures[$0] }).first { throw failure }
    let coins = query.coins.isEmpty ? [""] : query.coins
    return coins.compactMap { reply.answers[$0] }.flatMap { rows(of: $0) }
  }

  private static func rows(of answer: Answer) -> [[String: String]] {
    switch answer {
    case .missing: return []
    case .quote(let coin): return [cells(coin)]
    case .coinList(let items):
      return items.map { ["id": $0.id, "symbol": $0.symbol, "name": $0.name] }
    case .detail(let detail):
      var cells = cells(detail.coin)
      cells["market_cap"] = detail.marketCap?.plainText
      cells["total_supply"] = detail.totalSupply?.plainText
      cells["max_supply"] = detail.maximumSupply?.plainText
      cells["rank"] = detail.rank.map(String.init)
      cells["change_7d"] = detail.changes.week?.plainText
      cells["change_30d"] = detail.changes.month?.plainText
      cells["change_1y"] = detail.changes.year?.plainText
      cells["ath"] = detail.allTimeHigh?.price.plainText
      cells["ath_date"] = detail.allTimeHigh?.date?.iso8601
      cells["atl"] = detail.allTimeLow?.price.plainText
      cells["atl_date"] = detail.allTimeLow?.date?.iso8601
      cells["total_volume"] = detail.totalVolume?.plainText
      cells["circulating_supply"] = detail.circulatingSupply?.plainText
      cells["image"] = detail.image
      return [cells]
    case .line(let series):
      return series.points.map { ["time": $0.timestamp.iso8601, "price": $0.price.plainText] }
    case .candles(let series):
      return series.candles.map { candle in
        var cells = [
          "time": candle.timestamp.iso8601, "open": candle.open.plainText, "high": candle.high.plainText,
          "low": candle.low.plainText, "close": candle.close.plainText,
        ]
        cells["volume"] = candle.volume?.plainText
        return cells
      }
    }
  }

  private static func cells(_ coin: Coin) -> [String: String] {
    var cells = ["id": coin.id, "symbol": coin.symbol, "name": coin.name, "price": coin.currentPrice.plainText]
    cells["change_24h"] = coin.priceChangePercentage24h?.plainText
    cells["time"] = coin.lastUpdated?.iso8601
    cells["volume"] = coin.volume?.plainText
    return cells
  }

  private static func difference(_ found: [[String: String]], _ expectation: DeclaredExample.Expectation) -> String? {
    guard case .rows(let expected) = expectation else {
      if case .failure(let code) = expectation { return "it is read without an error, but should be \(code.rawValue)" }
      return nil
    }
    guard found.count == expected.count else { return "\(found.count) rows come out, not \(expected.count)" }
    for (index, (row, wanted)) in zip(found, expected).enumerated() {
      for column in wanted.keys.sorted() {
        let (actual, should) = (row[column] ?? "nothing", wanted[column] ?? "")
        guard isEqual(actual, should, column) else {
          return "row \(index + 1): \(column) is \(actual.printable(limit: 80)), not \(should.printable(limit: 80))"
        }
      }
    }
    return nil
  }

  private static func isEqual(_ found: String, _ wanted: String, _ column: String) -> Bool {
    if found == wanted { return true }
    switch column {
    case "id", "symbol", "name", "image": return false
    case "time": return Date(utcText: found).map { $0 == Date(utcText: wanted) } ?? false
    default: return (try? Decimal(strict: found)).map { $0 == (try? Decimal(strict: wanted)) } ?? false
    }
  }
}

extension DeclaredExample {
  /// Returns the response of the source.
  ///
  /// A body in the provider file is UTF-8, whatever the source sends.
  ///
  /// - Parameter request: The number of the request it answers, from 0; where there is one body, it answers all.
  /// - Throws: `BitpalError.configuration` when there are several bodies and none for that request; `.dataFile` for a
  ///   file that cannot be read, or that is not below the folder of the provider's, so that a foreign file does not
  ///   show the content of others.
  package func response(ofRequest request: Int = 0) throws(BitpalError) -> HTTPResponse {
    let bodies = [body] + furtherBodies
    guard let body = bodies.dropFirst(furtherBodies.isEmpty ? 0 : request).first else {
      throw .configuration([
        place.issue(
          "there are \(bodies.count) bodies, and none for request \(request + 1): give one for each, or one for all")
      ])
    }
    switch body {
    case .inline(let text):
      let header = HTTPHeader("content-type", "text/plain; charset=utf-8")
      return HTTPResponse(status: status, headers: [header], body: Array(text.utf8))
    case .file(let name, let folder):
      let failure: String
      switch RecordingPath.resolve(name, in: folder, of: "folder of the provider file") {
      case .success(let path):
        do throws(FileFault) {
          return HTTPResponse(status: status, body: try BoundedFile(path, limit: CurlLimits().bodyBytes).bytes)
        } catch {
          failure = error.reason
        }
      case .failure(let refusal):
        failure = refusal.reason
      }
      throw .dataFile(path: "\(folder)/\(name)", reason: failure)
    }
  }
}
