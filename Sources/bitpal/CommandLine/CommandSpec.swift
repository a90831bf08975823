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

    /// In a few words, without a full stop.
    let does: String

    init(_ command: String, _ does: String) {
      self.command = command
      self.does = does
    }
  }

  /// The words that call it: `price`, `config show`.
  let name: String

  /// In a few words, without a full stop.
  let summary: String
  let operands: Operands

  /// Those of its own; one of the options everywhere may be among them, and goes before.
  let options: [OptionSpec]

  /// Whether help, reference and completion leave it out: it is for programs of ours.
  let isHidden: Bool

  /// Whether it only asks a source and prints what it says, so that a recording of somebody else's may have it run.
  let isQuestion: Bool

  /// Paragraphs for the command's own help; the help text wraps them.
  let details: [String]

  /// Two or three; a test sees to it that each is accepted.
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

  /// One word, or the group's and the command's.
  var words: [String] { name.split(separator: " ").map(String.init) }

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

/// What there is to know about an option: how it is written, what it takes, what it does.
struct OptionSpec: Sendable {
  /// What an option takes.
  enum Value: Sendable {
    /// Nothing: the option is there or not.
    case none

    /// A text, called by that word in the help (`FILE`).
    case text(String)

    /// A text, or nothing where what follows is an option or the end.
    case optional(String)

    /// One of these words.
    case choice([String])
  }

  let name: OptionName

  /// The letter after one dash; nil for most.
  let short: Character?
  let value: Value

  /// In a few words, without a full stop.
  let help: String

  init(_ name: OptionName, short: Character? = nil, _ value: Value = .none, help: String) {
    self.name = name
    self.short = short
    self.value = value
    self.help = help
  }

  /// The ways to write it: `-c`, `--config`.
  var spellings: [String] { [short.map { "-\($0)" }, name.spelling].compactMap(\.self) }

  /// Whether it means something without its value, too.
  var isWholeAlone: Bool { if case .optional = value { true } else { false } }

  /// Whether the option is followed by a value.
  var takesValue: Bool { valueWord != nil }

  /// What stands for the value in help and messages: `FILE`, `table|json`; nil when there is none.
  var valueWord: String? {
    switch value {
    case .none: nil
    case .text(let word): word
    case .optional(let word): "[\(word)]"
    case .choice(let words): words.joined(separator: "|")
    }
  }
}
