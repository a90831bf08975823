import FoundationEssentials
public import Testing

/// A terminal session in a file: a command after `$ `, and its output below it.
///
/// Lines of standard error begin with `! `, and a status other than 0 is a last line `[1]`. Lines above the first
/// command describe the session.
///
///     $ bitpal price bitcoin --format csv --fields price
///     price
///     97206.88
///
/// With `BITPAL_RECORD_GOLDEN=1` the files are written again. A session is added by writing its commands into a new
/// file and recording it.
public struct Transcript: CustomTestStringConvertible, Sendable {
  /// The result of a command.
  public struct Outcome: Hashable, Sendable {
    /// The text on standard output.
    public let output: String

    /// The text on standard error.
    public let errors: String

    /// The exit status.
    public let status: Int32

    /// Creates an outcome.
    public init(output: String, errors: String = "", status: Int32 = 0) {
      self.output = output
      self.errors = errors
      self.status = status
    }
  }

  /// The path of the file.
  public let path: String

  /// Creates a session from the file at `path`, which is read later.
  public init(_ path: String) {
    self.path = path
  }

  /// Returns the sessions in the `.txt` files of a folder, by name; none when it cannot be read.
  public static func all(in folder: String) -> [Transcript] {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return files.filter { $0.hasSuffix(".txt") }.sorted().map { Transcript(folder + "/" + $0) }
  }

  /// The name of the file, which a parameterized test shows.
  public var testDescription: String { path.split(separator: "/").last.map(String.init) ?? path }

  /// Runs the commands of the file in order and expects their output to equal the file, byte for byte.
  ///
  /// - Parameters:
  ///   - sourceLocation: The place at which a difference is reported.
  ///   - run: Runs a command line, in an environment that is the same on every machine.
  /// - Throws: The errors of `run` or of the file system.
  public func expect(
    sourceLocation: SourceLocation = #_sourceLocation, run: (String) throws -> Outcome
  ) throws {
    guard let data = FileManager.default.contents(atPath: path) else {
      Issue.record("\(path) is missing", sourceLocation: sourceLocation)
      return
    }
    let lines = String(decoding: data, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    var text = lines.prefix { !$0.hasPrefix("$ ") }.map { $0 + "\n" }.joined()
    for command in lines where command.hasPrefix("$ ") {
      text += command + "\n" + Self.text(of: try run(String(command.dropFirst(2))))
    }
    try Golden.expect(text, at: path, sourceLocation: sourceLocation)
  }

  private static func text(of outcome: Outcome) -> String {
    var text = outcome.output
    if !text.isEmpty, !text.hasSuffix("\n") { text += "(no line end)\n" }
    for line in outcome.errors.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
      text += line.isEmpty ? "!\n" : "! \(line)\n"
    }
    return text + (outcome.status == 0 ? "" : "[\(outcome.status)]\n")
  }
}
