public import BitpalModel
public import FoundationEssentials

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

  /// What a request is compared with.
  package let request: RequestShape

  let body: Body
  let headersJSON: String
}
