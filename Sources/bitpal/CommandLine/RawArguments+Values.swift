import BitpalModel
import BitpalQueries
import FoundationEssentials

extension RawArguments: Parameters {
  var notation: ParameterNotation { .options }

  subscript(name: String) -> String? { OptionName(rawValue: name).flatMap { value($0) } }

  func flag(_ name: String) -> Bool { OptionName(rawValue: name).map { has($0) } ?? false }

  /// Returns the decimal number that an option was given; nil when the option is absent.
  ///
  /// - Throws: ``BitpalError/usage(_:hint:)`` for a value that is not a decimal number.
  func number(_ option: OptionName) throws(BitpalError) -> Decimal? { try decimal(option.rawValue) }
}

extension OptionSpec {
  /// Creates the option of a parameter; nil where the command line has none of its name.
  init?(_ parameter: ParameterSpec) {
    guard let name = OptionName(rawValue: parameter.name) else { return nil }
    let value: Value =
      switch parameter.values {
      case .flag: .none
      case .text(let word, _): .text(word)
      case .day: .text("DATE")
      case .count: .text("N")
      case .choice(let words): .choice(words)
      }
    self.init(name, value, help: parameter.help)
  }
}

extension [OptionSpec] {
  /// Creates the options of parameters.
  init(_ parameters: [ParameterSpec]) { self = parameters.compactMap { OptionSpec($0) } }
}
