/// A program that speaks a dialect: what a provider file of `kind: plugin` says of it.
package struct PluginProgram: Equatable, Sendable {
  /// The program and its arguments, as the file writes them; at least one word.
  ///
  /// No shell reads them. A first word without a slash is looked for in `PATH`.
  package let command: [String]

  /// The absolute folder of the file, in which the program runs and from which its paths count.
  package let folder: String

  /// The hosts that its requests may go to, in lower case and without ports.
  package let hosts: [String]

  /// Recorded answers and what must come out of them.
  package var examples: [DeclaredExample]

  /// Whether ``hosts`` come from a file of the user's own, which alone can name this machine and private networks.
  package var mayAskPrivateHosts = true

  /// The files of the folder that was trusted; nil for a program of the user's own.
  package var trustedFiles: TrustedFiles?

  /// Describes a program; nothing is looked at or started.
  package init(command: [String], folder: String, hosts: [String] = [], examples: [DeclaredExample] = []) {
    self.command = command
    self.folder = folder
    self.hosts = hosts
    self.examples = examples
  }

  /// The absolute paths at which words of the command would be files of the program's own: its first word where it has a
  /// slash, and every later one that is no option.
  ///
  /// Which of them are files is for those to say who may look.
  package var candidateFiles: [String] {
    command.indices.compactMap(candidateFile)
  }

  /// The absolute path at which the word at `index` would be a file of the program's own; nil for a word that names none.
  package func candidateFile(_ index: Int) -> String? {
    let word = command[index]
    guard index == 0 ? word.contains("/") : !word.isEmpty && !word.hasPrefix("-") else { return nil }
    return word.hasPrefix("/") ? word : "\(folder)/\(word)"
  }
}
