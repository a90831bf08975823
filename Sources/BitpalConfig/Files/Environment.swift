// `environ` is a mutable global of C. It is read once, before anything else could change it.
import BitpalFiles
@preconcurrency import Glibc

/// What a process is born with: its variables, its folder and its user's home.
///
/// It is a value, so that a test or a program can load settings as if it stood elsewhere.
public struct Environment: Equatable, Sendable {
  /// The variables, by name.
  public let variables: [String: String]

  /// The absolute folder to which relative paths on the command line refer.
  public let currentDirectory: String

  /// The user's home folder; nil when nothing says where it is.
  public let home: String?

  /// The absolute path of the running program; nil when it is not known or does not matter.
  public let executable: String?

  /// Creates an environment.
  ///
  /// - Parameters:
  ///   - variables: The environment variables.
  ///   - currentDirectory: Where relative paths begin, and where the search for `config.yaml` does.
  ///   - home: The value of `HOME` when nil, if that is absolute.
  ///   - executable: The path of the running program, beside which an installation's files are.
  public init(
    variables: [String: String], currentDirectory: String, home: String? = nil, executable: String? = nil
  ) {
    self.variables = variables
    self.currentDirectory = currentDirectory
    self.executable = executable
    self.home = home ?? variables["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
  }

  /// The environment of this process; call it at the start, while nothing changes the variables.
  ///
  /// Read without Foundation, whose `ProcessInfo` takes longer than loading the settings.
  public static func process() -> Environment {
    var variables: [String: String] = [:]
    var next: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = environ
    while let entry = next?.pointee {
      if let separator = strchr(entry, Int32(UInt8(ascii: "="))) {
        let name = UnsafeRawBufferPointer(start: entry, count: entry.distance(to: separator))
        variables[String(decoding: name, as: UTF8.self)] = String(cString: separator + 1)
      }
      next = next?.advanced(by: 1)
    }
    let directory = getcwd(nil, 0)
    defer { free(directory) }
    return Environment(
      variables: variables, currentDirectory: directory.map { String(cString: $0) } ?? "/",
      executable: PathText.real("/proc/self/exe"))
  }

  /// The same in another folder.
  ///
  /// - Parameter directory: An absolute path.
  public func standing(in directory: String) -> Environment {
    Environment(variables: variables, currentDirectory: directory, home: home, executable: executable)
  }

  /// A variable's value; nil when it is not set or empty.
  public func value(_ name: String) -> String? {
    variables[name].flatMap { $0.isEmpty ? nil : $0 }
  }
}

extension Environment: CustomStringConvertible {
  /// How many variables there are and where; never their values, which may be secrets.
  public var description: String {
    "\(variables.count) variables in \(currentDirectory)"
  }
}
