/// The files that trust in a folder covers, as they were when its settings were read.
///
/// Every reader compares the bytes that it uses with these, so that what was checked is what is used.
package struct TrustedFiles: Hashable, Sendable {
  /// The settings file, as messages name it.
  let settings: String

  /// SHA-256 in hexadecimal by absolute path; the empty text for a file that could not be read.
  package let digests: [String: String]

  /// The absolute folders in which every file that counts was there when trust was checked.
  let folders: Set<String>

  /// The largest size in bytes of a program, a recording or a file of prices that is compared: 64 MiB.
  ///
  /// A larger one is known by its size and times.
  package static let sizeLimit = 64 << 20

  /// Describes files; nothing is read.
  package init(settings: String, digests: [String: String], folders: Set<String>) {
    self.settings = settings
    self.digests = digests
    self.folders = folders
  }

  /// Makes sure that bytes which were just read are those that are trusted; a file that trust does not cover passes.
  ///
  /// - Throws: ``BitpalError/untrusted(file:hasChanged:withheld:)``.
  package func check(_ bytes: [UInt8], of path: String) throws(BitpalError) {
    let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
    guard let digest = digests[path] ?? (folders.contains(folder) ? "" : nil), digest != SHA256.hexDigest(of: bytes)
    else { return }
    throw .untrusted(file: settings, hasChanged: true, withheld: [path])
  }
}
