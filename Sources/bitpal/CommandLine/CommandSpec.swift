/// A description of a command: its arguments, its purpose and its use.
struct CommandSpec: Sendable {
  /// The operands of a command, which are its arguments without the options.
  enum Operands: Sendable {
    case none

    /// Exactly one operand, with its name in the help.
    case one(String)

    /// One operand or none.
    case optional(String)

    /// Exactly as many operands as there are names.
    case exactly([String])

    /// One operand or more.
    case some(String)

    /// Any number of operands, also none.
    case any(String)

    /// Whether the command takes at most one operand, and may take one.
    var isOne: Bool {
      switch self {
      case .one, .optional: true
      case .none, .exactly, .some, .any: false
      }
    }
  }

  /// An example of a command line, without `bitpal`, and its purpose.
  struct Example: Sendable {
    let command: String

    /// The purpose in a few words, without a full stop.
    let does: String

    init(_ command: String, _ does: String) {
      self.command = command
      self.does = does
    }
  }

  /// The words that call the command: `price`, `config show`.
  let name: String

  /// The purpose in a few words, without a full stop.
  let summary: String
  let operands: Operands

  /// The options of the command itself; one may have the name of an option of all commands, and takes precedence.
  let options: [OptionSpec]

  /// Whether help, reference and completion leave the command out, because only bitpal's own programs call it.
  let isHidden: Bool

  /// Whether the command only asks a source and prints the answer, so that a recording by others may have it run.
  let isQuestion: Bool

  /// The paragraphs of the command's own help, which wraps them.
  let details: [String]

  /// Two or three examples; a test checks that the parser accepts each of them.
  let examples: [Example]

  init(
    _ name: String, _ summary: String, operands: Operands = .none, options: [OptionSpec] = [],
    isHidden: Bool = false, isQuestion: Bool = false, details: [String] = [], examples: [Example]
  ) {
    self.name = name
    self.summary = summary
    self.operands = operands
    self.options = options
    self.isHidden = isHidden
    self.isQuestion = isQuestion
    self.details = details
    self.examples = examples
  }

  /// The words of the name: one, or the group's and the command's.
  var words: [String] { name.split(separator: " ").map(String.init) }

  /// The placeholder of the operands in help and messages, such as `COIN…`; nil when there are none.
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

/// A description of an option: its spelling, its value and its purpose.
struct OptionSpec: Sendable {
  /// The value of an option.
  enum Value: Sendable {
    /// No value: the option is present or not.
    case none

    /// A text, with its placeholder in the help (`FILE`).
    case text(String)

    /// A text, or no value where an option or the end of the line follows.
    case optional(String)

    /// One of the given words.
    case choice([String])
  }

  let name: OptionName

  /// The letter after a single dash; nil for most options.
  let short: Character?
  let value: Value

  /// The purpose in a few words, without a full stop.
  let help: String

  init(_ name: OptionName, short: Character? = nil, _ value: Value = .none, help: String) {
    self.name = name
    self.short = short
    self.value = value
    self.help = help
  }

  /// The spellings of the option: `-c`, `--config`.
  var spellings: [String] { [short.map { "-\($0)" }, name.spelling].compactMap(\.self) }

  /// Whether the option may also stand without its value.
  var isWholeAlone: Bool { if case .optional = value { true } else { false } }

  /// Whether a value may follow the option.
  var takesValue: Bool { valueWord != nil }

  /// The placeholder of the value in help and messages, such as `FILE` or `table|json`; nil when there is none.
  var valueWord: String? {
    switch value {
    case .none: nil
    case .text(let word): word
    case .optional(let word): "[\(word)]"
    case .choice(let words): words.joined(separator: "|")
    }
  }
}
