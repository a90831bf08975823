import BitpalFiles
public import BitpalModel
public import BitpalNetwork
public import FoundationEssentials

/// A HAR 1.2 file with its bodies: `NAME/recording.har` and `NAME/bodies/`.
///
/// Bodies beside the file follow Playwright's `_file` convention. Each member that HAR 1.2 does not define starts with
/// an underscore, as the specification requires.
public struct Recording: Sendable {
  /// The metadata of the recording.
  public let head: RecordingHead

  /// The exchanges, in order.
  public let exchanges: [RecordedExchange]

  /// Returns the response of an exchange, with its body read and verified.
  ///
  /// - Throws: ``/BitpalModel/BitpalError`` `.recordingDamaged` when the body is missing, lies outside the folder, or
  ///   differs from the recorded one.
  public func response(of exchange: RecordedExchange) throws(BitpalError) -> HTTPResponse {
    var headers = try HARReader.headers(of: exchange, in: self)
    // The text of a HAR file is Unicode, whatever character set the bytes of the answer were in.
    if case .text = exchange.body {
      headers = headers.map { header in
        guard header.name.lowercased() == "content-type", header.value.lowercased().contains("charset") else {
          return header
        }
        return HTTPHeader(header.name, (header.value.split(separator: ";").first ?? "text/plain") + "; charset=utf-8")
      }
    }
    return HTTPResponse(status: exchange.status, headers: headers, body: try body(of: exchange))
  }

  private func body(of exchange: RecordedExchange) throws(BitpalError) -> [UInt8] {
    switch exchange.body {
    case .inline(let bytes), .text(let bytes):
      return bytes
    case .missing(let reason):
      throw damaged(exchange, "the answer of \(exchange.url.printable(limit: 200)) \(reason)")
    case .file(let name, let sha256):
      let stored = try stored(name, of: exchange)
      guard let sha256 else { return stored }
      guard SHA256.hexDigest(of: stored) == sha256 else {
        throw damaged(
          exchange,
          "the body \(name) is not the one that was recorded (its SHA-256 differs); if you changed it: bitpal record "
            + "\(ShellWord(head.folder)) --accept")
      }
      return stored
    }
  }

  /// Returns the bytes of a body's file, without a check of its checksum.
  ///
  /// - Throws: `BitpalError.recordingDamaged` when the file cannot be read, or is not inside the folder.
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
}

/// The metadata of a recording, without its exchanges: enough to stop the clock and to identify it in the cache.
public struct RecordingHead: Hashable, Sendable {
  /// The name of the folder.
  public let name: String

  /// The path of the HAR file.
  public let file: String

  /// The path of the folder.
  public let folder: String

  /// The instant at which the clock stands during a replay.
  public let recordedAt: Date

  /// A remark on the data, for every header (`simulated market`); nil for none.
  public let note: String?

  /// The id of the recorded provider; nil where the recording does not state it.
  public let provider: String?

  /// The arguments of `bitpal` that made the recording; empty where it does not state them.
  public let command: [String]

  /// The arguments of the commands that appended to it, in order.
  public let appended: [[String]]

  /// The trusted files of the folder, with which the HAR file is compared when it is opened; nil without a check.
  package var trustedFiles: TrustedFiles?

  /// A stamp that changes with the HAR file, and therefore, through its checksums, with each body.
  package let fingerprint: String
}

/// One exchange of a recording; its body remains on disk until it is requested.
public struct RecordedExchange: Sendable {
  /// The place of the body.
  enum Body: Hashable, Sendable {
    /// A file beside the recording, with the SHA-256 of the original bytes if the recording has it.
    case file(name: String, sha256: String?)

    /// The HAR file itself, which has the bytes.
    case inline([UInt8])

    /// The HAR file itself, which has them as a text: here in UTF-8.
    case text([UInt8])

    /// None that can be used, with the reason as the end of a sentence about the answer; other entries are not affected.
    case missing(String)
  }

  /// The position in the recording, counted from 1.
  public let number: Int

  /// The time at which the request was sent; nil where the recording does not state it.
  public let startedAt: Date?

  /// The HTTP method.
  public let method: String

  /// The absolute URL.
  public let url: String

  /// The HTTP status of the response; 0 when there was none.
  public let status: Int

  /// The question that caused the exchange; nil in a HAR file that another program wrote.
  public let query: ProviderQuery?

  /// The provider that asked, where it differs from that of the recording; nil otherwise.
  public let provider: String?

  /// The page of the answer, counted from 1.
  public let page: Int

  /// The parts of the request that are compared.
  package let request: RequestShape

  let body: Body
  let headersJSON: String
}

/// A check that the files named by a recording or a provider file are inside its folder.
package enum RecordingPath {
  /// The reason why a name is refused.
  package struct Refusal: Error, Hashable {
    package let reason: String
  }

  /// Returns the real path of `name` within `folder`; `place` names the kind of folder in the reason of a refusal.
  ///
  /// Only plain relative names are allowed, and a link may not lead out of the folder.
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
    if ShippedFiles.contains(folder) { return .success(folder + "/" + name) }
    guard let root = PathText.real(folder), let path = PathText.real(folder + "/" + name) else {
      return .failure(Refusal(reason: "the body \(name) is missing"))
    }
    guard path.hasPrefix(root + "/") else {
      return .failure(Refusal(reason: "the body \(name) is a link that leads out of the \(place)"))
    }
    return .success(path)
  }
}
