extension CommandTable {
  /// The commands about trust in folders.
  static let trust = [
    CommandSpec(
      .trustAdd, "take a folder's config.yaml and provider files for your own", operands: .optional("FOLDER"),
      details: [
        "A ./config.yaml that is merely found may have come with somebody else's files. Until its folder is trusted it "
          + "chooses among shipped providers, recordings below the folder, ranges, times to live and display, and nothing "
          + "more: no keys, no provider files, no aliases, no cache file, no portfolio and no watchlist.",
        "What is trusted is the folder's path and what is in the files now; any change to them asks again. FOLDER is the "
          + "working folder by default. Settings named by --config or BITPAL_CONFIG, and your own, need no trust.",
      ],
      examples: [
        .init("trust", "the working folder, after a look at its files"),
        .init("trust ~/prices", "another one"),
      ]),
    CommandSpec(
      .trustList, "the folders that are trusted, and which have changed",
      examples: [
        .init("trust list", "a line each"),
        .init("trust list --format json", "the same for a program"),
      ]),
    CommandSpec(
      .trustRemove, "trust a folder no longer", operands: .optional("FOLDER"),
      details: ["FOLDER is the working folder by default; it need not be there any more."],
      examples: [.init("trust remove", "the working folder"), .init("trust remove ~/prices", "another one")]),
  ]
}
