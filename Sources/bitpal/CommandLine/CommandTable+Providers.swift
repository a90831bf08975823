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
          + "from the source, and what comes out is compared. Exit status 3 when anything is wrong."
      ],
      examples: [
        .init("providers check kraken", "a line for each example"),
        .init("providers check mine --format json", "the same for a program"),
      ]),
  ]
}
