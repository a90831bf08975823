/// What there is to know about a command: what it takes, what it does, how it is used.
struct CommandSpec: Sendable {
  /// What the command takes besides options.
  enum Operands: Sendable {
    case none

    /// Exactly one, called by that word in the help.
    case one(String)

    /// One or none.
    case optional(String)

    /// So many, called by these words.
    case exactly([String])

    /// One or more.
    case some(String)

    /// Any number, none too.
    case any(String)

    /// Whether there is one at the most.
    var isOne: Bool {
      switch self {
      case .one, .optional: true
      case .none, .exactly, .some, .any: false
      }
    }
  }

  /// A command line to learn from, without `bitpal`, and what it does.
  struct Example: Sendable {
    let command: String
    let does: String

    init(_ command: String, _ does: String) {
      self.command = command
      self.does = does
    }
  }

  let name: CommandName
  let summary: String
  let operands: Operands
  let options: [OptionSpec]

  /// Whether help, reference and completion leave it out: it is for programs of ours.
  let isHidden: Bool

  /// Paragraphs for the command's own help; the help text wraps them.
  let details: [String]
  let examples: [Example]

  init(
    _ name: CommandName, _ summary: String, operands: Operands = .none, options: [OptionSpec] = [],
    isHidden: Bool = false, details: [String] = [], examples: [Example]
  ) {
    self.name = name
    self.summary = summary
    self.operands = operands
    self.options = options
    self.isHidden = isHidden
    self.details = details
    self.examples = examples
  }

  /// What stands for the operands in help and messages: `COIN…`; nil when there are none.
  var operandWord: String? {
    switch operands {
    case .none: nil
    case .one(let word): word
    case .optional(let word): "[\(word)]"
    case .exactly(let words): words.joined(separator: " ")
    case .some(let word): word + "…"
    case .any(let word): "[\(word)…]"
    }
  }
}
