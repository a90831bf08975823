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
    do {
      self = try Self.read(raw, table)
    } catch {
      throw (error as? Refusal)?.error(of: raw.arguments, table) ?? error as? BitpalError ?? .usage("\(error)")
    }
  }

  /// Reads the arguments.
  ///
  /// - Parameter depth: How often a word may be replaced to see whether another line is right.
  /// - Throws: ``Refusal``, or `BitpalError` for a value of an option of all commands.
  static func read(_ raw: RawArguments, _ table: CommandTable, _ depth: Int = 4) throws -> Invocation {
    // Help is given for lines that are wrong elsewhere, so an unknown command fails only where a command is needed.
    let topic = Result { () throws(Refusal) in try Self.topic(of: raw, raw.operands, table) }
    let isShort = Self.isShort(raw.operands, table: table)
    let command =
      isShort
      ? table.command(PriceCommand.name)
      : (try? topic.get()).flatMap { Self.command(meantBy: $0.topic, table: table) }
    if let problem = raw.problems.first { throw Self.describe(problem, raw, command: command, table: table) }
    if raw.has("help") {
      return .help(isShort ? .command(PriceCommand.name) : try topic.get().topic)
    } else if raw.has("version") || raw.operands == ["version"] {
      return .version
    } else if raw.operands.isEmpty {
      return .nothing(try GlobalOptions(raw))
    } else if raw.operands.first == "help" {
      if raw.operands.dropFirst().elementsEqual(["options"]) { return .help(.options) }
      let asked = try Self.topic(of: raw, Array(raw.operands.dropFirst()), table)
      if let extra = asked.rest.first {
        throw Refusal(message: "no help for \"\(extra)\"", hint: "see \"bitpal help\"")
      }
      return .help(asked.topic)
    } else {
      let operands = isShort ? raw.operands : try topic.get().rest
      guard let command, let type = table.type(of: command) else {
        throw Refusal(message: "no command", hint: "see \"bitpal help\"")
      }
      try Self.check(raw, operands, command, table, depth)
      let own = raw.limited(to: command.options + table.everywhere)
      let options = try GlobalOptions(own)
      if !options.otherCurrencies.isEmpty, !command.options.contains(where: { $0.name == "currency" }) {
        throw Refusal(message: "--currency: \(command.name) takes one currency", hint: "price shows several")
      }
      return .run(type, Arguments(operands: operands, raw: own, options: options, isShort: isShort))
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
    return !first.contains(" ") && nearest(to: first, table) == nil && !OtherTools.has(command: first)
  }

  /// Returns the command that a word may have been meant for: at the first level, or the second word of one.
  private static func nearest(to word: String, _ table: CommandTable) -> String? {
    if table.firstWords.contains(word) { return word }
    let names = table.shown.map(\.name).filter { $0.contains(" ") }
    func ending(_ word: String) -> String? { names.first { $0.hasSuffix(" " + word) } }
    return ending(word) ?? NearestName.match(word, among: table.firstWords)
      ?? NearestName.match(word, among: names.compactMap { $0.split(separator: " ").last.map(String.init) })
      .flatMap(ending)
  }

  /// Returns the command or group that the first words name, and the words after them.
  private static func topic(
    of raw: RawArguments, _ words: [String], _ table: CommandTable
  ) throws(Refusal) -> (topic: HelpTopic, rest: [String]) {
    guard let first = words.first, first != "help" else { return (.everything, []) }
    if let command = table.command(beginning: words) {
      return (.command(command.name), Array(words.dropFirst(command.words.count)))
    }
    guard let group = table.groups.first(where: { $0.name == first }) else {
      if let later = words.dropFirst().first(where: table.firstWords.contains) {
        throw Refusal(
          message: "unknown command \"\(first)\"", hint: "see \"bitpal help\"",
          lines: [[later] + raw.arguments.filter { $0 != later }])
      }
      throw unknown(
        first, raw, nearest(to: first, table), remark: " \"bitpal price \(first)\" asks for a coin", table)
    }
    guard words.count > 1 else { return (.group(first), []) }
    let members = table.commands(of: group)
    // If the first command of the group takes an operand, the word is that operand: `bitpal trust FOLDER`.
    if let first = members.first, first.operandWord != nil { return (.command(first.name), Array(words.dropFirst())) }
    let near =
      OtherTools.member(of: first, taking: words[1], isLast: words.count == 2)
      ?? NearestName.match(words[1], among: members.compactMap(\.words.last)).map { first + " " + $0 }
    throw unknown(
      first + " " + words[1], raw, near ?? (table.firstWords.contains(words[1]) ? words[1] : nil), remark: "",
      help: "bitpal help \(first)", table)
  }

  /// Returns the refusal of words that are not a command.
  ///
  /// - Parameter near: The command that other tools' names do not explain, but a slip does; nil for none.
  private static func unknown(
    _ words: String, _ raw: RawArguments, _ near: String?, remark: String, help: String = "bitpal help",
    _ table: CommandTable
  ) -> Refusal {
    var lines = OtherTools.lines(raw.arguments, command: words)
    let remark = lines.isEmpty ? remark : ""
    if lines.isEmpty, let near { lines = OtherTools.lines(raw.arguments, command: words, meaning: near) }
    // A command without what it needs is shown with that.
    let form = lines.first.map { line in
      let command = table.command(beginning: line.command)
      let operands = command?.words.count == line.command.count ? command?.operandWord : nil
      return "did you mean \"\((["bitpal"] + line.command + [operands].compactMap(\.self)).joined(separator: " "))\"?"
        + remark
    }
    return Refusal(
      message: "unknown command \"\(words)\"", hint: form ?? "see \"\(help)\"", lines: lines.map(\.words),
      remark: remark)
  }

  private static func command(meantBy topic: HelpTopic, table: CommandTable) -> CommandSpec? {
    switch topic {
    case .everything, .options: nil
    case .group(let name): table.groups.first { $0.name == name }.flatMap { table.commands(of: $0).first }
    case .command(let name): table.command(name)
    }
  }

  private static func check(
    _ raw: RawArguments, _ operands: [String], _ command: CommandSpec, _ table: CommandTable, _ depth: Int
  ) throws(Refusal) {
    let options = command.options + table.everywhere
    for option in raw.given {
      let spelling = "--" + option.name
      guard let spec = options.first(where: { $0.name == option.name }) else {
        let owners = table.owners(of: option.name).map(\.name).joined(separator: ", ")
        let short = table.allOptions.first { $0.name == option.name }?.short.map { "-\($0)" }
        throw refusal(
          "\(command.name) has no option \(spelling)", raw.place(of: spelling) == nil ? short ?? spelling : spelling,
          raw,
          command, options, name: option.name, hint: "it is an option of: \(owners)")
      }
      guard let value = option.value else { continue }
      let typed = spec.spellings.last { raw.place(of: $0) != nil } ?? spelling
      if case .choice(let words) = spec.values, !words.contains(value) {
        let nearest = NearestName.match(value, among: words).map { "did you mean \($0)? " } ?? ""
        throw refusal(
          "\(spelling): \"\(value)\" is not one of its values", typed, raw, command, options, name: option.name,
          hint: nearest + "it takes: \(words.joined(separator: ", "))")
      }
      if value.isEmpty, !spec.mayBeEmpty {
        throw Refusal(message: "\(spelling) needs a value (\(spec.valueWord ?? ""))", hint: see(command))
      }
      // A source of digits is a port, and a currency is named by its code.
      if option.name == "provider" && Int(value) != nil
        || option.name == "currency" && !CurrencyCoin.isKnownUnit(value.lowercased()),
        let place = raw.place(of: typed)
      {
        try refuse(
          "unknown \(option.name) \"\(value)\"",
          OtherTools.lines(
            raw.arguments, at: place.index, name: option.name, attached: place.attached, for: command, isSpecific: true),
          raw, table, depth)
      }
    }
    try check(operands, raw, command)
    if command.takesCoins { try checkCoins(operands, raw, command, table, depth) }
  }

  /// Refuses a line that has a meaning of its own, where another that is right is far more probable.
  private static func refuse(
    _ message: String, _ lines: [[String]], _ raw: RawArguments, _ table: CommandTable, _ depth: Int
  ) throws(Refusal) {
    guard depth > 0, let line = Refusal.accepted(lines, of: raw.arguments, table, depth: 0) else { return }
    throw Refusal(message: message, lines: [line])
  }

  /// Refuses amounts, days and currencies among coins, and half of a command: `1 btc`, `btc in eur`, `watch list`.
  private static func checkCoins(
    _ operands: [String], _ raw: RawArguments, _ command: CommandSpec, _ table: CommandTable, _ depth: Int
  ) throws(Refusal) {
    // `watch list` for `watchlist list`.
    if let word = operands.first, let group = table.groups.first(where: { $0.name == command.name + word }),
      let member = table.commands(of: group).first
    {
      let rest = raw.arguments.filter { $0 != command.name && $0 != word }
      try refuse("\"\(word)\" is not a coin", [member.words + rest, member.words], raw, table, depth)
    }
    for (operand, next) in zip(operands, operands.dropFirst() + [""]) {
      let isLink = ["in", "to", "vs"].contains(operand.lowercased()) && CurrencyCoin.isCurrency(next)
      let isBetween = operand != operands.first && !next.isEmpty
      let isVersus = isBetween && !isLink && ["vs", "and", "with"].contains(operand.lowercased())
      guard isLink || isVersus || operand.first?.isNumber == true, let index = raw.arguments.lastIndex(of: operand)
      else {
        continue
      }
      let lines =
        isVersus
        ? [raw.arguments.enumerated().filter { $0.offset != index }.map(\.element)]
        : OtherTools.lines(
          raw.arguments, at: index, name: isLink ? "in" : "", attached: isLink ? nil : operand, for: command,
          isSpecific: !isLink)
      try refuse("\"\(operand)\" is not a coin", lines, raw, table, depth)
    }
  }

  private static func check(
    _ operands: [String], _ raw: RawArguments, _ command: CommandSpec
  ) throws(Refusal) {
    let most: Int
    var missing: String?
    switch command.operands {
    case .none: most = 0
    case .one(let word): (most, missing) = (1, operands.isEmpty ? "\(article(of: word)) \(word)" : nil)
    case .optional: most = 1
    case .exactly(let words):
      (most, missing) = (words.count, operands.count < words.count ? words.joined(separator: " ") : nil)
    case .free(let form): (most, missing) = (.max, operands.isEmpty ? form : nil)
    case .some(let word): (most, missing) = (.max, operands.isEmpty ? "at least one \(word)" : nil)
    case .any: most = .max
    }
    if operands.count > most { throw unexpected(operands[most], raw, command) }
    if let missing {
      // `currency=eur` for KEY VALUE.
      let line = raw.arguments.flatMap {
        $0 == operands.last ? $0.split(separator: "=", maxSplits: 1).map(String.init) : [$0]
      }
      throw Refusal(
        message: "\(command.name) needs \(missing)", hint: see(command), subject: operands.last ?? "",
        lines: line == raw.arguments ? [] : [line])
    }
    // Only the word that a shell completes may be empty.
    if operands.contains(""), !command.isHidden {
      throw Refusal(message: "an argument of \(command.name) is empty", hint: see(command))
    }
  }

  private static func article(of word: String) -> String {
    word.contains("|") ? "one of" : word.first.map("AEIOU".contains) ?? false ? "an" : "a"
  }

  private static func unexpected(_ operand: String, _ raw: RawArguments, _ command: CommandSpec) -> Refusal {
    let takes = command.operandWord.map { "takes \(command.operands.isOne ? "one " : "")\($0)" } ?? "takes no argument"
    let lines = raw.arguments.lastIndex(of: operand).map { index in
      OtherTools.lines(raw.arguments, at: index, name: "", attached: operand, for: command)
        + OtherTools.lines(raw.arguments, at: index, name: operand, attached: nil, for: command)
    }
    return Refusal(
      message: "unexpected argument \"\(operand)\": \(command.name) \(takes)", hint: see(command), subject: operand,
      lines: lines ?? [])
  }

  private static func describe(
    _ problem: RawArguments.Problem, _ raw: RawArguments, command: CommandSpec?, table: CommandTable
  ) -> Refusal {
    let options = command.map { $0.options + table.everywhere } ?? table.allOptions
    switch problem {
    case .unknown(let spelling):
      // The dashes are not part of the name: "fiat" is not near to "wait".
      let (names, typed) = (Set(options.map(\.name)), String(spelling.drop { $0 == "-" }))
      let beginnings = names.filter { typed.count > 1 && $0.hasPrefix(typed) }
      let nearest =
        (spelling.count > 2 ? NearestName.match(typed, among: names.sorted()) : nil)
        ?? (beginnings.count == 1 ? beginnings.first : nil)
      return refusal("unknown option \(spelling)", spelling, raw, command, options, near: nearest, hint: see(command))
    case .missingValue(let name):
      let word = table.allOptions.first { $0.name == name }?.valueWord ?? ""
      return Refusal(message: "--\(name) needs a value (\(word))", hint: see(command))
    case .unexpectedValue(let name):
      return Refusal(message: "--\(name) takes no value", hint: see(command))
    }
  }

  /// Returns the refusal of an option that the command does not have.
  ///
  /// - Parameters:
  ///   - name: Its name where the spelling is a letter of it.
  ///   - near: The name of the option that a slip explains; nil for none.
  private static func refusal(
    _ message: String, _ spelling: String, _ raw: RawArguments, _ command: CommandSpec?, _ options: [ParameterSpec],
    name: String? = nil, near: String? = nil, hint: String?
  ) -> Refusal {
    guard let place = raw.place(of: spelling) else { return Refusal(message: message, hint: hint) }
    let name = name ?? String(spelling.drop { $0 == "-" })
    var lines = OtherTools.lines(raw.arguments, at: place.index, name: name, attached: place.attached, for: command)
    if let near, let option = options.first(where: { $0.name == near }) {
      var line = raw.arguments
      let value = option.takesValue ? place.attached.map { [$0] } ?? [] : []
      line.replaceSubrange(place.index...place.index, with: [option.spelling] + value)
      lines.append(line)
    }
    // An option without a right value is named with the values that it takes.
    let named = lines.lazy.flatMap { line in
      options.filter { line.contains($0.spelling) && !raw.arguments.contains($0.spelling) }
    }.first
    let form = named.map { option in
      let value = option.valueWord.map { " \($0)" } ?? ""
      return "did you mean \(option.spelling)\(value): \(option.help)?"
    }
    return Refusal(message: message, hint: form ?? hint, subject: spelling, lines: lines)
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
