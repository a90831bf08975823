package import BitpalModel

/// The program of a plugin, as a provider file of `kind: plugin` declares it.
package struct PluginProgram: Equatable, Sendable {
  /// The program and its arguments, as the file writes them; at least one word.
  ///
  /// The command is run without a shell. A first word without a slash is searched in `PATH`.
  package let command: [String]

  /// The absolute folder of the file: the working folder of the program, and the base of its relative paths.
  package let folder: String

  /// The hosts that its requests may go to, in lower case and without ports.
  package let hosts: [String]

  /// The examples: recorded answers with their expected results.
  package var examples: [DeclaredExample]

  /// Whether ``hosts`` come from the user's own file; only such a file can name this machine and private networks.
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

  /// The absolute paths of the words of the command that may be files of the program: its first word if it has a slash,
  /// and every later one that is not an option.
  ///
  /// Whether a file exists at each path is not checked here.
  package var candidateFiles: [String] {
    command.indices.compactMap(candidateFile)
  }

  /// Returns the absolute path at which the word at `index` may be a file of the program; nil for a word that cannot
  /// name one.
  package func candidateFile(_ index: Int) -> String? {
    let word = command[index]
    guard index == 0 ? word.contains("/") : !word.isEmpty && !word.hasPrefix("-") else { return nil }
    return word.hasPrefix("/") ? word : "\(folder)/\(word)"
  }
}
