/// A description of a parameter: its name, its values and its purpose.
///
/// A parameter is an option of the command line, a parameter of a request and a property of a tool's input. The parser,
/// the help, the completions, the server's description of its paths and the input schemas of tools are made from this
/// one description.
package struct ParameterSpec: Sendable {
  /// The values of a parameter.
  package enum Values: Sendable {
    /// On or off.
    case flag

    /// A text on one line, with its placeholder in the help (`FILE`) and an example.
    case text(String, example: String? = nil)

    /// A text on one line with its placeholder, or no value where an option or the end of the line follows.
    case optional(String)

    /// A day in UTC, or where the help says so an instant.
    case day

    /// A whole number.
    case count(ClosedRange<Int>)

    /// One of a few words.
    case choice([String])
  }

  package let name: String
  package let values: Values

  /// The purpose in a few words, without a full stop; the default stands in parentheses.
  package let help: String

  /// The letter that stands for the name after a single dash of the command line; nil for most parameters.
  package let short: Character?

  /// Whether an empty value has a meaning of its own, which the help states.
  package let mayBeEmpty: Bool

  package init(
    _ name: String, _ values: Values, _ help: String, short: Character? = nil, mayBeEmpty: Bool = false
  ) {
    self.name = name
    self.values = values
    self.help = help
    self.short = short
    self.mayBeEmpty = mayBeEmpty
  }
}
