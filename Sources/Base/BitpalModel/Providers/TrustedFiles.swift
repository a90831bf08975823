/// The files that trust in a folder covers, in the state in which its settings were read.
///
/// Every reader compares the bytes that it uses with these, so that only checked bytes are used.
package struct TrustedFiles: Hashable, Sendable {
  /// The settings file, as messages name it.
  let settings: String

  /// SHA-256 in hexadecimal by absolute path; the empty text for a file that could not be read.
  package let digests: [String: String]

  /// The absolute folders whose files were all known when trust was checked; another file in one of them is not
  /// trusted.
  let folders: Set<String>

  /// The largest size in bytes of a program, a recording or a file of prices that is compared: 64 MiB.
  ///
  /// A larger file is identified by its size and times.
  package static let sizeLimit = 64 << 20

  /// Creates the description of files, which are not read.
  package init(settings: String, digests: [String: String], folders: Set<String>) {
    self.settings = settings
    self.digests = digests
    self.folders = folders
  }

  /// Checks that bytes which were just read are the trusted ones; a file that trust does not cover passes.
  ///
  /// - Throws: ``BitpalError/untrusted(file:hasChanged:withheld:)``.
  package func check(_ bytes: [UInt8], of path: String) throws(BitpalError) {
    let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
    guard let digest = digests[path] ?? (folders.contains(folder) ? "" : nil), digest != SHA256.hexDigest(of: bytes)
    else { return }
    throw .untrusted(file: settings, hasChanged: true, withheld: [path])
  }
}
