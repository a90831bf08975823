/// The files that are made from the table of commands, as they stand in `docs`.
struct GeneratedPages {
  /// A file, below the folder.
  struct Page: Equatable {
    let path: String
    let text: String
  }

  let pages: [Page]

  init(_ table: CommandTable) {
    pages = [
      Page(path: "cli.md", text: CommandReference(table).text),
      Page(path: "environment.md", text: EnvironmentPage().text),
      Page(path: "bitpal.1", text: ManualPage(table).text),
      Page(path: "completions/bitpal.bash", text: BashCompletion(table).text),
      Page(path: "completions/_bitpal", text: ZshCompletion(table).text),
      Page(path: "completions/bitpal.fish", text: FishCompletion(table).text),
    ]
  }
}
