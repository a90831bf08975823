import BitpalFiles
import BitpalModel
import BitpalProviders
import CSpawn
import FoundationEssentials
import Glibc

/// Private copies of a program's trusted files, made of the very bytes whose checksums were compared.
///
/// A file that is replaced after the comparison does not run. Links to the other files of its folder stand beside each
/// copy, where the program loads its modules from.
final class TrustedCopies: Sendable {
  private let folder: String
  private let paths: [String: String]

  /// Copies the files; nil where trust covers only the system's programs, or nothing.
  ///
  /// - Parameters:
  ///   - program: The program whose files they are.
  ///   - hasNeighbours: Whether the copies need the other files of their folders beside them.
  ///   - temporary: The folder in which a private one is made.
  /// - Throws: ``PluginFault/notStarted(_:)`` for a file that has changed, or that cannot be read or copied.
  init?(_ program: PluginProgram, hasNeighbours: Bool, temporary: String) throws(PluginFault) {
    // Only root can replace the system's programs.
    let covered = program.files.map(PathText.normalized).filter { path in
      program.trustedFiles?.digests[path]?.isEmpty == false
        && !PluginProgram.isSystemPath(path)
    }
    guard let trusted = program.trustedFiles, !covered.isEmpty else { return nil }
    var name = Array((temporary + "/bitpal-plugin-XXXXXX").utf8CString)
    guard mkdtemp(&name) != nil else {
      throw .notStarted("\(temporary) has no room for a copy: \(String(cString: strerror(errno)))")
    }
    let folder = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    var paths: [String: String] = [:]
    do {
      let groups = Dictionary(grouping: covered, by: PathText.directory)
      for (index, group) in groups.sorted(by: { $0.key < $1.key }).enumerated() {
        let place = "\(folder)/\(index)"
        guard mkdir(place, 0o700) == 0 else { throw FileFault(code: errno) }
        for path in Set(group.value) {
          let file = try BoundedFile(path, limit: TrustedFiles.sizeLimit)
          try trusted.check(file.bytes, of: path)
          let copy = place + "/" + PathText.name(of: path)
          try FileReplacement.create(copy, with: file.bytes, access: .user)
          chmod(copy, file.status.permissions & 0o500)
          // A process that another thread starts meanwhile has inherited the writer.
          let code = bitpal_await_writers(copy, Self.patience)
          guard code == 0 else { throw FileFault(code: code) }
          paths[path] = copy
        }
        guard hasNeighbours else { continue }
        for name in (try? FileManager.default.contentsOfDirectory(atPath: group.key)) ?? [] {
          // This fails for the name of a copy, which must stay.
          symlink(group.key + "/" + name, place + "/" + name)
        }
      }
    } catch {
      try? FileManager.default.removeItem(atPath: folder)
      throw .notStarted((error as? BitpalError)?.description ?? (error as? FileFault)?.reason ?? "\(error)")
    }
    self.folder = folder
    self.paths = paths
  }

  /// The longest wait in milliseconds for processes that are being started.
  private static let patience: Int32 = 5000

  deinit { remove() }

  /// Returns the path of the copy of a file, given its absolute path; nil for a file that is not copied.
  func path(of file: String) -> String? { paths[file] }

  /// Removes the copies; a running program can still read those that it has open.
  func remove() {
    try? FileManager.default.removeItem(atPath: folder)
  }
}
