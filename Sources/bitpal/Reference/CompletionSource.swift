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
    case (.text, _): self = .nothing
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
