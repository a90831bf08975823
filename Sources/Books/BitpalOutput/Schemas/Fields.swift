package import BitpalJSON
import BitpalModel
package import FoundationEssentials

/// A type whose values are written into the output.
package protocol OutputValue: SendableMetatype {
  /// Whether a value may be null.
  static var isNullable: Bool { get }

  /// The value as JSON.
  var output: JSONValue { get }
}

extension OutputValue {
  package static var isNullable: Bool { false }
}

extension String: OutputValue {
  package var output: JSONValue { .string(self) }
}

extension Bool: OutputValue {
  package var output: JSONValue { .bool(self) }
}

extension Int: OutputValue {
  package var output: JSONValue { .integer(self) }
}

extension Decimal: OutputValue {
  package var output: JSONValue { JSONValue(self) }
}

extension Date: OutputValue {
  package var output: JSONValue { JSONValue(self) }
}

extension JSONValue: OutputValue {
  package var output: JSONValue { self }
}

extension JSONObject: OutputValue {
  package var output: JSONValue { .object(self) }
}

extension Array: OutputValue where Element: OutputValue {
  package var output: JSONValue { .array(map(\.output)) }
}

extension Optional: OutputValue where Wrapped: OutputValue {
  package static var isNullable: Bool { true }
  package var output: JSONValue { map(\.output) ?? .null }
}

/// A key of an object of the output, with its schema and its value.
///
/// ```swift
/// let fields: Fields<Coin> = [
///   Field("id", .text("The coin's id.")) { $0.id },
///   Field("price", .decimal("The price of one coin.")) { $0.currentPrice },
/// ]
/// ```
package struct Field<Subject>: Sendable {
  fileprivate let key: String
  fileprivate let schema: ValueSchema
  fileprivate let value: @Sendable (Subject) -> JSONValue

  /// Creates a field.
  ///
  /// - Parameters:
  ///   - schema: The schema of the value; an optional value may be null, or its key missing when the schema says so.
  ///   - value: Returns the value of a subject.
  package init<Value: OutputValue>(
    _ key: String, _ schema: ValueSchema, _ value: @escaping @Sendable (Subject) -> Value
  ) {
    self.key = key
    self.schema = Value.isNullable && !schema.isOptional ? schema.orNull : schema
    self.value = { value($0).output }
  }

  /// Returns a field with the same value for every subject.
  static func constant(_ key: String, _ schema: ValueSchema, _ value: JSONValue) -> Field {
    Field(key, schema) { _ in value }
  }

  /// Returns a field of another program's shape for which no source of ours has data.
  static func unknown(_ key: String) -> Field { constant(key, .unknown, .null) }

  /// Returns a field of another program's shape that is always an empty list or an empty map.
  static func empty(_ key: String, _ value: JSONValue) -> Field {
    constant(key, value == [] ? .list(.unknown, "None.") : .map(of: .unknown, "None."), value)
  }

  /// Returns the field of a coin's id, written as the name that stands for it, so that it can be used as input.
  static func coin(_ key: String, _ about: String, _ id: @escaping @Sendable (Subject) -> String?) -> Field {
    Field(key, .text(about)) { id($0).map(JSONValue.coin) ?? .null }
  }

  /// Returns the field of a list of objects.
  static func list<Part>(
    _ key: String, _ about: String, _ fields: Fields<Part>, _ parts: @escaping @Sendable (Subject) -> [Part]
  ) -> Field {
    Field(key, .list(.object(fields.schema), about)) { fields.objects(parts($0)) }
  }

  /// Returns the field of an object.
  static func object<Part>(
    _ key: String, _ about: String, _ fields: Fields<Part>, _ part: @escaping @Sendable (Subject) -> Part
  ) -> Field {
    Field(key, .object(fields.schema, about)) { fields.object(part($0)) }
  }

  /// Returns the field of an object that may be null.
  static func object<Part>(
    _ key: String, _ about: String, _ fields: Fields<Part>, orNull part: @escaping @Sendable (Subject) -> Part?
  ) -> Field {
    Field(key, .object(fields.schema, about)) { part($0).map(fields.object) }
  }
}

/// The keys of an object of the output, in order: its schema and its JSON are made from one list.
package struct Fields<Subject>: ExpressibleByArrayLiteral, Sendable {
  private let list: [Field<Subject>]

  package init(arrayLiteral elements: Field<Subject>...) {
    list = elements
  }

  package init(_ list: [Field<Subject>]) {
    self.list = list
  }

  /// Returns the fields of both, the left ones first.
  package static func + (left: Fields, right: Fields) -> Fields { Fields(left.list + right.list) }

  /// The keys.
  package var keys: [String] { list.map(\.key) }

  /// The schema of the members of an object.
  package var schema: SchemaMembers { SchemaMembers(list.map { ($0.key, $0.schema) }) }

  /// Returns a subject as an object; a key that may be missing is left out when its value is null.
  package func object(_ subject: Subject) -> JSONObject {
    var object: JSONObject = [:]
    for field in list {
      let value = field.value(subject)
      if value != .null || !field.schema.isOptional { object.append(field.key, value) }
    }
    return object
  }

  /// Returns each subject as an object.
  package func objects(_ subjects: [Subject]) -> [JSONObject] { subjects.map(object) }

  /// Returns the same fields of a part of a larger subject.
  func of<Whole>(_ part: @escaping @Sendable (Whole) -> Subject) -> Fields<Whole> {
    Fields<Whole>(list.map { field in Field(field.key, field.schema) { field.value(part($0)) } })
  }

  /// Returns the same keys without some of them, all of them null.
  func nulls<Other>(but kept: Set<String>) -> Fields<Other> {
    Fields<Other>(list.filter { !kept.contains($0.key) }.map { .constant($0.key, .unknown, .null) })
  }
}

/// The name, version, description and members of a shape of the output.
package struct Shape<Subject>: Sendable {
  package let schema: OutputSchema
  package let fields: Fields<Subject>

  /// Creates a shape.
  ///
  /// - Parameter hasErrors: Whether `errors` is the last member, as in every answer of the tool.
  init(_ name: String, _ about: String, hasErrors: Bool = true, _ fields: Fields<Subject>) {
    schema = OutputSchema(name, about, fields.schema, hasErrors: hasErrors)
    self.fields = fields
  }
}

/// A shape whose members and rows are made from lists of fields.
package protocol FieldShape: OutputShape {
  associatedtype Row = Self

  static var shape: Shape<Self> { get }

  /// The keys of a row; the members of the shape unless it has rows of its own.
  static var rowFields: Fields<Row> { get }

  /// The subjects of the rows.
  var rowSubjects: [Row] { get }
}

extension FieldShape {
  package static var schema: OutputSchema { shape.schema }
  package var schema: OutputSchema { Self.schema }
  package var members: JSONObject { Self.shape.fields.object(self) }
  package var columns: [String] { Self.rowFields.keys }
  package var rows: [JSONObject] { Self.rowFields.objects(rowSubjects) }
}

extension FieldShape where Row == Self {
  package static var rowFields: Fields<Self> { shape.fields }
  package var rowSubjects: [Self] { [self] }
}
