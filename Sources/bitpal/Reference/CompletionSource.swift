/// Where the words come from that complete an option's value or an operand.
enum CompletionSource: Equatable, Sendable {
  /// Nobody knows them: amounts, dates, notes.
  case nothing
  case files
  case words([String])

  /// What `bitpal generate` prints when asked for it.
  case asked(CompletionWords)

  /// The values of an option; nil when it takes none.
  init?(valueOf option: OptionSpec) {
    switch (option.value, option.name) {
    case (.none, _): return nil
    case (.choice(let words), _): self = .words(words)
    case (.text, .provider): self = .asked(.providers)
    case (.text, .range): self = .asked(.ranges)
    case (.text, .coin): self = .asked(.coins)
    case (.text("FILE"), _): self = .files
    case (.text, _), (.optional, _): self = .nothing
    }
  }

  /// What stands for an operand in the help: `COIN`, `FILE`, `buy|sell`.
  init(operand word: String) {
    switch word {
    case "COIN": self = .asked(.coins)
    case "NAME": self = .asked(.providers)
    case "FILE", "FOLDER": self = .files
    case let word where word.contains("|"): self = .words(word.split(separator: "|").map(String.init))
    default: self = .nothing
    }
  }
}

/// The words a completion script asks the tool for.
enum CompletionWords: String, CaseIterable, Sendable {
  /// The aliases, and the coins of the cached list.
  case coins
  case providers
  case ranges
}

extension CommandSpec {
  /// What completes an operand, and whether it completes all after it as well.
  struct CompletedOperand: Equatable, Sendable {
    /// What stands for it in the help: `COIN`.
    let word: String
    let source: CompletionSource

    /// Whether any number of them may follow.
    let isRepeated: Bool
  }

  /// What completes the operands, in their order.
  ///
  /// Where a command line of its own stands among them, nothing is: `record` takes a new name, or a folder's, before one.
  var completedOperands: [CompletedOperand] {
    guard let words = operandWord, !words.contains("--") else { return [] }
    return words.split { " []".contains($0) }.map { word in
      let isRepeated = word.hasSuffix("…")
      let word = String(isRepeated ? word.dropLast() : word)
      return CompletedOperand(word: word, source: CompletionSource(operand: word), isRepeated: isRepeated)
    }
  }
}

extension CommandTable {
  /// Every spelling of an option that must be followed by a value, each once: `-c`, `--config`.
  var spellingsWithValue: [String] {
    var spellings: [String] = []
    for option in allOptions where option.takesValue {
      for spelling in option.spellings where !spellings.contains(spelling) { spellings.append(spelling) }
    }
    return spellings
  }

  /// What the first word of a command line means: a command's or a group's summary.
  func summary(ofFirstWord word: String) -> String {
    groups.first { $0.name == word }?.summary ?? commands.first { $0.name == word }?.summary
      ?? "help on a command"
  }
}

extension OptionSpec {
  /// How it can be written: `-c`, `--config`.
  var spellings: [String] { [short.map { "-\($0)" }, name.spelling].compactMap(\.self) }
}
