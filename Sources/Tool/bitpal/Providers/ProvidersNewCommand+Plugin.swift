import Bitpal
import BitpalConfig
import BitpalFiles
import BitpalModel
import BitpalOutput
import BitpalPlugins
import BitpalProviders
import Glibc

extension ProvidersNewCommand {
  /// Writes a program and its provider file, and runs the examples of the file.
  ///
  /// - Throws: `BitpalError` when a file of that name exists or cannot be written; the program is removed again when
  ///   the provider file cannot be written.
  func begin(
    _ template: PluginTemplate, _ folder: String, _ settings: Settings, _ session: Session
  ) throws -> ExitStatus {
    let program = "\(folder)/\(template.programFile)"
    let file = "\(folder)/\(name).yaml"
    // The program goes first, so that a provider file never names a program that does not exist.
    try FileReplacement.create(program, with: Array(template.program.utf8), access: .user)
    do throws(BitpalError) {
      try FileReplacement.create(file, with: Array(template.providerFile.utf8), access: .user)
    } catch {
      unlink(program)
      throw error
    }
    try session.renewTrust(
      in: settings, written: .init(program, after: Array(template.program.utf8)),
      .init(file, after: Array(template.providerFile.utf8)))
    let current = session.environment.currentDirectory
    let view = PluginNewView(
      provider: name, file: PathText.shown(file, from: current), program: PathText.shown(program, from: current),
      problem: problem(in: try session.settings(), session))
    session.confirm(view, "wrote \(program) and \(file)")
    return view.isGood ? .answered : .configuration
  }

  /// Returns the first problem that the examples of the new provider find; nil when there is none.
  func problem(in settings: Settings, _ session: Session) -> String? {
    do {
      let source = try session.assembly(settings).offlineFixtures(of: name).examples
      return source.map { ExampleCheck($0).run() }?.compactMap(\.problem).first
    } catch {
      return (error as? BitpalError)?.description ?? "\(error)"
    }
  }
}

/// The files that were written for a new plugin, and the next step.
struct PluginNewView: View {
  let output: DoneOutput
  private let provider: String
  private let file: String
  private let program: String
  private let problem: String?

  init(provider: String, file: String, program: String, problem: String?) {
    self.provider = provider
    self.file = file
    self.program = program
    self.problem = problem
    output = DoneOutput(
      ProvidersNewCommand.name, about: provider,
      ["file": file, "program": program, "problem": problem])
  }

  /// Whether every example gives the result that it states.
  var isGood: Bool { problem == nil }

  func table(style: Style) -> String {
    let state = problem.map { "its examples do not come out yet: \($0)" } ?? "its examples come out right"
    return """
      wrote \(program): what to ask, and how to read the answer
      wrote \(file): what starts it, and examples of answers
      \(state)
      next: put the source's own hosts, requests and answers into both, and after each change run
        bitpal providers check \(provider)

      """.printableLines()
  }
}
