/// When output is coloured.
enum ColorChoice: String, CaseIterable, Sendable {
  /// On a terminal, unless `NO_COLOR` is set or the terminal is dumb.
  case auto
  case always
  case never
}
