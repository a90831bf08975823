import BitpalModel
import CShipped

/// The provider files, import files, the demo recording and the schema of provider files inside the program, as a folder
/// that can only be read.
///
/// Readers take its paths for those of files (``BoundedFile``, ``FileStatus``), so that the binary alone is enough.
package enum ShippedFiles {
  /// The path of the folder, which does not exist in the file system.
  package static let folder = "/bitpal.shipped"

  /// The path of the JSON Schema of provider files.
  package static let providerSchema = folder + "/docs/schemas/provider.json"

  /// Returns whether a path leads into the folder.
  package static func contains(_ path: String) -> Bool { path.hasPrefix(folder + "/") }

  /// Returns the names of the files directly in a folder of it, sorted; nil for a path outside of it.
  package static func names(in path: String) -> [String]? {
    guard contains(path) else { return nil }
    let start = path.dropFirst(folder.count + 1) + "/"
    return files.map { String(cString: $0.path) }.filter { $0.hasPrefix(start) }.map {
      String($0.dropFirst(start.count))
    }
    .filter { !$0.contains("/") }
  }

  /// Returns the content of a file of it; nil for any other path.
  static func bytes(of path: String) -> UnsafeBufferPointer<UInt8>? {
    guard contains(path) else { return nil }
    let name = path.dropFirst(folder.count + 1)
    return files.first { String(cString: $0.path) == name }.map {
      UnsafeBufferPointer(start: $0.bytes, count: $0.count)
    }
  }

  private static var files: UnsafeBufferPointer<bitpal_shipped_file> {
    UnsafeBufferPointer(start: bitpal_shipped_files(), count: bitpal_shipped_count())
  }
}
