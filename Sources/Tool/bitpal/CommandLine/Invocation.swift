import BitpalModel
import BitpalQueries

/// The meaning of a command line.
enum Invocation: Sendable {
  /// No command: shows the watchlist, or without one a short help on standard error with the status of a usage failure.
  case nothing(GlobalOptions)
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

    /// Whether the line begins with a coin, so that the command is implied.
    var isShort = false
  }

  /// Interprets the arguments.
  ///
  /// - Throws: ``BitpalError/usage(_:hint:)`` for an unknown command or option, a wrong value or a wrong number of
  ///   operands; the hint names the nearest valid word.
  init(_ raw: RawArguments, table: CommandTable) throws(BitpalError) {
    // Help is given for lines that are wrong elsewhere, so an unknown command fails only where a command is needed.
    let topic = Result { () throws(BitpalError) in try Self.topic(of: raw.operands, table: table) }
    let isShort = Self.isShort(raw.operands, table: table)
    let command =
      isShort
      ? table.command(PriceCommand.name)
      : (try? topic.get()).flatMap { Self.command(meantBy: $0.topic, table: table) }
    if let problem = raw.problems.first { throw Self.describe(problem, command: command, table: table) }
    if raw.has("help") {
      self = .help(isShort ? .command(PriceCommand.name) : try topic.get().topic)
    } else if raw.has("version") || raw.operands == ["version"] {
      self = .version
    } else if raw.operands.isEmpty {
      self = .nothing(try GlobalOptions(raw))
    } else if raw.operands.first == "help" {
      if raw.operands.dropFirst().elementsEqual(["options"]) {
        self = .help(.options)
        return
      }
      let asked = try Self.topic(of: Array(raw.operands.dropFirst()), table: table)
      if let extra = asked.rest.first {
        throw .usage("no help for \"\(extra)\"", hint: "see \"bitpal help\"")
      }
      self = .help(asked.topic)
    } else {
      let operands = isShort ? raw.operands : try topic.get().rest
      guard let command, let type = table.type(of: command) else {
        throw .usage("no command", hint: "see \"bitpal help\"")
      }
      try Self.check(raw, operands, command, table)
      let own = raw.limited(to: command.options + table.everywhere)
      let options = try GlobalOptions(own)
      if !options.otherCurrencies.isEmpty, !command.options.contains(where: { $0.name == "currency" }) {
        throw .usage("--currency: \(command.name) takes one currency", hint: "price shows several")
      }
      self = .run(type, Arguments(operands: operands, raw: own, options: options, isShort: isShort))
    }
  }

  /// Returns whether a line is short for `price` with the same words: it begins with a coin, and names no command.
  ///
  /// A command goes before a coin of its name. A well-known ticker or its coin's id, an id with its prefix and a pair is a
  /// coin. Any other word is one only if it is not near to the name of a command, so that a typing error never becomes a
  /// request.
  private static func isShort(_ words: [String], table: CommandTable) -> Bool {
    guard let first = words.first, !first.isEmpty, first.printable() == first,
      table.command(beginning: words) == nil, first != "help", !table.groups.contains(where: { $0.name == first }),
      !words.dropFirst().contains(where: table.firstWords.contains)
    else { return false }
    let name = first.split(whereSeparator: { ",/ ".contains($0) }).first.map(String.init) ?? first
    if WellKnownCoins.isKnown(CurrencyPair(name)?.coin ?? name) || WellKnownCoins.isKnown(name) { return true }
    return !first.contains(" ") && nearest(to: first, table) == nil
  }

  /// Returns the command that a word may have been meant for: at the first level, or the second word of one.
  private static func nearest(to word: String, _ table: CommandTable) -> String? {
    if table.firstWords.contains(word) { return word }
    let synonyms = [
      "version": "--version", "options": "help options", "ls": "watchlist", "markets": "top", "trending": "top",
      "quote": "price",
    ]
    if let synonym = synonyms[word] { return synonym }
    let names = table.shown.map(\.name).filter { $0.contains(" ") }
    func ending(_ word: String) -> String? { names.first { $0.hasSuffix(" " + word) } }
    return ending(word) ?? NearestName.match(word, among: table.firstWords)
      ?? NearestName.match(word, among: names.compactMap { $0.split(separator: " ").last.map(String.init) })
      .flatMap(ending)
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
      throw unknownCommand(first, words: words, table)
    }
    guard words.count > 1 else { return (.group(first), []) }
    let members = table.commands(of: group)
    // If the first command of the group takes an operand, the word is that operand: `bitpal trust FOLDER`.
    if let first = members.first, first.operandWord != nil { return (.command(first.name), Array(words.dropFirst())) }
    throw unknownCommand(
      words[1], after: first + " ", among: members.compactMap(\.words.last), help: "bitpal help \(first)", table)
  }

  private static func command(meantBy topic: HelpTopic, table: CommandTable) -> CommandSpec? {
    switch topic {
    case .everything, .options: nil
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
      if value.isEmpty, !spec.mayBeEmpty {
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
    case .free(let form):
      if operands.isEmpty { throw .usage("\(name) needs \(form)", hint: see(command)) }
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

  /// Returns the error of a first word that is not a command.
  private static func unknownCommand(_ word: String, words: [String], _ table: CommandTable) -> BitpalError {
    if let later = words.dropFirst().firstIndex(where: table.firstWords.contains) {
      let other = [words[later]] + words.filter { $0 != words[later] }
      return .usage(
        "unknown command \"\(word)\"", hint: "did you mean \"bitpal \(other.joined(separator: " "))\"?")
    }
    return .usage(
      "unknown command \"\(word)\"",
      hint: nearest(to: word, table).map { "did you mean \"\($0)\"? \"bitpal price \(word)\" asks for a coin" }
        ?? "see \"bitpal help\"")
  }

  private static func unknownCommand(
    _ word: String, after group: String, among words: [String], help: String, _ table: CommandTable
  ) -> BitpalError {
    let synonyms = ["ls": ["list", "show"], "list": ["show"], "rm": ["remove", "delete"], "get": ["show"]]
    let nearest =
      (synonyms[word]?.first(where: words.contains) ?? NearestName.match(word, among: words)).map { group + $0 }
      ?? (table.firstWords.contains(word) ? word : nil)
    return .usage(
      "unknown command \"\(group)\(word)\"", hint: nearest.map { "did you mean \"\($0)\"?" } ?? "see \"\(help)\"")
  }

  private static func describe(
    _ problem: RawArguments.Problem, command: CommandSpec?, table: CommandTable
  ) -> BitpalError {
    let options = command.map { $0.options + table.everywhere } ?? table.allOptions
    switch problem {
    case .unknown(let spelling):
      // The dashes are not part of the name: "fiat" is not near to "wait".
      let (names, typed) = (Set(options.map(\.name)), String(spelling.drop { $0 == "-" }))
      let beginnings = names.filter { typed.count > 1 && $0.hasPrefix(typed) }
      let synonyms = [
        "fiat": "currency", "vs": "currency", "output": "format", "o": "format", "interval": "candle",
        "days": names.contains("range") ? "range" : "from", "debug": "verbose",
      ]
      let nearest =
        synonyms[typed].flatMap { names.contains($0) ? $0 : nil }
        ?? (spelling.count > 2 ? NearestName.match(typed, among: names.sorted()) : nil)
        ?? (beginnings.count == 1 ? beginnings.first : nil)
      if ["ids", "coins", "coin", "symbols"].contains(typed), let command {
        return .usage("unknown option \(spelling)", hint: "coins need no option, as in bitpal \(command.name) btc eth")
      }
      return .usage("unknown option \(spelling)", hint: nearest.map { "did you mean --\($0)?" } ?? see(command))
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
  ///
  /// A space after `id:` is part of the id, because some sources have such ids.
  var coins: [String] {
    operands.flatMap(\.commaSeparated).flatMap { names in
      names.hasPrefix("id:") && !names.contains(" id:") ? [names] : names.split(separator: " ").map(String.init)
    }
  }

  /// Returns the first operand, for a command that takes exactly one.
  ///
  /// - Throws: ``BitpalError/usage(_:hint:)`` when there is none; the parser refuses such a line earlier.
  func onlyOperand(_ word: String) throws(BitpalError) -> String {
    guard let operand = operands.first else { throw .usage("a \(word) is missing") }
    return operand
  }
}
