/// A JSON value whose members keep their order and whose numbers keep their text.
indirect enum JSONValue {
  case object([(key: String, value: JSONValue)])
  case array([JSONValue])
  case string(String)

  /// A number, `true`, `false` or `null`, as it is written.
  case literal(String)

  static let null = JSONValue.literal("null")

  static func integer(_ value: Int) -> JSONValue { .literal(String(value)) }
}

extension JSONValue: ExpressibleByDictionaryLiteral {
  init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(elements.map { (key: $0.0, value: $0.1) })
  }
}

extension JSONValue: ExpressibleByArrayLiteral {
  init(arrayLiteral elements: JSONValue...) {
    self = .array(elements)
  }
}

extension JSONValue: ExpressibleByStringLiteral {
  init(stringLiteral value: String) {
    self = .string(value)
  }
}

extension JSONValue: ExpressibleByBooleanLiteral {
  init(booleanLiteral value: Bool) {
    self = .literal(value ? "true" : "false")
  }
}

extension JSONValue: ExpressibleByIntegerLiteral {
  init(integerLiteral value: Int) {
    self = .integer(value)
  }
}
