import BitpalModel

/// What one request may cost at most.
public struct CurlLimits: Hashable, Sendable {
  /// How long a request may take where no deadline is set, redirects included: ``/BitpalModel/Deadline/standard``.
  public var total: Duration = Deadline.standard

  /// How long making the connection may take, name look-up and TLS included: 5 s.
  public var connect: Duration = .seconds(5)

  /// Slower than this many bytes a second for ``stallTime`` and the transfer is given up: 100.
  public var stallRate = 100

  /// How long a transfer may be slower than ``stallRate``: 10 s, at least 1 s.
  public var stallTime: Duration = .seconds(10)

  /// The most bytes of body, counted after decompression: 8 MiB.
  public var bodyBytes = 8 << 20

  /// The most bytes of headers, interim responses included: 64 KiB.
  public var headerBytes = 64 << 10

  /// The most headers: 256.
  public var headerCount = 256

  /// The most redirects, all within one origin: 5.
  public var redirects = 5

  /// The limits named above.
  public init() {}
}
