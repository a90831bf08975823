/// What help can be asked about.
enum HelpTopic: Hashable, Sendable {
  case everything
  case group(String)
  case command(CommandName)
}
