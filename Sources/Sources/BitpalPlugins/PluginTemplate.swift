/// A small program and its provider file as the start of a new plugin; both are about a source that does not exist.
package struct PluginTemplate: Sendable {
  /// The languages that have a template.
  package enum Language: String, CaseIterable, Sendable {
    case python
    case sh
    case perl
  }

  /// The program's text.
  package let program: String

  /// The name of its file.
  package let programFile: String

  /// The provider file's text.
  package let providerFile: String

  /// Creates a plugin template.
  ///
  /// - Parameters:
  ///   - id: The id of the provider: small letters, digits, `-` and `_`.
  ///   - language: The language of the program.
  package init(id: String, in language: Language) {
    let host = "api.\(id.replacing("_", with: "-")).example"
    func filled(_ bytes: [UInt8]) -> String {
      String(decoding: bytes, as: UTF8.self).replacing("NAME", with: id).replacing("HOST", with: host)
    }
    let command: String
    switch language {
    case .python:
      programFile = "\(id).py"
      // In isolated mode (-I) a file beside the program cannot shadow a module of Python's library.
      command = "[python3, -I, \(programFile)]"
      program = filled(PackageResources.plugin_py)
    case .sh:
      programFile = "\(id).sh"
      command = "[sh, \(programFile)]"
      program = filled(PackageResources.plugin_sh)
    case .perl:
      programFile = "\(id).pl"
      command = "[perl, \(programFile)]"
      program = filled(PackageResources.plugin_pl)
    }
    providerFile = filled(PackageResources.provider_yaml).replacing("COMMAND", with: command)
      .replacing("PROGRAM", with: programFile)
  }
}
