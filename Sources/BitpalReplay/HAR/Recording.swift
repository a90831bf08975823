import BitpalFiles
import BitpalJSON
public import BitpalModel
public import BitpalNetwork
public import FoundationEssentials

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
    switch exchange.body {
    case .inline(let bytes):
      return bytes
    case .file(let name, let sha256):
      let stored = try stored(name, of: exchange)
      guard let sha256 else { return stored }
      guard let body = Self.original(of: stored, sha256: sha256) else {
        throw damaged(
          exchange,
          "the body \(name) is not the one that was recorded (its SHA-256 differs); if you changed it: bitpal record "
            + "\(ShellWord(head.folder)) --accept")
      }
      return body
    }
  }

  /// The bytes of a body's file, whatever they are.
  func stored(_ name: String, of exchange: RecordedExchange) throws(BitpalError) -> [UInt8] {
    switch RecordingPath.resolve(name, in: head.folder) {
    case .success(let path):
      do {
        return try BoundedFile(path, limit: HARReader.bodyLimit).bytes
      } catch {
        throw damaged(exchange, "the body \(name) cannot be read: \(error.reason)")
      }
    case .failure(let problem): throw damaged(exchange, problem.reason)
    }
  }

  private func damaged(_ exchange: RecordedExchange, _ reason: String) -> BitpalError {
    .recordingDamaged(file: head.file, entry: exchange.number, reason: reason)
  }

  /// The bytes that were recorded, out of those that are stored; nil when they are others.
  ///
  /// Stored pretty when minifying gives the original back, else raw; the checksum tells which.
  static func original(of stored: [UInt8], sha256: String) -> [UInt8]? {
    let minified = JSONLayout.minified(stored)
    if SHA256.hexDigest(of: minified) == sha256 { return minified }
    return SHA256.hexDigest(of: stored) == sha256 ? stored : nil
  }
}

/// What a recording says of itself, without its exchanges: enough to stop the clock and to name it in the cache.
public struct RecordingHead: Hashable, Sendable {
  /// The folder's name.
  public let name: String

  /// The path of the HAR file.
  public let file: String

  /// The folder.
  public let folder: String

  /// The instant at which time stands when the recording is replayed.
  public let recordedAt: Date

  /// What there is to say about the data, for every header (`simulated market`).
  public let note: String?

  /// The id of the provider that was recorded; nil where the recording does not say.
  public let provider: String?

  /// The words after `bitpal` that made the recording; empty where it does not say.
  public let command: [String]

  /// The words of the commands that were added to it afterwards, in order.
  public let appended: [[String]]

  /// The files of the folder that was trusted, with which the HAR file is compared when it is opened.
  package var trustedFiles: TrustedFiles?

  /// Changes whenever the HAR file changes, and with it, through the checksums in it, whenever a body does.
  public let fingerprint: String
}

/// One exchange of a recording; its body stays on disk until asked for.
public struct RecordedExchange: Sendable {
  /// Where the body is.
  enum Body: Hashable, Sendable {
    /// In a file beside the recording, with the SHA-256 of the original bytes where the recording has it.
    case file(name: String, sha256: String?)

    /// In the HAR file itself.
    case inline([UInt8])
  }

  /// The position in the recording, counted from 1.
  public let number: Int

  /// When the request was sent.
  public let startedAt: Date?

  /// The HTTP method.
  public let method: String

  /// The absolute URL.
  public let url: String

  /// The HTTP status of the response; 0 when there was none.
  public let status: Int

  /// The question that caused the exchange; nil in a HAR file that another program wrote.
  public let query: ProviderQuery?

  /// The provider that asked, where it is another than that of the recording as a whole.
  public let provider: String?

  /// Which page of the answer to its question it is, from 1.
  public let page: Int

  /// What a request is compared with.
  package let request: RequestShape

  let body: Body
  let headersJSON: String
}

/// Keeps the files that a recording or a provider file names inside its folder.
package enum RecordingPath {
  /// Why a name is refused.
  package struct Refusal: Error, Hashable {
    package let reason: String
  }

  /// The real path of `name` within `folder`, which is that of a `place`, for the words of a refusal.
  ///
  /// Only plain relative names pass, and a link may not lead out of the folder.
  package static func resolve(
    _ name: String, in folder: String, of place: String = "recording"
  ) -> Result<String, Refusal> {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    let isPlain = parts.allSatisfy { part in
      !part.isEmpty && part != "." && part != ".." && !part.contains("\\") && !part.unicodeScalars.contains("\0")
    }
    guard isPlain, !name.isEmpty else {
      return .failure(Refusal(reason: "the body's name \"\(name)\" is not a plain name inside the \(place)"))
    }
    guard let root = PathText.real(folder), let path = PathText.real(folder + "/" + name) else {
      return .failure(Refusal(reason: "the body \(name) is missing"))
    }
    guard path.hasPrefix(root + "/") else {
      return .failure(Refusal(reason: "the body \(name) is a link that leads out of the \(place)"))
    }
    return .success(path)
  }
}
