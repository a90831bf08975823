extension CommandTable {
  /// The command that records a source.
  static let record = CommandSpec(
    .record, "save what a command gets over the wire, to replay it offline", operands: .some("NAME -- COMMAND"),
    options: [
      OptionSpec(.replace, help: "record anew over a recording that is there"),
      OptionSpec(.check, help: "ask again and tell what changed in shape; nothing is written"),
    ],
    details: [
      "The command runs with an empty cache, so that everything it needs is asked for and kept: requests and answers go "
        + "to Fixtures/NAME (or to NAME itself when it is a path) as HAR 1.2, without keys. A failure is recorded too. "
        + "\"recording:NAME\" is then a provider wherever one can be named; time stands at the instant of the recording.",
      "With --check values are ignored: fields that are gone or of another type are exit status 1, new ones are only "
        + "told. Without a command the one that made the recording is run again.",
    ],
    examples: [
      .init("record demo -p coingecko -- price bitcoin ethereum", "two prices, kept"),
      .init("record demo --check", "does the source still answer in that shape?"),
    ])
}
