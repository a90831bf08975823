import FoundationEssentials
public import Testing

/// A session at a terminal, as a file: after `$ ` a command, below it what it says.
///
/// Lines of standard error begin with `! `, and a status other than 0 is a last line `[1]`. Lines above the first
/// command tell what the session shows.
///
///     $ bitpal price bitcoin --format csv --fields price
///     price
///     97206.88
///
/// With `BITPAL_RECORD_GOLDEN=1` the files are written anew, so a session is added by writing its commands into a new file
/// and recording.
public struct Transcript: CustomTestStringConvertible, Sendable {
  /// What a command said.
  public struct Outcome: Hashable, Sendable {
    /// On standard output.
    public let output: String

    /// On standard error.
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

  /// Where the file is.
  public let path: String

  /// A session in the file at `path`.
  public init(_ path: String) {
    self.path = path
  }

  /// The sessions in the `.txt` files of a folder, by name; none when it cannot be read.
  public static func all(in folder: String) -> [Transcript] {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return files.filter { $0.hasSuffix(".txt") }.sorted().map { Transcript(folder + "/" + $0) }
  }

  /// The file's name, by which a parameterized test shows it.
  public var testDescription: String { path.split(separator: "/").last.map(String.init) ?? path }

  /// Runs the commands of the file in order and expects them to say what it says, byte for byte.
  ///
  /// - Parameters:
  ///   - sourceLocation: Where a difference is reported.
  ///   - run: Runs a command line, in a place that looks the same on every machine.
  /// - Throws: What `run` throws, or the file system's error.
  public func expect(
    sourceLocation: SourceLocation = #_sourceLocation, run: (String) throws -> Outcome
  ) throws {
    guard let data = FileManager.default.contents(atPath: path) else {
      Issue.record("there is no \(path)", sourceLocation: sourceLocation)
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
