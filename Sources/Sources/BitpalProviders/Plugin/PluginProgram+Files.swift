import BitpalFiles

/// The files of a plugin.
extension PluginProgram {
  /// The program's own files in its command, as absolute paths with links followed: a change to one of them changes the
  /// program.
  ///
  /// Files that the program loads itself are not included.
  package var files: [String] {
    candidateFiles.filter { (try? FileStatus($0))?.kind == .regular }
  }

  /// The system's folders of programs and libraries.
  package static let systemFolders = [
    "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store", "/gnu/store",
  ]

  /// Returns whether a path is below one of ``systemFolders``.
  package static func isSystemPath(_ path: String) -> Bool { systemFolders.contains { path.hasPrefix($0 + "/") } }

  /// The first word of the command that may run code outside of the program's own files; nil if none may.
  ///
  /// An allow list of forms decides: the user's own program with any arguments; or a program of the system with options
  /// that only set modes, a script that is a file, and any arguments. So code (`-c`), modules (`-m`, `--require`),
  /// folders and subcommands are found, also behind a link to an interpreter.
  package var inlineCode: String? {
    var words = command.indices[...]
    // `env NAME …` starts NAME.
    while words.count > 1, PathText.name(of: command[words[words.startIndex]]) == "env",
      case let next = command[words[words.startIndex + 1]], !next.hasPrefix("-"), !next.contains("=")
    {
      words = words.dropFirst()
    }
    guard let first = words.first, !isOwnProgram(first) else { return nil }
    let name = String(PathText.name(of: command[first]).prefix { $0.isLetter })
    let letters = Self.modes[name] ?? ""
    for index in words.dropFirst() {
      let word = command[index]
      if let file = candidateFile(index), (try? FileStatus(file))?.kind == .regular { return nil }
      let isMode =
        word == "--" || word.hasPrefix("-") && word.count > 1 && word.dropFirst().allSatisfy { letters.contains($0) }
      if !isMode { return word }
    }
    return nil
  }

  /// Returns whether a word of the command is a program that is neither the system's nor an interpreter.
  private func isOwnProgram(_ index: Int) -> Bool {
    guard command[index].contains("/"), let path = candidateFile(index), let real = PathText.real(path) else {
      return false
    }
    let names = [path, real].map { String(PathText.name(of: $0).prefix { $0.isLetter }) }
    return !Self.isSystemPath(real) && !names.contains { Self.modes[$0] != nil }
  }

  /// The options of known interpreters that only set modes; none of them takes a value.
  private static let modes: [String: String] = {
    var modes = [
      "python": "IuBEsSbqOv", "pypy": "IuBEsSbqOv", "perl": "wTt", "ruby": "w", "node": "", "nodejs": "", "deno": "",
      "bun": "", "php": "q", "lua": "", "luajit": "", "Rscript": "", "julia": "", "guile": "s", "env": "",
    ]
    for shell in ["sh", "bash", "dash", "ash", "zsh", "ksh", "mksh", "fish", "busybox"] { modes[shell] = "euxf" }
    for filter in ["awk", "gawk", "mawk", "nawk", "jq", "sed"] { modes[filter] = "fnr" }
    return modes
  }()
}
