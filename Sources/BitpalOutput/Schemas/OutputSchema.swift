package import BitpalJSON
import BitpalModel

/// The schema of a documented shape, declared beside the shape.
///
/// It is the single source of the pages in `docs/schemas` and of the server's description of its answers, and the tests
/// check every printed answer against it.
package struct OutputSchema: Sendable {
  /// The name and version in the answer: `bitpal.prices/1`.
  package let schema: String

  /// The shape as one value, under the name of its file.
  package let value: ValueSchema

  /// The description of the shape.
  package let about: String

  private let object: ValueSchema

  /// Creates a schema.
  ///
  /// - Parameter hasErrors: Whether `errors` is the last member, as in every answer of the tool.
  init(_ schema: String, _ about: String, _ members: SchemaMembers, hasErrors: Bool = true) {
    self.schema = schema
    self.about = about
    let name: SchemaMembers = ["schema": .word([schema], "The name and version of this shape.")]
    let errors: SchemaMembers = hasErrors ? ["errors": .list(.problem, "The failures.")] : [:]
    object = .object(name + members + errors, about)
    value = .named(Self.name(of: schema), object)
  }

  /// The name of its file and its path: `prices`.
  package var name: String { Self.name(of: schema) }

  private static func name(of schema: String) -> String {
    String(schema.dropFirst("bitpal.".count).prefix { $0 != "/" })
  }

  /// A complete JSON Schema without external references, over several lines.
  package var text: String { JSONValue.object(json).indented(.plain) }

  private var json: JSONObject {
    let head: JSONObject = [
      "$schema": "https://json-schema.org/draft/2020-12/schema", "title": .string(schema),
    ]
    let prefix = "#/$defs/"
    let parts = object.definitions.sorted { $0.key < $1.key }.map { ($0.key, JSONValue.object($0.value.json(prefix))) }
    return head + object.json(prefix) + (parts.isEmpty ? [:] : ["$defs": .object(JSONObject(parts))])
  }

  /// All schemas, in the order of `docs/output.md`.
  package static let all: [OutputSchema] = [
    .prices, .convert, .chart, .comparison, .coin, .coins, .history, .histories, .search, .watchlist, .watchlistAdd,
    .watchlistRemove, .watchlistMove, .transactions, .portfolio, .portfolios, .portfolioTotal, .portfolioChange, .gains,
    .lots, .portfolioChart, .returns, .transactionsImport, .importPlan, .imports, .importCheck, .importNew, .backup,
    .restore, .widget, .widgetWrite, .widgetFile, .providers, .provider, .providerNew, .pluginNew, .providerCheck,
    .cache, .cacheClear, .config, .configPath, .configCheck, .configInit, .configAlias, .trusted, .trust, .trustRemove,
    .recordingCheck, .recordingAccept, .doctor, .schemas, .error, .notice,
  ]
}

/// The shape `bitpal.schemas/1`: every schema, and its path on a server.
package struct SchemasOutput: OutputShape {
  package init() {}

  package let schema = OutputSchema.schemas

  package var columns: [String] { ["schema", "path", "description"] }

  package var rows: [JSONObject] {
    OutputSchema.all.map {
      [
        "schema": .string($0.schema), "path": .string("/v1/schemas/\($0.name)"), "description": .string($0.about),
      ]
    }
  }

  package var members: JSONObject { ["schemas": rowsValue] }
}

extension OutputSchema {
  package static let schemas = OutputSchema(
    "bitpal.schemas/1", "The JSON Schemas of everything that bitpal writes.",
    [
      "schemas": .list(
        .object([
          "schema": .text("The name and version of a shape."), "path": .text("The path of its JSON Schema."),
          "description": .text("The text of the notice."),
        ]), "One for each shape.")
    ])
}

// MARK: Common members

extension SchemaMembers {
  /// The members for the source and the age of an answer.
  static let provenance: SchemaMembers = [
    "fetched_at": .instant("The time at which the source was asked."),
    "stale": .flag("Whether the answer is marked as old."),
    "stale_reason": .word(
      ["source_failed", "offline", "renewing", "outdated"],
      "The reason for the mark: the answer is stale, or the source's own time is old; null without a mark."
    ).orNull,
    "source": .text("The provider that answered."),
    "converted": .named(
      "converted",
      .object(
        [
          "from": .text("The source's currency."),
          "price": .decimal("The price in that; null for a series.").orNull,
          "rate": .decimal("The price of one unit of the source's currency.").orNull,
          "rate_source": .text("The provider of the rate."),
          "rate_time": .instant("The time of the rate."),
        ], "The conversion of a price into a currency that its source lacks.")
    ).orNull,
  ]

  /// The members of a price with its coin.
  static let price: SchemaMembers =
    [
      "id": .text("The source's id of the coin."), "symbol": .text("The ticker, which several coins may share."),
      "name": .text("The name."), "price": .decimal("The price of one unit in the currency of the answer."),
      "change_24h": .decimal("The change over 24 hours in percent.").orNull,
      "last_updated": .instant("The source's own time of the price.").orNull,
    ] + provenance + ["place": .text("The place of a price from a file of the user's.").orNull]

  /// The members of a price, all of them null but the id.
  static let noPrice: SchemaMembers = ["id": .text("The id as it was added.")] + price.nulls(but: ["id"])

  /// The members before the rows: the provider and the currency.
  static let frame: SchemaMembers = ["provider": .provider, "currency": .currency]
}

extension ValueSchema {
  static let provider: ValueSchema = .text(
    "The provider that answered, of several the first; where none did, the first of the settings."
  ).orNull
  static let currency: ValueSchema = .text("The currency of all money in the answer, in small letters.")

  /// The schema of a price with its coin.
  static let price: ValueSchema = .named("price_row", .object(.price, "The price of a coin."))
}
