import BitpalQueries

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

    /// One operand or more, of which the command itself checks the number; with their form in the help.
    case free(String)

    /// One operand or more.
    case some(String)

    /// Any number of operands, also none.
    case any(String)

    /// Whether the command takes at most one operand, and may take one.
    var isOne: Bool {
      switch self {
      case .one, .optional: true
      case .none, .exactly, .free, .some, .any: false
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
  let options: [ParameterSpec]

  /// Whether help, reference and completion leave the command out, because only bitpal's own programs call it.
  let isHidden: Bool

  /// Whether the command only asks a source and prints the answer, so that a recording by others may have it run.
  let isQuestion: Bool

  /// The paragraphs of the command's own help, which wraps them.
  let details: [String]

  /// Two or three examples; a test checks that the parser accepts each of them.
  let examples: [Example]

  init(
    _ name: String, _ summary: String, operands: Operands = .none, options: [ParameterSpec] = [],
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

  /// Whether it is a question about any number of coins.
  var takesCoins: Bool {
    switch operands {
    case .some(let word), .any(let word): word == "COIN" && words.count == 1
    case .none, .one, .optional, .exactly, .free: false
    }
  }

  /// The placeholder of the operands in help and messages, such as `COIN…`; nil when there are none.
  var operandWord: String? {
    switch operands {
    case .none: nil
    case .one(let word): word
    case .optional(let word): "[\(word)]"
    case .exactly(let words): words.joined(separator: " ")
    case .free(let form): form
    case .some(let word): word + "…"
    case .any(let word): "[\(word)…]"
    }
  }
}

extension ParameterSpec {
  /// The full spelling of the option: `--config`.
  var spelling: String { "--" + name }

  /// The spellings of the option: `-c`, `--config`.
  var spellings: [String] { [short.map { "-\($0)" }, spelling].compactMap(\.self) }

  /// Whether the option may also stand without its value.
  var isWholeAlone: Bool { if case .optional = values { true } else { false } }

  /// Whether a value may follow the option.
  var takesValue: Bool { valueWord != nil }

  /// The placeholder of the value in help and messages, such as `FILE` or `table|json`; nil when there is none.
  var valueWord: String? {
    switch values {
    case .flag: nil
    case .text(let word, _): word
    case .day: "DATE"
    case .count: "N"
    case .optional(let word): "[\(word)]"
    case .choice(let words): words.joined(separator: "|")
    }
  }
}
