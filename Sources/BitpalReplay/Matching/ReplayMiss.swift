/// A request that the recording has no answer to, told so that one knows what to do.
public struct ReplayMiss: Error, Hashable, Sendable {
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

  /// The command that records anew.
  public let command: String
}

extension ReplayMiss: CustomStringConvertible {
  /// What was asked, what is nearest, what differs, what to run.
  public var description: String {
    var text = "the recording \(recording) has no answer to GET \(url)"
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
