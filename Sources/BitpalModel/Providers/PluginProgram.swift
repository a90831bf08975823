/// A program that speaks a dialect: what a provider file of `kind: plugin` says of it.
public struct PluginProgram: Equatable, Sendable {
  /// The program and its arguments, as the file writes them; at least one word.
  ///
  /// No shell reads them. A first word without a slash is looked for in `PATH`.
  public let command: [String]

  /// The absolute folder of the file, in which the program runs and from which its paths count.
  public let folder: String

  /// Recorded answers and what must come out of them.
  public var examples: [DeclaredExample]

  /// Describes a program; nothing is looked at or started.
  public init(command: [String], folder: String, examples: [DeclaredExample] = []) {
    self.command = command
    self.folder = folder
    self.examples = examples
  }

  /// The absolute paths at which words of the command would be files of the program's own: its first word where it has a
  /// slash, and every later one that is no option.
  ///
  /// Which of them are files is for those to say who may look.
  package var candidateFiles: [String] {
    let own = command.prefix(1).filter { $0.contains("/") }
    let arguments = command.dropFirst().filter { !$0.isEmpty && !$0.hasPrefix("-") }
    return (own + arguments).map { $0.hasPrefix("/") ? $0 : "\(folder)/\($0)" }
  }
}
