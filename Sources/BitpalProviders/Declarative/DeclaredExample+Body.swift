import BitpalFiles
package import BitpalModel
import BitpalNetwork
import BitpalReplay

extension DeclaredExample {
  /// The body as it came.
  ///
  /// - Throws: `BitpalError.dataFile` when it stands in a file that cannot be read, or that is not below the folder of the
  ///   provider's: a file of somebody else's must not show what stands elsewhere.
  package func bytes() throws(BitpalError) -> [UInt8] {
    switch body {
    case .inline(let text):
      return Array(text.utf8)
    case .file(let name, let folder):
      let failure: String
      switch RecordingPath.resolve(name, in: folder, of: "folder of the provider file") {
      case .success(let path):
        do throws(FileFault) {
          return try BoundedFile(path, limit: CurlLimits().bodyBytes).bytes
        } catch {
          failure = error.reason
        }
      case .failure(let refusal):
        failure = refusal.reason
      }
      throw .dataFile(path: "\(folder)/\(name)", reason: failure)
    }
  }
}
