import BitpalJSON
import BitpalModel
import BitpalNetwork
import FoundationEssentials

/// The body of a request, with what is filled in escaped for where it stands.
struct BodyTemplate: Sendable {
  /// Why a body cannot be sent, whatever is filled in.
  struct Fault: Error {
    let message: String
  }

  /// Where a placeholder stands.
  private enum Place {
    /// Within the quotes of a JSON string.
    case string

    /// Without quotes in JSON: a number, or a list.
    case value

    /// In a form, as in a URL.
    case form

    /// Between the tags of XML.
    case xml

    /// In any other text.
    case text
  }

  private enum Part {
    case literal(String)
    case filled(DeclaredPlaceholder.Part, Place)
  }

  /// What the body is.
  let contentType: String

  /// Whatever is filled in.
  let placeholders: Set<DeclaredPlaceholder>

  private let parts: [Part]

  /// - Parameters:
  ///   - text: The body; what begins as JSON is JSON, and anything else a form unless `contentType` says otherwise.
  ///   - contentType: What a header of the file says.
  init(_ text: String, contentType declared: String?) throws(Fault) {
    let isJSON = text.first { !$0.isWhitespace }.map { "{[".contains($0) } ?? false
    contentType = declared ?? (isJSON ? "application/json" : "application/x-www-form-urlencoded")
    let kind = contentType.lowercased()
    let place: Place = kind.contains("form-urlencoded") ? .form : kind.contains("xml") ? .xml : .text
    // What is no placeholder was told when the file was read.
    let found = (try? DeclaredPlaceholder.parts(ofBody: text, allowed: DeclaredPlaceholder.allCases)) ?? []
    placeholders = Set(found.compactMap(\.name))
    var quotes = JSONQuotes()
    var parts: [Part] = []
    for part in found {
      switch part {
      case .literal(let literal):
        quotes.read(literal)
        parts.append(.literal(literal))
      case .placeholder where !isJSON, .date where !isJSON:
        parts.append(.filled(part, place))
      case .placeholder where quotes.areOpen, .date where quotes.areOpen:
        parts.append(.filled(part, .string))
      case .placeholder(let name) where Self.unquoted.contains(name):
        parts.append(.filled(part, .value))
      case .placeholder(let name), .date(let name, _):
        throw Fault(message: "{\(name.rawValue)} is a text and must stand in quotes here")
      }
    }
    self.parts = parts
    let sample = Dictionary(uniqueKeysWithValues: DeclaredPlaceholder.allCases.map { ($0, "1") })
    if isJSON, (try? JSONRows().forEach("SELECT json_type(?1)", in: bytes(RequestValues(sample))) { _ in }) == nil {
      throw Fault(message: "this begins like JSON and is none; write it as a mapping, or with double quotes")
    }
  }

  /// What may stand in JSON without quotes: numbers, lists, and what an answer said itself.
  private static let unquoted: Set<DeclaredPlaceholder> = [
    .days, .from, .to, .fromMilliseconds, .toMilliseconds, .interval, .ids, .upperSymbols, .cursor,
  ]

  /// The body that asks a question.
  func bytes(_ values: RequestValues) -> [UInt8] {
    var text = ""
    for part in parts {
      switch part {
      case .literal(let literal): text += literal
      case .filled(let part, .value): text += values.json(of: part)
      case .filled(let part, let place): text += Self.escaped(values.text(of: part), in: place)
      }
    }
    return Array(text.utf8)
  }

  private static func escaped(_ text: String, in place: Place) -> String {
    switch place {
    case .string: String(JSONValue.string(text).compact(.plain).dropFirst().dropLast())
    case .form: URLText.encoded(text)
    case .xml: XMLText.escaped(text, quotes: true)
    case .value, .text: text
    }
  }
}

/// Whether a place in JSON is within a string.
private struct JSONQuotes {
  private(set) var areOpen = false
  private var isEscaped = false

  mutating func read(_ text: String) {
    for byte in text.utf8 {
      if isEscaped {
        isEscaped = false
      } else if areOpen, byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if byte == UInt8(ascii: "\"") {
        areOpen.toggle()
      }
    }
  }
}

/// What the placeholders of a request stand for.
struct RequestValues {
  /// Where a source said that its next page is.
  struct Cursor: Hashable, Sendable {
    /// The text of it.
    let text: String

    /// As the source wrote it, in JSON.
    let json: String
  }

  let values: [DeclaredPlaceholder: String]

  /// What the page before said; nil for the first.
  let cursor: Cursor?

  init(_ values: [DeclaredPlaceholder: String], cursor: Cursor? = nil) {
    self.values = values
    self.cursor = cursor
  }

  /// What is filled in, as it is; what has no value is empty.
  func text(of part: DeclaredPlaceholder.Part) -> String {
    switch part {
    case .literal(let text): return text
    case .placeholder(.cursor): return cursor?.text ?? ""
    case .placeholder(let name): return values[name] ?? ""
    case .date(let name, let pattern):
      let instant = values[name == .from ? .fromMilliseconds : .toMilliseconds].flatMap { Int64($0) }
      return instant.map { pattern.text(of: Date(milliseconds: $0)) } ?? ""
    }
  }

  /// What is filled in, as a JSON value: several coins are a list, what is a number is one.
  func json(of part: DeclaredPlaceholder.Part) -> String {
    let text = text(of: part)
    switch part.name {
    case .cursor: return cursor?.json ?? "null"
    case .ids, .upperSymbols:
      return JSONValue.array(text.split(separator: ",").map { .string(String($0)) }).compact(.plain)
    default:
      let isNumber = (try? Decimal(strict: text)) != nil
      return isNumber ? text : JSONValue.string(text).compact(.plain)
    }
  }
}
