/// The members of a JSON object, in the order in which they are written.
struct JSONObject: Equatable, Sendable, ExpressibleByDictionaryLiteral {
  private(set) var members: [Member]

  /// A key and its value.
  struct Member: Equatable, Sendable {
    let key: String
    let value: JSONValue
  }

  init(_ members: [(String, JSONValue)]) {
    self.members = members.map { Member(key: $0.0, value: $0.1) }
  }

  init(dictionaryLiteral elements: (String, JSONValue)...) {
    self.init(elements)
  }

  /// The value of a key; nil when there is none.
  subscript(key: String) -> JSONValue? {
    members.first { $0.key == key }?.value
  }

  /// This object's members, then the other's.
  static func + (left: JSONObject, right: JSONObject) -> JSONObject {
    var sum = left
    sum.members += right.members
    return sum
  }
}
