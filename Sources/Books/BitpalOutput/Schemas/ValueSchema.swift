package import BitpalJSON

/// A schema of a value, in JSON Schema (draft 2020-12).
package struct ValueSchema: Sendable {
  private indirect enum Kind: Sendable {
    /// A type of JSON, with its further keywords.
    case plain(String, JSONObject)
    case words([String])
    case list(ValueSchema)
    case object(SchemaMembers)

    /// An object whose keys are not known in advance.
    case map(ValueSchema)
    case either([ValueSchema])

    /// A definition to which several schemas refer.
    case named(String, ValueSchema)
  }

  private let kind: Kind
  private let about: String?
  private var isNullable = false

  /// Whether the key of the value may be missing.
  package private(set) var isOptional = false

  private init(_ kind: Kind, _ about: String? = nil) {
    self.kind = kind
    self.about = about
  }

  /// The same schema, which also allows null.
  package var orNull: ValueSchema {
    var schema = self
    schema.isNullable = true
    return schema
  }

  /// The same schema for a member that may be missing.
  package var orMissing: ValueSchema {
    var schema = self
    schema.isOptional = true
    return schema
  }

  // MARK: Kinds

  package static func text(_ about: String, pattern: String? = nil, example: String? = nil) -> ValueSchema {
    var rules: JSONObject = [:]
    if let pattern { rules.append("pattern", .string(pattern)) }
    if let example { rules.append("examples", [.string(example)]) }
    return ValueSchema(.plain("string", rules), about)
  }

  /// Returns the schema of money, a quantity or a percentage: text with all its digits and without an exponent.
  package static func decimal(_ about: String) -> ValueSchema {
    text(about, pattern: #"^-?(0|[1-9][0-9]*)(\.[0-9]+)?$"#)
  }

  /// Returns the schema of a JSON number, which is how CoinGecko writes figures.
  package static func number(_ about: String) -> ValueSchema { ValueSchema(.plain("number", [:]), about) }

  /// Returns the schema of an instant of ISO 8601 in UTC.
  package static func instant(_ about: String) -> ValueSchema {
    ValueSchema(.plain("string", ["format": "date-time", "pattern": "Z$"]), about)
  }

  /// Returns the schema of a day in UTC.
  package static func day(_ about: String) -> ValueSchema {
    ValueSchema(.plain("string", ["format": "date"]), about)
  }

  /// Returns the schema of an integer between `least` and `most`.
  package static func count(_ about: String, from least: Int = 0, to most: Int? = nil) -> ValueSchema {
    let upper: JSONObject = most.map { ["maximum": .integer($0)] } ?? [:]
    return ValueSchema(.plain("integer", ["minimum": .integer(least)] + upper), about)
  }

  /// The schema of null: the value of a key of another program's shape for which no source of ours has data.
  static let unknown = ValueSchema(.plain("null", [:]))

  package static func flag(_ about: String) -> ValueSchema { ValueSchema(.plain("boolean", [:]), about) }

  /// Returns the schema of one of a few words.
  package static func word(_ words: [String], _ about: String) -> ValueSchema { ValueSchema(.words(words), about) }

  package static func list(_ element: ValueSchema, _ about: String) -> ValueSchema {
    ValueSchema(.list(element), about)
  }

  package static func object(_ members: SchemaMembers, _ about: String? = nil) -> ValueSchema {
    ValueSchema(.object(members), about)
  }

  package static func map(of value: ValueSchema, _ about: String) -> ValueSchema { ValueSchema(.map(value), about) }

  package static func either(_ kinds: ValueSchema..., about: String) -> ValueSchema {
    ValueSchema(.either(kinds), about)
  }

  /// Returns a definition with a name, which is written once and referred to.
  package static func named(_ name: String, _ schema: ValueSchema) -> ValueSchema { ValueSchema(.named(name, schema)) }

  // MARK: JSON

  /// Returns the schema as JSON.
  ///
  /// - Parameter definitions: The prefix of references to definitions, such as `#/$defs/`.
  package func json(_ definitions: String) -> JSONObject {
    let words: JSONObject = about.map { ["description": .string($0)] } ?? [:]
    return words + rules(definitions)
  }

  private func rules(_ definitions: String) -> JSONObject {
    switch kind {
    case .plain(let type, let rules): typed(type) + rules
    case .words(let words):
      typed("string") + ["enum": .array(words.map(JSONValue.string) + (isNullable ? [.null] : []))]
    case .list(let element): typed("array") + ["items": .object(element.json(definitions))]
    case .object(let members): typed("object") + members.json(definitions)
    case .map(let value): typed("object") + ["additionalProperties": .object(value.json(definitions))]
    case .either(let kinds): alternatives(kinds.map { $0.json(definitions) })
    case .named(let name, _): isNullable ? alternatives([reference(name, definitions)]) : reference(name, definitions)
    }
  }

  private func typed(_ type: String) -> JSONObject {
    ["type": isNullable ? [.string(type), "null"] : .string(type)]
  }

  private func reference(_ name: String, _ definitions: String) -> JSONObject {
    ["$ref": .string(definitions + name)]
  }

  private func alternatives(_ kinds: [JSONObject]) -> JSONObject {
    ["anyOf": .array((kinds + (isNullable ? [["type": "null"]] : [])).map(JSONValue.object))]
  }

  /// The definitions to which the schema refers, by their names.
  package var definitions: [String: ValueSchema] {
    switch kind {
    case .plain, .words: [:]
    case .list(let schema), .map(let schema): schema.definitions
    case .object(let members): Self.union(members.members.map(\.schema))
    case .either(let kinds): Self.union(kinds)
    case .named(let name, let schema): schema.definitions.merging([name: schema]) { $1 }
    }
  }

  /// Returns the definitions to which several schemas refer.
  package static func union(_ schemas: [ValueSchema]) -> [String: ValueSchema] {
    schemas.reduce(into: [:]) { $0.merge($1.definitions) { $1 } }
  }
}

/// The members of an object, in the order in which they are written, with their schemas.
package struct SchemaMembers: ExpressibleByDictionaryLiteral, Sendable {
  package private(set) var members: [(key: String, schema: ValueSchema)]

  package init(dictionaryLiteral elements: (String, ValueSchema)...) {
    self.init(elements)
  }

  init(_ members: [(String, ValueSchema)]) {
    self.members = members.map { (key: $0.0, schema: $0.1) }
  }

  /// Returns the members of both, the left ones first.
  package static func + (left: SchemaMembers, right: SchemaMembers) -> SchemaMembers {
    var sum = left
    sum.members += right.members
    return sum
  }

  fileprivate func json(_ definitions: String) -> JSONObject {
    [
      "properties": .object(JSONObject(members.map { ($0.key, .object($0.schema.json(definitions))) })),
      "required": .array(members.filter { !$0.schema.isOptional }.map { .string($0.key) }),
    ]
  }
}
