import BitpalJSON
import BitpalModel

/// The schema of a documented shape, declared beside the shape.
///
/// It is the single source of `docs/schemas.jsonl`, of the installed schemas and of the server's description of its answers, and the tests
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
    let errors: SchemaMembers = hasErrors ? ["errors": .list(OutputError.schema, "The failures.")] : [:]
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

  /// The same on one line.
  package var line: String { JSONValue.object(json).compact(.plain) }

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
    PricesOutput.schema, SourcePricesOutput.schema, ConvertOutput.schema, ChartOutput.schema, ComparisonOutput.schema,
    CoinOutput.schema,
    CoinsOutput.schema, HistoryOutput.schema, HistoriesOutput.schema, SearchOutput.schema, WatchlistOutput.schema,
    TransactionsOutput.schema, PortfolioOutput.schema, PortfoliosOutput.schema, PortfolioTotalOutput.schema,
    GainsOutput.schema, LotsOutput.schema, PortfolioChartOutput.schema,
    ReturnsOutput.schema, ImportPlanOutput.schema, ImportsOutput.schema,
    ImportCheckOutput.schema, OutlineOutput.schema,
    WidgetOutput.schema, .widgetFile, ProvidersOutput.schema,
    CoverageOutput.schema, SettingsOutput.provider.schema,
    ProviderCheckOutput.schema, ProviderChecksOutput.schema, CacheOutput.schema, SettingsOutput.config.schema,
    TrustOutput.schema,
    TrustedOutput.schema,
    RecordingCheckOutput.schema, DoneOutput.schema, DoctorOutput.schema, SchemasOutput.schema,
    ErrorOutput.schema, NoticeOutput.schema,
  ]
}

/// The shape `bitpal.schemas/1`: every schema, and its path on a server.
package struct SchemasOutput: FieldShape {
  package init() {}

  package static let shape = Shape<Self>(
    "bitpal.schemas/1", "The JSON Schemas of everything that bitpal writes.",
    [.list("schemas", "One for each shape.", rowFields) { $0.rowSubjects }])

  package static let rowFields: Fields<OutputSchema> = [
    Field("schema", .text("The name and version of a shape.")) { $0.schema },
    Field("path", .text("The path of its JSON Schema.")) { "/v1/schemas/\($0.name)" },
    Field("description", .text("A sentence about the shape.")) { $0.about },
  ]

  package var rowSubjects: [OutputSchema] { OutputSchema.all }
}

// MARK: Common members

extension Fields {
  /// Returns the fields before the rows: the provider and the currency.
  static func frame(
    _ provider: @escaping @Sendable (Subject) -> String?, _ currency: @escaping @Sendable (Subject) -> String
  ) -> Fields {
    [Field("provider", .provider, provider), Field("currency", .currency, currency)]
  }
}

extension ValueSchema {
  static let provider: ValueSchema = .text(
    "The provider that answered, of several the first; where none did, the first of the settings."
  ).orNull
  static let currency: ValueSchema = .text("The currency of all money in the answer, in small letters.")

  /// The schema of a price with its coin.
  static let price: ValueSchema = .named("price_row", .object(PriceRow.fields.schema, "The price of a coin."))

  /// The schema of a row of a list of prices.
  static let listedPrice: ValueSchema = .named(
    "listed_price", .object(ListedPrice.fields.schema, "The price of a coin with its market figures."))
}
