extension CommandTable {
  /// The commands about the sources.
  static let providers = [
    CommandSpec(
      .providersList, "which there are and what they can do",
      details: ["A provider file that cannot be read is named on stderr; the others are listed all the same."],
      examples: [
        .init("providers list", "one line each"),
        .init("providers list --format json", "the same for a program"),
      ]),
    CommandSpec(
      .providersShow, "everything in force of one, and where it comes from", operands: .one("NAME"),
      details: ["Overrides of the settings are laid over the provider's file. Keys are never shown."],
      examples: [.init("providers show kraken", "value and origin, line by line")]),
    CommandSpec(
      .providersCheck, "read a provider file and run its examples, offline", operands: .one("NAME"),
      details: [
        "Every fault of the file is named with its line and column. Each example's recorded body is read as if it came "
          + "from the source, and what comes out is compared. Then the source is asked everything that every provider must "
          + "do, with the examples or the recording for answers. Exit status 3 when anything is wrong."
      ],
      examples: [
        .init("providers check kraken", "a line for each example and each rule"),
        .init("providers check mine --format json", "the same for a program"),
      ]),
    CommandSpec(
      .providersNew, "write a provider file from one answer of a source", operands: .one("NAME"),
      options: [
        OptionSpec(.fromURL, .text("URL"), help: "where the answer comes from; fetched unless --from-file has it"),
        OptionSpec(.fromFile, .text("FILE"), help: "the answer as it came; - for standard input"),
        OptionSpec(.coin, .text("ID"), help: "the coin that was asked for, bitcoin by default"),
        OptionSpec(.symbol, .text("TICKER"), help: "its ticker, BTC by default"),
      ],
      details: [
        "Looks at names and numbers to find prices, times and candles, and says of each column how sure it is. What names "
          + "the coin, the currency or the candle width in the URL becomes a placeholder; keys are left out.",
        "The file goes to the providers_dir of the settings, else to $XDG_DATA_HOME/bitpal/providers. The answer becomes "
          + "its example, so that \"providers check NAME\" can be run at once. Nothing is overwritten.",
      ],
      examples: [
        .init("providers new mine --from-url 'https://api.example/p?c=BTC'", "fetch one answer and guess"),
        .init("providers new mine --from-file answer.json --from-url URL", "the same, offline"),
      ]),
  ]
}
