import BitpalJSON
import BitpalModel

/// The server's description of itself in OpenAPI 3.1, made from its routes and the schemas of its answers, so that it
/// cannot differ from them.
package struct OpenAPI: Sendable {
  /// A group of paths with a common prefix and a common form of failures.
  package struct Family: Sendable {
    let prefix: [String]
    let paths: [(pattern: String, description: PathDescription)]
    let failure: ValueSchema
    let failures: Set<Int>

    /// Creates a family.
    ///
    /// - Parameters:
    ///   - prefix: The first segments of its paths.
    ///   - failure: The schema of a failure.
    ///   - failures: The statuses of the failures of a source.
    package init(
      _ prefix: [String], _ paths: [(pattern: String, description: PathDescription)], failure: ValueSchema,
      failures: [Int]
    ) {
      self.prefix = prefix
      self.paths = paths
      self.failure = failure
      self.failures = Set(failures)
    }
  }

  private let families: [Family]

  /// The path of the description.
  package static let path = ["v1", "openapi.json"]

  package init(_ families: [Family]) {
    self.families = families
  }

  /// The description as JSON over several lines.
  package var text: String {
    let paths = families.flatMap { family in
      family.paths.map { ($0.pattern, Self.operation($0.description, of: family)) }
    }
    let schemas = ValueSchema.union(described).sorted { $0.key < $1.key }
    let description: JSONObject = [
      "openapi": "3.1.0",
      "info": [
        "title": "bitpal", "version": .string(BitpalVersion.current),
        "description":
          "Prices from any source: below /v1 what the command line prints as JSON. The paths below /api/v3 are CoinGecko's.",
        "license": ["name": "Apache 2.0", "identifier": "Apache-2.0"],
      ],
      "servers": [["url": "/"]],
      // A server that only this machine can reach requires no token.
      "security": [[:], ["token": []]],
      "paths": .object(JSONObject((paths + Self.others).map { ($0.0, ["get": .object($0.1)]) })),
      "components": [
        "headers": .object(Self.headers), "responses": .object(responses),
        "schemas": .object(JSONObject(schemas.map { ($0.key, .object($0.value.json(Self.schemas))) })),
        "securitySchemes": ["token": ["type": "http", "scheme": "bearer"]],
      ],
    ]
    return JSONValue.object(description).indented(.plain)
  }

  private static let schemas = "#/components/schemas/"

  /// The schemas of all answers of the paths.
  private var described: [ValueSchema] {
    families.flatMap { family in
      [family.failure, CoinGeckoError.schema]
        + family.paths.compactMap { path in
          switch path.description.answer {
          case .json(let schema), .jsonOrPicture(let schema): schema
          case .schema, .events: nil
          }
        }
    }
  }

  // MARK: Operations

  private static func operation(_ description: PathDescription, of family: Family) -> JSONObject {
    let content: JSONObject =
      switch description.answer {
      case .json(let schema): [json: media(schema)] + rows
      case .jsonOrPicture(let schema): [json: media(schema)] + rows + ["image/svg+xml": [:]]
      case .events: ["text/event-stream": ["schema": ["type": "string"]]]
      case .schema: ["application/schema+json": ["schema": ["type": "object"]]]
      }
    var responses: [(String, JSONValue)] = [
      ("200", ["description": "The answer.", "headers": headerReferences, "content": .object(content)]),
      ("304", ["description": "The answer is the one that the client has (If-None-Match)."]),
    ]
    for status in refusals.map(\.0) + failures(of: family, isOfSource: description.isOfSource) {
      responses.append((String(status), reference(status, of: family)))
    }
    return [
      "summary": .string(description.summary),
      "parameters": .array(description.parameters.map { .object(parameter($0)) }),
      "responses": .object(JSONObject(responses)),
    ]
  }

  /// Returns the statuses of failures: those of every path, and where a source is asked those of the source.
  private static func failures(of family: Family, isOfSource: Bool) -> [Int] {
    (isOfSource ? family.failures : [404, 422]).subtracting(refusals.map(\.0)).sorted()
  }

  /// Returns a reference such as `#/components/responses/v1_404`.
  private static func reference(_ status: Int, of family: Family) -> JSONValue {
    ["$ref": .string("#/components/responses/" + name(status, of: family))]
  }

  private static func name(_ status: Int, of family: Family) -> String {
    let beginning = refusals.contains { $0.0 == status } ? ["refusal"] : family.prefix
    return (beginning + [String(status)]).joined(separator: "_")
  }

  /// The responses of failures, each with its meaning.
  private var responses: JSONObject {
    let refusals = Self.refusals.map {
      ("refusal_\($0.0)", Self.response($0.1, Self.media(CoinGeckoError.schema)))
    }
    let failures = families.flatMap { family in
      Self.failures(of: family, isOfSource: true).map {
        (Self.name($0, of: family), Self.response(Self.meaning($0), Self.media(family.failure), rows: Self.rows))
      }
    }
    return JSONObject(refusals + failures)
  }

  private static func response(_ meaning: String, _ media: JSONValue, rows: JSONObject = [:]) -> JSONValue {
    ["description": .string(meaning), "content": .object([json: media] + rows)]
  }

  private static func parameter(_ parameter: PathDescription.Parameter) -> JSONObject {
    let place: JSONObject = [
      "name": .string(parameter.name), "in": parameter.isInPath ? "path" : "query",
      "required": .bool(parameter.isRequired),
    ]
    // An empty value counts as a missing one.
    let emptiness: JSONObject = parameter.isRequired ? [:] : ["allowEmptyValue": true]
    return place + emptiness + ["schema": .object(parameter.schema.json(schemas))]
  }

  private static func media(_ schema: ValueSchema) -> JSONValue { ["schema": .object(schema.json(schemas))] }

  private static let json = "application/json"

  /// The same answer as rows for spreadsheets, and as text.
  private static let rows: JSONObject = [
    "text/csv": ["schema": ["type": "string"]], "text/plain": ["schema": ["type": "string"]],
  ]

  /// The paths outside of the families.
  private static let others: [(String, JSONObject)] = [
    ("/healthz", text("Whether the server lives.", "ok")),
    ("/metrics", text("The counters of the server, for Prometheus.", "The text format of Prometheus, version 0.0.4.")),
    (
      "/" + path.joined(separator: "/"),
      [
        "summary": "This description.",
        "responses": ["200": ["description": "The answer.", "content": [json: [:]]]],
      ]
    ),
  ]

  private static func text(_ summary: String, _ about: String) -> JSONObject {
    let content: JSONValue = ["text/plain": ["schema": ["type": "string", "description": .string(about)]]]
    return ["summary": .string(summary), "responses": ["200": ["description": "The answer.", "content": content]]]
  }

  // MARK: Words

  private static let headerReferences: JSONValue = .object(
    JSONObject(headers.members.map { ($0.key, ["$ref": .string("#/components/headers/\($0.key)")]) }))

  private static let headers: JSONObject = JSONObject(
    [
      ("Cache-Status", "Whether a source was asked (RFC 9211)."), ("Age", "Seconds since the oldest part was fetched."),
      ("X-Bitpal-Source", "The providers that answered."),
      ("X-Bitpal-Agreement", "Only where sources have to agree: of how many of them the prices count, as 3 of 4."),
      ("X-Bitpal-Stale", "Only where something is old: source_failed, renewing, offline or outdated."),
      ("ETag", "Changes with the content."),
    ].map { ($0, ["description": .string($1), "schema": ["type": "string"]]) })

  /// The refusals of the gate, whatever the request.
  private static let refusals = [
    (400, "The request cannot be read."), (401, "The token is missing or wrong."), (413, "The request has a body."),
    (421, "The server does not go by that name (Host)."),
  ]

  private static func meaning(_ status: Int) -> String {
    switch status {
    case 403: "The source's plan does not reach so far, or the answer is for the owner alone."
    case 404: "There is nothing of that name, or no price of it."
    case 409: "Several coins have that name."
    case 422: "A parameter is missing or wrong."
    case 429: "The budget of requests is used up; Retry-After says for how long."
    case 501: "The source cannot answer that."
    case 502: "The source failed."
    case 503: "The source has just failed and is not asked for a while, or the server stops."
    case 504: "The source took too long."
    default: "Something on this machine is damaged."
    }
  }
}
