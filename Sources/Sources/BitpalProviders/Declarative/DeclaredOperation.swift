package import BitpalModel

/// One operation of a provider file: its request, and the conversion of the answer to rows.
package struct DeclaredOperation: Equatable, Sendable {
  /// The ways to make rows of a body.
  package enum Rows: Equatable, Sendable {
    /// A SELECT over `:body`.
    case select(DeclaredText)

    /// The elements of the array or object at a path (the whole body as one row if nil), with the place of each column
    /// within the element.
    case each(DeclaredText?, fields: [Field])

    /// One array per column, with the place of each.
    case columns([Field])
  }

  /// The path of requests for data that is not older than a limit.
  package struct Reach: Equatable, Sendable {
    /// The time from now back to the oldest price of its answer.
    package let length: Duration

    /// The rest of the URL after the base URL.
    package let get: DeclaredText

    /// Creates a path with a reach.
    package init(length: Duration, get: DeclaredText) {
      self.length = length
      self.get = get
    }
  }

  /// A column of the short form.
  package struct Field: Equatable, Sendable {
    /// The column's name.
    package let name: String

    /// A path that begins with `$`, or an SQL expression.
    package let source: DeclaredText

    /// Creates a field.
    package init(name: String, source: DeclaredText) {
      self.name = name
      self.source = source
    }
  }

  /// The ways to declare the time zone in which the days of a series begin.
  package enum Days: Equatable, Sendable {
    /// A name of the time zone database, or an offset such as `+08:00`.
    case zone(DeclaredText)

    /// A path, or an SQL expression over the answer, whose value is such a zone.
    case source(DeclaredText)

    /// The text in the file.
    package var text: DeclaredText {
      switch self {
      case .zone(let text), .source(let text): text
      }
    }
  }

  /// The notations of instants.
  package enum TimeFormat: Hashable, Sendable {
    /// Seconds since 1970, whole or with a fraction.
    case seconds

    /// Milliseconds since 1970.
    case milliseconds

    /// ISO 8601; in UTC where `Z` and an offset are missing.
    case iso8601

    /// A notation of the source's own.
    case pattern(TimePattern)

    /// The notations by their names.
    package static let named: KeyValuePairs<String, TimeFormat> = [
      "seconds": .seconds, "milliseconds": .milliseconds, "iso8601": .iso8601,
    ]

    /// The notation's name in provider files.
    package var text: String {
      switch self {
      case .seconds: "seconds"
      case .milliseconds: "milliseconds"
      case .iso8601: "iso8601"
      case .pattern(let pattern): pattern.text
      }
    }
  }

  /// A candle width that the source has.
  package struct Interval: Hashable, Sendable {
    /// The width.
    package let width: Duration

    /// The source's name of the interval in a URL.
    package let code: String

    /// Creates an interval.
    package init(width: Duration, code: String) {
      self.width = width
      self.code = code
    }
  }

  /// The rest of the URL after the base URL, with placeholders: `/Ticker?pair={SYMBOL}{CURRENCY}`.
  ///
  /// Where there are several, it is the one that has the oldest data.
  package var get: DeclaredText

  /// The other paths, the shortest reach first; empty where there is only one.
  package var reaches: [Reach] = []

  /// The base URL of its requests, without a trailing slash; nil for that of the file.
  package var baseURL: String?

  /// The body of a POST, with placeholders; nil for a GET.
  package var send: DeclaredText?

  /// The path within an answer to the address of its next page: a URL, or the value of `{cursor}`; nil where one answer
  /// is complete.
  package var next: DeclaredText?

  /// Whether its pages are counted by `{page}` or `{offset}`, each of ``limit`` rows but for the last.
  package var isCounted = false

  /// The way to make rows of the answer.
  package var rows: Rows

  /// The form of the answer.
  package var body = DeclaredBody.json

  /// The rules by which its numbers become prices.
  package var numbers = DeclaredNumbers()

  /// The notation of the `time` column; nil when there is none.
  package var time: TimeFormat?

  /// The zone of the days of rows that are a day or wider; nil where they begin at midnight in UTC.
  package var days: Days?

  /// The maximum number of coins of one request, `Int.max` where one answer has all coins of the source; nil for one
  /// request per coin.
  package var batch: Int?

  /// Whether its rows have the column `volume`; false for a SELECT, which shows its columns only when compiled.
  package var hasVolume: Bool {
    switch rows {
    case .select: false
    case .each(_, let fields), .columns(let fields): fields.contains { $0.name == "volume" }
    }
  }

  /// The number of requests of the file's `rate_limit` that one of its own counts as.
  package var weight = 1

  /// Whether one answer has all coins of the source, so that a request names none.
  package var hasAllCoins: Bool { batch == .max }

  /// The character set of answers that do not declare any, by a name that ``/BitpalJSON/BodyText`` reads; nil for UTF-8.
  package var encoding: String?

  /// The candle widths, or spacings of a line, that the source has, narrowest first.
  package var intervals: [Interval]

  /// The maximum number of rows of one answer, or that of a page where pages are counted; nil for no limit.
  package var limit: Int?

  /// Creates an operation.
  package init(
    get: DeclaredText, rows: Rows, time: TimeFormat? = nil, batch: Int? = nil, intervals: [Interval] = [],
    limit: Int? = nil
  ) {
    self.get = get
    self.rows = rows
    self.time = time
    self.batch = batch
    self.intervals = intervals
    self.limit = limit
  }
}

extension DeclaredOperation {
  /// Returns the required and the optional columns of an operation.
  package static func columns(of capability: Capability) -> (required: [String], optional: [String]) {
    switch capability {
    case .quotes: (["price"], ["id", "symbol", "name", "change_24h", "open_24h", "time", "volume"])
    case .coinList: (["id", "symbol", "name"], [])
    case .detail:
      (
        ["price"],
        [
          "id", "symbol", "name", "change_24h", "open_24h", "time", "market_cap", "total_volume", "circulating_supply",
          "image", "total_supply", "max_supply", "rank", "change_7d", "change_30d", "change_1y", "ath", "ath_date",
          "atl", "atl_date", "volume",
        ]
      )
    case .line: (["time", "price"], ["close", "latest"])
    case .candles: (["time", "open", "high", "low", "close"], ["volume"])
    }
  }
}
