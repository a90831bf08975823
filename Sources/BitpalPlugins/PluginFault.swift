import BitpalModel

/// A rule that a plugin broke.
enum PluginFault: Error, Hashable, Sendable {
  /// The program cannot be started.
  case notStarted(String)

  /// It ended instead of answering: how, and the last thing that it complained of.
  case ended(how: String, complaint: String?)

  /// It closed its standard output and goes on.
  case closed(complaint: String?)

  /// It did not answer in time; `to` is what it was asked.
  case silent(to: String, limit: Duration)

  /// A line is longer than any may be.
  case longLine(limit: Int)

  /// It wrote a message that was not asked for.
  case unasked(String)

  /// Its answer breaks a rule.
  case broken(String)

  /// The description, as the end of a sentence about the plugin.
  var message: String {
    switch self {
    case .notStarted(let reason): "cannot be started: \(reason)"
    case .ended(let how, let complaint): "ended instead of answering (\(how))" + Self.tail(complaint)
    case .closed(let complaint): "closed its standard output instead of answering" + Self.tail(complaint)
    case .silent(let question, let limit):
      "did not answer \(question) within \(limit.shortText) (does it flush its output after each line?)"
    case .longLine(let limit): "wrote a line of more than \(limit >> 20) MiB"
    case .unasked(let text):
      "wrote a line without a question: \(String(text.prefix { !$0.isNewline }).printable(limit: 60))"
    case .broken(let rule): rule
    }
  }

  private static func tail(_ complaint: String?) -> String {
    complaint.map { ": \($0.printable(limit: 200))" } ?? ""
  }

  /// The failure of the provider of that id.
  func error(of provider: String) -> BitpalError { .plugin(provider: provider, reason: message) }
}
