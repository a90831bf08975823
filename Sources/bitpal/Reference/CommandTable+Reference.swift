extension CommandTable {
  /// The commands that tell shells about the others.
  static let reference = [
    CommandSpec(
      .completion, "what a shell needs to complete commands, options and coins", operands: .one("bash|zsh|fish"),
      details: [
        "Prints a script. Coins are completed from the cached coin list and the aliases, never from the network; "
          + "\"bitpal search\" fills the list.",
        "For bash: add  eval \"$(bitpal completion bash)\"  to ~/.bashrc. For zsh: write it to a file _bitpal in a folder "
          + "of $fpath. For fish: write it to ~/.config/fish/completions/bitpal.fish. \"make install\" does all three.",
      ],
      examples: [
        .init("completion bash", "a script for bash"),
        .init("completion fish > ~/.config/fish/completions/bitpal.fish", "for fish, for good"),
      ]),
    CommandSpec(
      .generate, "what completions ask, and the pages made from commands", operands: .some("WHAT"),
      isHidden: true,
      details: [
        "WHAT is coins, providers or ranges, with the beginning of a word; or docs, with a folder to write to."
      ],
      examples: [
        .init("generate coins bit", "the cached coins that begin so"),
        .init("generate docs docs", "the man page, the reference and the completions"),
      ]),
  ]
}
