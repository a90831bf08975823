import BitpalQueries

/// The command line as it was typed: options with their values, operands, and arguments that could not be read.
///
/// Reading it does no I/O and never fails; ``Invocation`` decides what it means. Options may stand anywhere, and `--`
/// ends them. `--name value` and `--name=value` are the same, and so are `-c FILE` and `-cFILE`; short flags can be
/// bundled. Only the options of the list can be read: a list without an option that is read is a fault of the program,
/// which ends it, because the option would be missing without a word.
struct RawArguments: Sendable {
  /// A fault of an argument that begins like an option.
  enum Problem: Equatable, Sendable {
    /// An unknown option, as it was spelled.
    case unknown(String)
    case missingValue(String)
    case unexpectedValue(String)
  }

  /// All of them, as they were typed.
  let arguments: [String]

  /// The arguments that are not options, in order; the words of the command are among them.
  private(set) var operands: [String] = []

  /// The faults of the line, which are reported only when the command is known.
  private(set) var problems: [Problem] = []

  /// The options, in order; when one is given twice, the last one counts, unless it takes a list.
  private(set) var given: [(name: String, value: String?)] = []

  /// The options that can be read.
  private var options: [ParameterSpec]

  init(_ arguments: [String], table: CommandTable) {
    // Most lines begin with their command, and an option means the same in all commands: its own options are enough.
    if let command = table.command(beginning: arguments) {
      self.init(arguments, options: table.everywhere + command.options)
      if problems.isEmpty { return }
    } else {
      // A line without a command, such as --version, needs none of their options.
      self.init(arguments, options: table.everywhere)
      if problems.isEmpty, operands.isEmpty { return }
    }
    self.init(arguments, options: table.allOptions)
  }

  private init(_ arguments: [String], options: [ParameterSpec]) {
    self.options = options
    self.arguments = arguments
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if argument == "--" {
        operands += rest
        break
      } else if argument.hasPrefix("--") {
        readLong(argument, &rest)
      } else if argument.hasPrefix("-"), argument.count > 1, !Self.isNegativeNumber(argument) {
        readShort(argument, &rest)
      } else {
        operands.append(argument)
      }
    }
  }

  /// Returns whether the argument is a negative number such as `-1`, which is an operand for the command to check.
  private static func isNegativeNumber(_ argument: String) -> Bool {
    argument.dropFirst().first.map { $0 == "." || $0.isASCII && $0.isNumber } ?? false
  }

  /// Returns the same line for a command, which can read only its own options and those of all commands.
  func limited(to options: [ParameterSpec]) -> RawArguments {
    var limited = self
    limited.options = options
    return limited
  }

  /// Returns whether an option was given.
  func has(_ name: String) -> Bool {
    check(name)
    return given.contains { $0.name == name }
  }

  /// Returns the place of an option, with its value where that stands in the same word.
  ///
  /// - Parameter spelling: The option with its dashes.
  func place(of spelling: String) -> (index: Int, attached: String?)? {
    for (index, word) in arguments.prefix(while: { $0 != "--" }).enumerated() {
      if word == spelling { return (index, nil) }
      guard word.hasPrefix(spelling), !spelling.hasPrefix("--") || word.hasPrefix(spelling + "=") else { continue }
      let rest = word.dropFirst(spelling.count)
      return (index, String(rest.first == "=" ? rest.dropFirst() : rest))
    }
    return nil
  }

  /// Returns the values of an option that may be given more than once, in order.
  func values(_ name: String) -> [String] {
    check(name)
    return given.filter { $0.name == name }.compactMap(\.value)
  }

  private func check(_ name: String) {
    precondition(options.contains { $0.name == name }, "--\(name) is read, but is not in the list of options")
  }

  private mutating func readLong(_ argument: String, _ rest: inout ArraySlice<String>) {
    let body = argument.dropFirst(2)
    let spelled = body.prefix { $0 != "=" }
    let attached = spelled.endIndex == body.endIndex ? nil : String(body[spelled.endIndex...].dropFirst())
    guard let option = options.first(where: { $0.name == spelled }) else {
      problems.append(.unknown("--" + spelled))
      return
    }
    read(option, attached, &rest)
  }

  private mutating func readShort(_ argument: String, _ rest: inout ArraySlice<String>) {
    var letters = argument.dropFirst()
    while let letter = letters.popFirst() {
      guard let option = options.first(where: { $0.short == letter }) else {
        problems.append(.unknown("-\(letter)"))
        return
      }
      if option.takesValue {
        if letters.first == "=" { letters.removeFirst() }
        read(option, letters.isEmpty ? nil : String(letters), &rest)
        return
      }
      read(option, nil, &rest)
    }
  }

  private mutating func read(_ option: ParameterSpec, _ attached: String?, _ rest: inout ArraySlice<String>) {
    if let full = GlobalOptions.shortened[option.name], attached == nil {
      given.append(full)
    } else if !option.takesValue {
      if attached == nil { given.append((option.name, nil)) } else { problems.append(.unexpectedValue(option.name)) }
    } else if let attached {
      given.append((option.name, attached))
    } else if let next = rest.first, !next.hasPrefix(option.isWholeAlone ? "-" : "--") {
      rest.removeFirst()
      given.append((option.name, next))
    } else if option.isWholeAlone {
      given.append((option.name, nil))
    } else {
      // `--currency --format json`: the value is missing. A value that begins with dashes can be attached with `=`.
      problems.append(.missingValue(option.name))
    }
  }
}

extension RawArguments: Parameters {
  var notation: ParameterNotation { .options }

  /// Returns the value of an option, the last one when it was given more than once; nil for none.
  subscript(name: String) -> String? {
    check(name)
    return given.last { $0.name == name }?.value
  }

  func flag(_ name: String) -> Bool { has(name) }

  /// Returns the members of a list; `--currency usd --currency eur` is the same as `--currency usd,eur`.
  func list(_ name: String) -> [String] { values(name).flatMap(\.commaSeparated) }
}
