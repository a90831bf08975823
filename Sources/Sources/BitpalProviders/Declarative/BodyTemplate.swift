import BitpalJSON
import BitpalModel
import BitpalNetwork
import FoundationEssentials

/// A template of a request's body, which escapes values for the places where they are filled in.
struct BodyTemplate: Sendable {
  /// The reason why a body can never be sent.
  struct Fault: Error {
    let message: String
  }

  /// The context of a placeholder, which determines how its value is escaped.
  private enum Place {
    /// Within the quotes of a JSON string.
    case string

    /// Without quotes in JSON: a number, or a list.
    case value

    /// In a form, percent-encoded as in a URL.
    case form

    /// Between the tags of XML.
    case xml

    /// In any other text, unescaped.
    case text
  }

  private enum Part {
    case literal(String)
    case filled(DeclaredPlaceholder.Part, Place)
  }

  /// The content type of the body: the declared one, otherwise that of JSON or of a form.
  let contentType: String

  /// The placeholders of the body.
  let placeholders: Set<DeclaredPlaceholder>

  private let parts: [Part]

  /// Creates a body template.
  ///
  /// - Parameters:
  ///   - text: The body; a text that begins with `{` or `[` is JSON, any other a form unless `contentType` differs.
  ///   - declared: The content type in the headers of the file; nil where they have none.
  /// - Throws: ``Fault`` for a text placeholder outside of quotes in JSON, and for a body that only begins like JSON.
  init(_ text: String, contentType declared: String?) throws(Fault) {
    let isJSON = text.first { !$0.isWhitespace }.map { "{[".contains($0) } ?? false
    contentType = declared ?? (isJSON ? "application/json" : "application/x-www-form-urlencoded")
    let kind = contentType.lowercased()
    let place: Place = kind.contains("form-urlencoded") ? .form : kind.contains("xml") ? .xml : .text
    // The reader of the file has reported unknown placeholders.
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
      throw Fault(message: "this begins like JSON but is not valid JSON; write it as a mapping, or with double quotes")
    }
  }

  /// The placeholders that may stand in JSON without quotes: numbers, lists, and the cursor of an answer.
  private static let unquoted: Set<DeclaredPlaceholder> = [
    .days, .from, .to, .fromMilliseconds, .toMilliseconds, .interval, .ids, .upperSymbols, .cursor, .page,
    .offset,
  ]

  /// Returns the body with the values filled in.
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

/// The state of a reader of JSON, which knows whether it is within a string.
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

/// The values of the placeholders of a request.
struct RequestValues {
  /// The cursor of the next page, as the source states it.
  struct Cursor: Hashable, Sendable {
    /// The cursor as text.
    let text: String

    /// The cursor in JSON, as the source wrote it.
    let json: String
  }

  let values: [DeclaredPlaceholder: String]

  /// The cursor from the page before; nil for the first page.
  let cursor: Cursor?

  init(_ values: [DeclaredPlaceholder: String], cursor: Cursor? = nil) {
    self.values = values
    self.cursor = cursor
  }

  /// Returns the value of a part unchanged; empty where there is none.
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

  /// Returns the value of a part as JSON: a list of coins, a number, or a text; `null` for a missing cursor.
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
