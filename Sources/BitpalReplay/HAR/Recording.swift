import BitpalFiles
import BitpalJSON
public import BitpalModel
public import BitpalNetwork

/// A HAR 1.2 file with its bodies: `NAME/recording.har` and `NAME/bodies/`.
///
/// Bodies beside the file follow Playwright's `_file` convention. Every member that HAR 1.2 does not know starts with an
/// underscore, as the specification asks.
public struct Recording: Sendable {
  /// What it says of itself.
  public let head: RecordingHead

  /// The exchanges, in order.
  public let exchanges: [RecordedExchange]

  /// The response of an exchange, read now and checked.
  ///
  /// - Throws: ``/BitpalModel/BitpalError`` `.recordingDamaged` when the body is missing, lies outside the folder, or
  ///   is not the one that was recorded.
  public func response(of exchange: RecordedExchange) throws(BitpalError) -> HTTPResponse {
    HTTPResponse(
      status: exchange.status, headers: try HARReader.headers(of: exchange, in: self),
      body: try body(of: exchange))
  }

  private func body(of exchange: RecordedExchange) throws(BitpalError) -> [UInt8] {
    func damaged(_ reason: String) -> BitpalError {
      .recordingDamaged(file: head.file, entry: exchange.number, reason: reason)
    }
    switch exchange.body {
    case .inline(let bytes):
      return bytes
    case .file(let name, let sha256):
      let path: String
      switch RecordingPath.resolve(name, in: head.folder) {
      case .success(let resolved): path = resolved
      case .failure(let problem): throw damaged(problem.reason)
      }
      let stored: [UInt8]
      do {
        stored = try BoundedFile(path, limit: HARReader.bodyLimit).bytes
      } catch {
        throw damaged("the body \(name) cannot be read: \(error.reason)")
      }
      guard let sha256 else { return stored }
      // Stored pretty when minifying gives the original back, else raw; the checksum tells which.
      let minified = JSONLayout.minified(stored)
      if SHA256.hexDigest(of: minified) == sha256 { return minified }
      if SHA256.hexDigest(of: stored) == sha256 { return stored }
      throw damaged("the body \(name) is not the one that was recorded (its SHA-256 differs)")
    }
  }
}
