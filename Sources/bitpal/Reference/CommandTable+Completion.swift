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
