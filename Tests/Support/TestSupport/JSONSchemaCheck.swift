package import Foundation

/// Holds a JSON value against a JSON Schema, as far as ours go: a keyword that is not known here is a fault of the schema.
package struct JSONSchemaCheck {
  private let root: [String: Any]
  private let isClosed: Bool

  /// - Parameters:
  ///   - text: The schema.
  ///   - isClosed: Whether an object has none but the keys that are described, also where the schema lets new ones come.
  package init(_ text: Data, isClosed: Bool = false) throws {
    root = try JSONSerialization.jsonObject(with: text) as? [String: Any] ?? [:]
    self.isClosed = isClosed
  }

  /// What is wrong with a JSON text; nil when nothing is.
  package func fault(in text: String) -> String? { fault(in: text, by: root) }

  /// What is wrong with a JSON text, by the definition of a name; nil when nothing is.
  package func fault(in text: String, as definition: String) -> String? {
    fault(in: text, by: ["$ref": "#/$defs/" + definition])
  }

  private func fault(in text: String, by schema: [String: Any]) -> String? {
    guard let value = try? JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed) else {
      return "is no JSON"
    }
    return fault(value, schema, "$")
  }

  private func fault(_ value: Any, _ schema: [String: Any], _ place: String) -> String? {
    for (keyword, rule) in schema.sorted(by: { $0.key < $1.key }) {
      if let fault = fault(value, keyword, rule, schema, place) { return fault }
    }
    if isClosed, schema["properties"] != nil, schema["additionalProperties"] == nil {
      return fault(value, "additionalProperties", false, schema, place)
    }
    return nil
  }

  private func fault(
    _ value: Any, _ keyword: String, _ rule: Any, _ schema: [String: Any], _ place: String
  ) -> String? {
    let object = value as? [String: Any]
    let list = value as? [Any]
    let number = rule as? Int ?? 0
    switch keyword {
    case "description", "title", "examples", "$schema", "$defs": return nil
    case "$ref":
      let name = (rule as? String ?? "").replacingOccurrences(of: "#/$defs/", with: "")
      guard let target = (root["$defs"] as? [String: Any])?[name] as? [String: Any] else {
        return "there is no \(name)"
      }
      return fault(value, target, place)
    case "anyOf":
      let faults = (rule as? [[String: Any]] ?? []).map { fault(value, $0, place) }
      return faults.contains { $0 == nil } ? nil : faults.compactMap(\.self).joined(separator: " / ")
    case "type":
      let types = rule as? [String] ?? [rule as? String ?? ""]
      return types.contains(Self.type(of: value)) ? nil : "\(place) is no \(rule)"
    case "const": return value as? NSNumber == rule as? NSNumber ? nil : "\(place) is not \(rule)"
    case "enum":
      let isAmong = (rule as? [Any] ?? []).contains { ($0 as? NSObject) == (value as? NSObject) }
      return isAmong ? nil : "\(place) is none of \(rule)"
    case "format":
      let format = rule as? String ?? ""
      guard let pattern = Self.formats[format] else { return "the schema says \(format), which is not known here" }
      return (value as? String).map { $0.wholeMatch(of: pattern) == nil } == true
        ? "\(place) is written otherwise" : nil
    case "required":
      // What is no object, as null where that is allowed, need not have members.
      guard let object else { return nil }
      return (rule as? [String] ?? []).first { object[$0] == nil }.map { "\(place) lacks \($0)" }
    case "properties":
      let rules = rule as? [String: [String: Any]] ?? [:]
      return object?.lazy.compactMap { key, value in rules[key].flatMap { fault(value, $0, "\(place).\(key)") } }.first
    case "additionalProperties":
      let known = (schema["properties"] as? [String: Any] ?? [:]).keys
      return object?.lazy.filter { !known.contains($0.key) }.compactMap { key, value in
        (rule as? [String: Any]).map { fault(value, $0, "\(place).\(key)") } ?? "\(place) has \(key)"
      }.first
    case "items":
      return list?.enumerated().lazy.compactMap { index, item in
        fault(item, rule as? [String: Any] ?? [:], "\(place)[\(index)]")
      }.first
    case "minItems": return list.map { $0.count < number } == true ? "\(place) is too short" : nil
    case "maxItems": return list.map { $0.count > number } == true ? "\(place) is too long" : nil
    case "minLength": return (value as? String).map { $0.count < number } == true ? "\(place) is empty" : nil
    case "maxLength": return (value as? String).map { $0.count > number } == true ? "\(place) is too long" : nil
    case "minimum": return (value as? Int).map { $0 < number } == true ? "\(place) is too small" : nil
    case "maximum": return (value as? Int).map { $0 > number } == true ? "\(place) is too large" : nil
    case "pattern":
      guard let pattern = try? Regex(rule as? String ?? "") else { return "the pattern of \(place) is none" }
      return (value as? String).map { $0.firstMatch(of: pattern) == nil } == true
        ? "\(place) is written otherwise" : nil
    default: return "the schema says \(keyword), which is not known here"
    }
  }

  private static var formats: [String: Regex<Substring>] {
    ["date": /\d{4}-\d\d-\d\d/, "date-time": /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/]
  }

  private static func type(of value: Any) -> String {
    switch value {
    case is NSNull: "null"
    case is String: "string"
    case is [Any]: "array"
    case is [String: Any]: "object"
    case let number as NSNumber:
      // true is of the same class as 1, and of another type.
      String(cString: number.objCType) == "c"
        ? "boolean" : number.doubleValue.rounded() == number.doubleValue ? "integer" : "number"
    default: "nothing"
    }
  }
}
