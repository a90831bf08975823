package import BitpalQueries

/// A description of a path of the server: its purpose, its parameters and its answer.
package struct PathDescription: Sendable {
  /// A parameter of a request.
  package struct Parameter: Sendable {
    package let name: String
    let schema: ValueSchema
    let isRequired: Bool

    /// Whether it is the part of the path in braces.
    package let isInPath: Bool

    package init(_ name: String, _ schema: ValueSchema, isRequired: Bool = false) {
      self.init(name, schema, isRequired: isRequired, isInPath: false)
    }

    /// Creates the parameter of a question.
    package init(_ parameter: ParameterSpec, isRequired: Bool = false) {
      self.init(parameter.name, parameter.schema, isRequired: isRequired)
    }

    private init(_ name: String, _ schema: ValueSchema, isRequired: Bool, isInPath: Bool) {
      self.name = name
      self.schema = schema
      self.isRequired = isRequired
      self.isInPath = isInPath
    }

    /// Returns the parameter for the part of the path in braces.
    package static func segment(_ name: String, _ schema: ValueSchema) -> Parameter {
      Parameter(name, schema, isRequired: true, isInPath: true)
    }
  }

  /// The form of a successful answer.
  package enum Answer: Sendable {
    case json(ValueSchema)

    /// JSON, or a picture of the same data.
    case jsonOrPicture(ValueSchema)

    /// A JSON Schema.
    case schema

    /// A stream of server-sent events without end.
    case events
  }

  let summary: String
  package let parameters: [Parameter]
  let answer: Answer

  /// Whether a source is asked, and may therefore fail.
  let isOfSource: Bool

  package init(_ summary: String, _ parameters: [Parameter] = [], isOfSource: Bool = true, _ answer: Answer) {
    self.summary = summary
    self.parameters = parameters
    self.isOfSource = isOfSource
    self.answer = answer
  }
}

extension ParameterSpec {
  /// The schema of the values of the parameter.
  package var schema: ValueSchema {
    let about = help.prefix(1).uppercased() + help.dropFirst() + "."
    return switch values {
    case .flag: .word(["true"], about)
    case .text(let word, let example): .line(about, example: example ?? word)
    case .optional(let word): .line(about, example: word)
    case .day: .day(about)
    case .count(let range): .count(about, from: range.lowerBound, to: range.upperBound)
    case .choice(let words): .word(words, about)
    }
  }
}

extension ValueSchema {
  /// Returns the schema of a text of one line, which a parameter must be.
  package static func line(_ about: String, example: String) -> ValueSchema {
    .text(about, pattern: #"^[^\x00-\x1F\x7F]+$"#, example: example)
  }
}
