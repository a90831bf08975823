/// What there is to know about an option: how it is written, what it takes, what it does.
struct OptionSpec: Sendable {
  /// What an option takes.
  enum Value: Sendable {
    /// Nothing: the option is there or not.
    case none

    /// A text, called by that word in the help (`FILE`).
    case text(String)

    /// One of these words.
    case choice([String])
  }

  let name: OptionName
  let short: Character?
  let value: Value
  let help: String

  init(_ name: OptionName, short: Character? = nil, _ value: Value = .none, help: String) {
    self.name = name
    self.short = short
    self.value = value
    self.help = help
  }

  /// Whether the option must be followed by a value.
  var takesValue: Bool { valueWord != nil }

  /// What stands for the value in help and messages: `FILE`, `table|json`; nil when there is none.
  var valueWord: String? {
    switch value {
    case .none: nil
    case .text(let word): word
    case .choice(let words): words.joined(separator: "|")
    }
  }
}
