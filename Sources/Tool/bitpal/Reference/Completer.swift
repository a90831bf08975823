import BitpalQueries

/// A finder of the completions of the last word of a command line.
struct Completer {
  /// The completions of a word.
  enum Source: Equatable, Sendable {
    /// None are known: amounts, dates, notes.
    case nothing

    /// The names of files.
    case files

    /// The commands and options of the table, each with its help.
    case offers([CompletionOffer])

    /// The aliases, and the coins of the cached list.
    case coins

    /// The providers of the settings.
    case providers

    /// The chart ranges of the settings.
    case ranges

    /// The values of an option; nil when it takes none.
    init?(valueOf option: ParameterSpec) {
      switch (option.values, option.name) {
      case (.flag, _): return nil
      case (.choice(let words), _): self = .offers(words.map { CompletionOffer($0, option.help) })
      case (.text, "provider"): self = .providers
      case (.text, "range"): self = .ranges
      case (.text, "coin"): self = .coins
      case (.text("FILE", _), _): self = .files
      case (.text, _), (.day, _), (.count, _), (.optional, _): self = .nothing
      }
    }

    /// Creates an operand by its word in the help: `COIN`, `FILE`, `buy|sell`.
    init(operand word: String) {
      switch word {
      case "COIN": self = .coins
      case "NAME": self = .providers
      case "FILE", "FOLDER": self = .files
      case let word where word.contains("|"):
        self = .offers(word.split(separator: "|").map { CompletionOffer(String($0), "") })
      default: self = .nothing
      }
    }
  }

  /// The completions.
  private(set) var source = Source.nothing

  /// The part of the last word before the value: `--range=`; empty for most words.
  private(set) var prefix = ""

  /// The part of the last word that has been typed of what is completed.
  private(set) var beginning = ""

  private let table: CommandTable

  /// Reads a command line.
  ///
  /// - Parameters:
  ///   - words: The words after `bitpal` up to the cursor; the last one is completed, and may be empty. bash sends
  ///     `--range=1W` as three words.
  ///   - table: The commands.
  init(_ words: [String], _ table: CommandTable) {
    self.table = table
    var typed: [String] = []
    var awaited: ParameterSpec?
    let endsWithSign = words.last == "="
    let words = words.filter { $0 != "=" } + (endsWithSign ? [""] : [])
    for word in words.dropLast() {
      if awaited != nil {
        awaited = nil
      } else if word == "--" {
        return
      } else if word.hasPrefix("-") {
        awaited =
          word.contains("=") ? nil : option(word, typed).flatMap { $0.takesValue && !$0.isWholeAlone ? $0 : nil }
      } else {
        typed.append(word)
      }
    }
    beginning = words.last ?? ""
    if let awaited {
      source = Source(valueOf: awaited) ?? .nothing
    } else if beginning.hasPrefix("--"), let sign = beginning.firstIndex(of: "=") {
      source = option(String(beginning[..<sign]), typed).flatMap { Source(valueOf: $0) } ?? .nothing
      prefix = String(beginning[...sign])
      beginning = String(beginning[sign...].dropFirst())
    } else if beginning.hasPrefix("-") {
      source = .offers(options(typed).map { CompletionOffer($0.spelling, $0.help) })
    } else {
      source = operand(typed)
    }
  }

  /// Returns the command that some words begin with, and the number of words that call it.
  private func command(_ typed: [String]) -> (spec: CommandSpec, words: Int)? {
    for count in [2, 1] where typed.count >= count {
      if let spec = table.command(typed.prefix(count).joined(separator: " ")), !spec.isHidden { return (spec, count) }
    }
    return nil
  }

  /// The options of the command that some words begin with: its own, then those of all commands.
  private func options(_ typed: [String]) -> [ParameterSpec] {
    let own = command(typed)?.spec.options ?? []
    return own + table.everywhere.filter { option in !own.contains { $0.name == option.name } }
  }

  /// The option with a spelling.
  private func option(_ spelling: String, _ typed: [String]) -> ParameterSpec? {
    (options(typed) + table.allOptions).first { $0.spellings.contains(spelling) }
  }

  /// Returns the completions of the word after some words that are not options.
  private func operand(_ typed: [String]) -> Source {
    guard let first = typed.first else { return .offers(firstWords) }
    let second = table.shown.filter { $0.words.count > 1 && $0.words.first == first }
    if typed.count == 1, !second.isEmpty {
      return .offers(second.map { CompletionOffer($0.words.last ?? "", $0.summary) })
    }
    if first == "help" { return typed.count == 1 ? .offers(firstWords) : .nothing }
    // The operands of `record` contain a command line of their own, after a new name.
    guard let command = command(typed), let words = command.spec.operandWord, !words.contains("--") else {
      return .nothing
    }
    let operands = words.split { " []".contains($0) }.map(String.init)
    let place = typed.count - command.words
    guard let word = place < operands.count ? operands[place] : operands.last,
      place < operands.count || word.hasSuffix("…")
    else { return .nothing }
    return Source(operand: word.hasSuffix("…") ? String(word.dropLast()) : word)
  }

  private var firstWords: [CompletionOffer] {
    table.firstWords.map { word in
      let summary = table.groups.first { $0.name == word }?.summary ?? table.command(word)?.summary
      return CompletionOffer(word, summary ?? "help on a command")
    }
  }
}

/// A completion of a word, and its meaning.
struct CompletionOffer: Equatable, Sendable {
  let word: String
  let meaning: String

  init(_ word: String, _ meaning: String) {
    (self.word, self.meaning) = (word, meaning)
  }

  /// Whether every shell takes the word for a plain word, whatever its script does with it.
  ///
  /// Aliases, ranges and ids come from settings and coin lists of others, and some shells evaluate what they are
  /// offered. A word with other characters is left out: it can still be typed.
  var isPlain: Bool {
    !word.isEmpty && word.unicodeScalars.allSatisfy { $0.properties.isAlphabetic || Self.plain.contains($0) }
  }

  private static let plain = Set("0123456789._+-:/@".unicodeScalars)
}
