/// What a path of a server is for, and what may be said with it.
package struct PathDescription: Sendable {
  /// What a client may say with a request.
  package struct Parameter: Sendable {
    let name: String
    let schema: ValueSchema
    let isRequired: Bool

    /// Whether it is the part of the path in braces.
    let isInPath: Bool

    package init(_ name: String, _ schema: ValueSchema, isRequired: Bool = false) {
      self.init(name, schema, isRequired: isRequired, isInPath: false)
    }

    private init(_ name: String, _ schema: ValueSchema, isRequired: Bool, isInPath: Bool) {
      self.name = name
      self.schema = schema
      self.isRequired = isRequired
      self.isInPath = isInPath
    }

    /// The part of the path in braces.
    package static func segment(_ name: String, _ schema: ValueSchema) -> Parameter {
      Parameter(name, schema, isRequired: true, isInPath: true)
    }
  }

  /// What is answered when all is well.
  package enum Answer: Sendable {
    case json(ValueSchema)

    /// The same, or a picture.
    case jsonOrPicture(ValueSchema)

    /// A JSON Schema.
    case schema

    /// A stream of server-sent events without end.
    case events
  }

  let summary: String
  let parameters: [Parameter]
  let answer: Answer

  /// Whether a source is asked, and so may fail.
  let isOfSource: Bool

  package init(_ summary: String, _ parameters: [Parameter] = [], isOfSource: Bool = true, _ answer: Answer) {
    self.summary = summary
    self.parameters = parameters
    self.isOfSource = isOfSource
    self.answer = answer
  }
}

extension ValueSchema {
  /// A text of one line, which a parameter must be.
  package static func line(_ about: String, example: String) -> ValueSchema {
    .text(about, pattern: #"^[^\x00-\x1F\x7F]+$"#, example: example)
  }
}
