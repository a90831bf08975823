/// A description of a parameter: its name, its values and its purpose.
///
/// The help of the command line, the server's description of its paths and the input schemas of tools are made from it.
package struct ParameterSpec: Sendable {
  /// The values of a parameter.
  package enum Values: Sendable {
    /// On or off.
    case flag

    /// A text on one line, with its placeholder in the help and an example.
    case text(String, example: String)

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

  package init(_ name: String, _ values: Values, _ help: String) {
    self.name = name
    self.values = values
    self.help = help
  }
}
