import BitpalModel
import BitpalQueries

/// The meaning of a command line.
enum Invocation: Sendable {
  /// No command: prints a short help on standard error, with the status of a usage failure.
  case nothing
  case version
  case help(HelpTopic)
  case run(any Command.Type, Arguments)

  /// The operands and options of a command.
  struct Arguments: Sendable {
    /// The arguments after the command that are not options.
    let operands: [String]

    /// The options as they were typed, each with a value that its description allows.
    let raw: RawArguments
    let options: GlobalOptions
  }

  /// Interprets the arguments.
  ///
  /// - Throws: ``BitpalError/usage(_:hint:)`` for an unknown command or option, a wrong value or a wrong number of
  ///   operands; the hint names the nearest valid word.
  init(_ raw: RawArguments, table: CommandTable) throws(BitpalError) {
    // Help is given for lines that are wrong elsewhere, so an unknown command fails only where a command is needed.
    let topic = Result { () throws(BitpalError) in try Self.topic(of: raw.operands, table: table) }
    let command = (try? topic.get()).flatMap { Self.command(meantBy: $0.topic, table: table) }
    if let problem = raw.problems.first { throw Self.describe(problem, command: command, table: table) }
    if raw.has("help") {
      self = .help(try topic.get().topic)
    } else if raw.has("version") {
      self = .version
    } else if raw.operands.isEmpty {
      self = .nothing
    } else if raw.operands.first == "help" {
      let asked = try Self.topic(of: Array(raw.operands.dropFirst()), table: table)
      if let extra = asked.rest.first {
        throw .usage("no help for \"\(extra)\"", hint: "see \"bitpal help\"")
      }
      self = .help(asked.topic)
    } else {
      let operands = try topic.get().rest
      guard let command, let type = table.type(of: command) else {
        throw .usage("no command", hint: "see \"bitpal help\"")
      }
      try Self.check(raw, operands, command, table)
      let own = raw.limited(to: command.options + table.everywhere)
      self = .run(type, Arguments(operands: operands, raw: own, options: try GlobalOptions(own)))
    }
  }

  /// Returns the command or group that the first words name, and the words after them.
  private static func topic(
    of words: [String], table: CommandTable
  ) throws(BitpalError) -> (topic: HelpTopic, rest: [String]) {
    guard let first = words.first, first != "help" else { return (.everything, []) }
    if let command = table.command(beginning: words) {
      return (.command(command.name), Array(words.dropFirst(command.words.count)))
    }
    guard let group = table.groups.first(where: { $0.name == first }) else {
      throw unknownCommand(first, among: table.firstWords, help: "bitpal help")
    }
    guard words.count > 1 else { return (.group(first), []) }
    let members = table.commands(of: group)
    // If the first command of the group takes an operand, the word is that operand: `bitpal trust FOLDER`.
    if let first = members.first, first.operandWord != nil { return (.command(first.name), Array(words.dropFirst())) }
    throw unknownCommand(
      words[1], after: first + " ", among: members.compactMap(\.words.last), help: "bitpal help \(first)")
  }

  private static func command(meantBy topic: HelpTopic, table: CommandTable) -> CommandSpec? {
    switch topic {
    case .everything: nil
    case .group(let name): table.groups.first { $0.name == name }.flatMap { table.commands(of: $0).first }
    case .command(let name): table.command(name)
    }
  }

  private static func check(
    _ raw: RawArguments, _ operands: [String], _ command: CommandSpec, _ table: CommandTable
  ) throws(BitpalError) {
    let name = command.name
    for option in raw.given {
      guard let spec = (command.options + table.everywhere).first(where: { $0.name == option.name }) else {
        let owners = table.owners(of: option.name).map(\.name).joined(separator: ", ")
        throw .usage("\(name) has no option --\(option.name)", hint: "it is an option of: \(owners)")
      }
      guard let value = option.value else { continue }
      if case .choice(let words) = spec.values, !words.contains(value) {
        let nearest = NearestName.match(value, among: words).map { "did you mean \($0)? " } ?? ""
        throw .usage(
          "\(spec.spelling): \"\(value)\" is not one of its values",
          hint: nearest + "it takes: \(words.joined(separator: ", "))")
      }
      if value.isEmpty {
        throw .usage("\(spec.spelling) needs a value (\(spec.valueWord ?? ""))", hint: see(command))
      }
    }
    switch command.operands {
    case .none:
      if let extra = operands.first { throw unexpected(extra, command) }
    case .one(let word):
      if operands.count > 1 { throw unexpected(operands[1], command) }
      if operands.isEmpty { throw .usage("\(name) needs a \(word)", hint: see(command)) }
    case .optional:
      if operands.count > 1 { throw unexpected(operands[1], command) }
    case .exactly(let words):
      if operands.count > words.count { throw unexpected(operands[words.count], command) }
      if operands.count < words.count {
        throw .usage("\(name) needs \(words.joined(separator: " "))", hint: see(command))
      }
    case .some(let word):
      if operands.isEmpty { throw .usage("\(name) needs at least one \(word)", hint: see(command)) }
    case .any:
      break
    }
    // Only the word that a shell completes may be empty.
    if operands.contains(""), !command.isHidden {
      throw .usage("an argument of \(name) is empty", hint: see(command))
    }
  }

  private static func unexpected(_ operand: String, _ command: CommandSpec) -> BitpalError {
    let takes = command.operandWord.map { "takes \(command.operands.isOne ? "one " : "")\($0)" } ?? "takes no argument"
    return .usage("unexpected argument \"\(operand)\": \(command.name) \(takes)", hint: see(command))
  }

  private static func unknownCommand(
    _ word: String, after group: String = "", among words: [String], help: String
  ) -> BitpalError {
    let nearest = NearestName.match(word, among: words)
    return .usage(
      "unknown command \"\(group)\(word)\"",
      hint: nearest.map { "did you mean \"\(group)\($0)\"?" } ?? "see \"\(help)\"")
  }

  private static func describe(
    _ problem: RawArguments.Problem, command: CommandSpec?, table: CommandTable
  ) -> BitpalError {
    let options = command.map { $0.options + table.everywhere } ?? table.allOptions
    switch problem {
    case .unknown(let spelling):
      let names = options.map(\.spelling)
      let beginnings = names.filter { spelling.count > 3 && $0.hasPrefix(spelling) }
      let nearest = NearestName.match(spelling, among: names) ?? (beginnings.count == 1 ? beginnings.first : nil)
      return .usage("unknown option \(spelling)", hint: nearest.map { "did you mean \($0)?" } ?? see(command))
    case .missingValue(let name):
      let word = table.allOptions.first { $0.name == name }?.valueWord ?? ""
      return .usage("--\(name) needs a value (\(word))", hint: see(command))
    case .unexpectedValue(let name):
      return .usage("--\(name) takes no value", hint: see(command))
    }
  }

  private static func see(_ command: CommandSpec?) -> String {
    "see \"bitpal \(command.map { "\($0.name) " } ?? "")--help\""
  }
}

extension Invocation.Arguments {
  /// The coins that were named, in the order of the line; `btc eth` and `btc,eth` are the same.
  var coins: [String] {
    operands.flatMap { $0.split { $0 == "," || $0 == " " }.map(String.init) }
  }

  /// Returns the first operand, for a command that takes exactly one.
  ///
  /// - Throws: ``BitpalError/usage(_:hint:)`` when there is none; the parser refuses such a line earlier.
  func onlyOperand(_ word: String) throws(BitpalError) -> String {
    guard let operand = operands.first else { throw .usage("a \(word) is missing") }
    return operand
  }
}
