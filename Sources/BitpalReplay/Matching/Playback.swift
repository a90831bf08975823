import BitpalModel
public import BitpalNetwork

/// Finds the recorded answer to a request, strictly: method, URL with its query as a multiset, body.
///
/// If no request is the same, a request that was recorded for the same question counts, because versions ask it differently.
/// Equal requests are answered in the order in which they were recorded.
public struct Playback: Sendable {
  /// The recording.
  public let recording: Recording

  private var used: Set<Int> = []

  /// Starts at the beginning of a recording.
  public init(_ recording: Recording) {
    self.recording = recording
  }

  /// The recorded exchanges that no request has asked for yet.
  public var unused: [RecordedExchange] { recording.exchanges.filter { !used.contains($0.number) } }

  /// The exchange that answers the request; it is used up then.
  public mutating func exchange(for request: HTTPRequest) throws(ReplayMiss) -> RecordedExchange {
    let shape = RequestShape(request)
    var same = recording.exchanges.filter { shape.differences(from: $0.request).isEmpty }
    if same.isEmpty { same = recording.exchanges.filter { Self.hasQuestion($0, of: request) } }
    if let next = same.first(where: { !used.contains($0.number) }) {
      used.insert(next.number)
      return next
    }
    throw miss(shape, request.query, isUsedUp: !same.isEmpty)
  }

  /// Whether an exchange was recorded for the question of a request, at the same host, by a version that asked it otherwise.
  private static func hasQuestion(_ exchange: RecordedExchange, of request: HTTPRequest) -> Bool {
    guard let query = request.query, exchange.query == query, exchange.page == request.page, request.body == nil,
      exchange.method == request.method
    else { return false }
    return RequestURL(exchange.url).host == RequestURL(request.url).host
  }

  private func miss(_ shape: RequestShape, _ query: ProviderQuery?, isUsedUp: Bool) -> ReplayMiss {
    let nearest = recording.exchanges.map { ($0.url, shape.differences(from: $0.request)) }
      .min { $0.1.reduce(0) { $0 + $1.weight } < $1.1.reduce(0) { $0 + $1.weight } }
    let head = recording.head
    let words = query?.words ?? (head.command.isEmpty ? ["price", "bitcoin"] : head.command)
    return ReplayMiss(
      method: shape.method, url: shape.url.printable(limit: 400), recording: head.name,
      nearest: nearest?.0.printable(limit: 400), differences: nearest?.1.map { $0.words.printable(limit: 300) } ?? [],
      isUsedUp: isUsedUp, command: RecordingHead.command(adding: words, to: head.folder, provider: head.provider))
  }
}

/// A request that the recording has no answer to, told so that one knows what to do.
public struct ReplayMiss: Error, Hashable, Sendable {
  /// The method that was asked with.
  public let method: String

  /// The URL that was asked for.
  public let url: String

  /// The recording's name.
  public let recording: String

  /// The URL of the recorded request that is most like it; nil in an empty recording.
  public let nearest: String?

  /// In what the request differs from the nearest one, a phrase each.
  public let differences: [String]

  /// True when the recording has that very request, but it has been answered as often as it was recorded.
  public let isUsedUp: Bool

  /// The command that adds the answer to the recording.
  public let command: String
}

extension ReplayMiss: CustomStringConvertible {
  /// What was asked, what is nearest, what differs, what to run.
  public var description: String {
    var text = "the recording \(recording) has no answer to \(method) \(url)"
    if isUsedUp {
      text += "\n  it was recorded, but has been played back already"
    } else if let nearest {
      text += "\n  nearest: \(nearest)\n  difference: " + differences.joined(separator: "; ")
    } else {
      text += "\n  it is empty"
    }
    return text + "\n  record it: \(command)"
  }
}
