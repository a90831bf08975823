package import BitpalModel
import Glibc

/// The reason why a file cannot be read or written.
package enum FileFault: Error, Hashable, Sendable {
  /// The file does not exist.
  case missing

  /// The file already exists.
  case taken

  /// The path leads to something other than a file.
  case notAFile(FileStatus.Kind)

  /// The file is larger than the limit.
  case tooLarge(limit: Int)

  /// The system refused with that `errno`.
  case refused(code: Int32)

  /// A folder above the file cannot be created, with that `errno`.
  case noFolder(String, code: Int32)

  /// Creates the fault for an `errno`.
  package init(code: Int32) {
    self =
      switch code {
      case ENOENT, ENOTDIR: .missing
      case EEXIST: .taken
      case EISDIR: .notAFile(.folder)
      default: .refused(code: code)
      }
  }

  /// The problem, without the file's name.
  package var reason: String {
    switch self {
    case .missing: String(cString: strerror(ENOENT))
    case .taken: "it is there already and is left as it is"
    case .notAFile(let kind): "this is a \(kind.rawValue), not a file"
    case .tooLarge(let limit):
      "it is larger than \(limit >= 1 << 20 ? "\(limit >> 20) MiB" : "\(limit >> 10) KiB"), the most that is read"
    case .refused(let code): String(cString: strerror(code))
    case .noFolder(let folder, let code): "the folder \(folder) cannot be made: \(String(cString: strerror(code)))"
    }
  }

  /// Returns the fault as an error about the user's file at `path`.
  package func error(of path: String) -> BitpalError { .dataFile(path: path, reason: reason) }
}
