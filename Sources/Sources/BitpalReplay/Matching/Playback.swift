import BitpalModel
package import BitpalNetwork

/// A playback that finds the recorded answer to a request, strictly: method, URL with its query as a multiset, body.
///
/// If no request is equal, one that was recorded for the same question is used, because versions of bitpal ask it
/// differently. Equal requests are answered in the order in which they were recorded.
package struct Playback: Sendable {
  /// The recording.
  package let recording: Recording

  private var used: Set<Int> = []

  /// Creates a playback at the beginning of a recording.
  package init(_ recording: Recording) {
    self.recording = recording
  }

  /// The recorded exchanges that no request has used yet.
  package var unused: [RecordedExchange] { recording.exchanges.filter { !used.contains($0.number) } }

  /// Returns the exchange that answers the request, and marks it as used.
  ///
  /// - Throws: ``ReplayMiss`` when no unused exchange matches.
  package mutating func exchange(for request: HTTPRequest) throws(ReplayMiss) -> RecordedExchange {
    let shape = RequestShape(request)
    var same = recording.exchanges.filter { shape.differences(from: $0.request).isEmpty }
    if same.isEmpty { same = recording.exchanges.filter { Self.hasQuestion($0, of: request) } }
    if let next = same.first(where: { !used.contains($0.number) }) {
      used.insert(next.number)
      return next
    }
    throw miss(shape, request.query, isUsedUp: !same.isEmpty)
  }

  /// Returns whether an exchange was recorded for the question of a request, at the same host, by a version that asked
  /// it differently.
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
      nearest: nearest?.0.printable(limit: 400),
      differences: nearest?.1.map { $0.description.printable(limit: 300) } ?? [],
      isUsedUp: isUsedUp, command: RecordingHead.command(adding: words, to: head.folder, provider: head.provider))
  }
}

/// A request that the recording cannot answer, with a description that says how to record it.
package struct ReplayMiss: Error, Hashable, Sendable {
  /// The method of the request.
  package let method: String

  /// The URL of the request.
  package let url: String

  /// The name of the recording.
  package let recording: String

  /// The URL of the most similar recorded request; nil in an empty recording.
  package let nearest: String?

  /// The differences between the request and the nearest one, one phrase each.
  package let differences: [String]

  /// Whether the recording has the request, but all of its answers are used.
  package let isUsedUp: Bool

  /// The command that appends the answer to the recording.
  package let command: String
}

extension ReplayMiss: CustomStringConvertible {
  /// The request, the nearest one, the differences and the command to run, over several lines.
  package var description: String {
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
