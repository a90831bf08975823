package import BitpalModel
package import FoundationEssentials

/// The parameters of a question by name, as an interface received them: options of the command line, the query of a
/// request.
package protocol Parameters: Sendable {
  /// The notation of the parameters, for messages about them.
  var notation: ParameterNotation { get }

  /// Returns the value of a parameter; nil when it is missing.
  subscript(name: String) -> String? { get }

  /// Returns whether a parameter without a value of its own is on.
  ///
  /// - Throws: ``BitpalError/usage(_:hint:)`` for a value that means neither.
  func flag(_ name: String) throws(BitpalError) -> Bool

  /// Returns the parts of a comma-separated parameter, without the spaces around each; empty when it is missing.
  func list(_ name: String) -> [String]
}

/// The notation of the parameters of an interface.
package enum ParameterNotation: Sendable {
  /// `--range 1W`.
  case options

  /// `range=1W`.
  case query

  /// Returns the name of a parameter.
  package func callAsFunction(_ name: String) -> String {
    switch self {
    case .options: "--" + name
    case .query: name
    }
  }

  /// Returns parameters with values, as an example.
  package func callAsFunction(_ pairs: KeyValuePairs<String, String>) -> String {
    switch self {
    case .options: pairs.map { "--\($0) \($1)" }.joined(separator: " ")
    case .query: pairs.map { "\($0)=\($1)" }.joined(separator: "&")
    }
  }
}

extension Parameters {
  /// Returns the value of a parameter as a day in UTC; nil when it is missing.
  ///
  /// - Throws: ``BitpalError/usage(_:hint:)`` for a value that is not a day, also for an instant within one: it would be
  ///   read as its day, and the close of that day as the price at the instant.
  package func day(_ name: String) throws(BitpalError) -> Date? {
    guard let text = self[name] else { return nil }
    guard text.utf8.count == 10, let day = Date(utcText: text) else {
      throw .usage("\(notation(name)): \"\(text)\" is not a day", hint: "write it like 2025-01-14")
    }
    return day
  }

  /// Returns the value of a parameter as the text of an instant, which a zone may still complete; nil when it is missing.
  ///
  /// - Throws: ``BitpalError/usage(_:hint:)`` for a value that is not an instant or a day.
  package func instant(_ name: String) throws(BitpalError) -> String? {
    guard let text = self[name] else { return nil }
    guard Date(utcText: text) != nil else {
      throw .usage(
        "\(notation(name)): \"\(text)\" is not an instant", hint: "write it like 2025-01-15 or 2025-01-15T10:30:00Z")
    }
    return text
  }

  /// Returns the value of a parameter as a whole number within bounds; nil when it is missing.
  ///
  /// - Throws: ``BitpalError/usage(_:hint:)`` for any other value.
  package func number(_ name: String, in range: ClosedRange<Int>) throws(BitpalError) -> Int? {
    guard let text = self[name] else { return nil }
    guard let number = Int(text), range.contains(number) else {
      let example = min(range.upperBound, max(range.lowerBound, 20))
      throw .usage(
        "\(notation(name)): \"\(text)\" is not a whole number from \(range.lowerBound) to \(range.upperBound)",
        hint: "write it like \(notation([name: "\(example)"]))")
    }
    return number
  }

  /// Returns the value of a parameter as a whole number within the bounds of its description; nil when it is missing.
  ///
  /// - Throws: ``BitpalError/usage(_:hint:)`` for any other value.
  package func number(_ parameter: ParameterSpec) throws(BitpalError) -> Int? {
    guard case .count(let range) = parameter.values else { return nil }
    return try number(parameter.name, in: range)
  }

  /// Returns the value of a parameter, one of the words of its description; nil when it is missing.
  ///
  /// - Throws: ``BitpalError/usage(_:hint:)`` for another word.
  package func word(_ parameter: ParameterSpec) throws(BitpalError) -> String? {
    guard case .choice(let words) = parameter.values, let text = self[parameter.name] else { return nil }
    guard words.contains(text) else {
      throw .usage(
        "\(notation(parameter.name)): unknown value \"\(text.printable(limit: 80))\"",
        hint: "there are: \(words.joined(separator: ", "))")
    }
    return text
  }

  /// Returns the value of a parameter as a decimal number; nil when it is missing.
  ///
  /// - Throws: ``BitpalError/usage(_:hint:)`` for a value that is not a decimal number.
  package func decimal(_ name: String) throws(BitpalError) -> Decimal? {
    try self[name].map { text throws(BitpalError) in try Decimal(text, named: notation(name)) }
  }
}

extension Decimal {
  /// Reads a decimal number.
  ///
  /// - Parameter name: The name of the parameter, for the message.
  /// - Throws: ``BitpalError/usage(_:hint:)`` for a text that is not a decimal number.
  package init(_ text: String, named name: String) throws(BitpalError) {
    do throws(DecimalError) {
      try self.init(strict: text)
    } catch {
      throw .usage("\(name): \(error)")
    }
  }
}
