import BitpalModel

/// A rule that a plugin broke.
enum PluginFault: Error, Hashable, Sendable {
  /// The program cannot be started, for the given reason.
  case notStarted(String)

  /// The program ended instead of answering.
  ///
  /// `how` is its exit status or signal, `complaint` the last line of its standard error.
  case ended(how: String, message: String?)

  /// The program closed its standard output and has not ended.
  case closed(message: String?)

  /// The program did not answer the message named `to` within the limit.
  case silent(to: String, limit: Duration)

  /// A line of its standard output has more bytes than ``PluginLimits/line``.
  case longLine(limit: Int)

  /// The program wrote a line, of which this is the beginning, without a question.
  case unasked(String)

  /// An answer breaks a rule of the protocol, which the text describes.
  case broken(String)

  /// The description, as the predicate of a sentence whose subject is the plugin.
  var message: String {
    switch self {
    case .notStarted(let reason): "cannot be started: \(reason)"
    case .ended(let how, let message): "ended instead of answering (\(how))" + Self.tail(message)
    case .closed(let message): "closed its standard output instead of answering" + Self.tail(message)
    case .silent(let question, let limit):
      "did not answer \(question) within \(limit.shortText) (does it flush its output after each line?)"
    case .longLine(let limit): "wrote a line of more than \(limit >> 20) MiB"
    case .unasked(let text):
      "wrote a line without a question: \(String(text.prefix { !$0.isNewline }).printable(limit: 60))"
    case .broken(let rule): rule
    }
  }

  private static func tail(_ message: String?) -> String {
    message.map { ": \($0.printable(limit: 200))" } ?? ""
  }

  /// Returns the fault as the `BitpalError.plugin` of the provider with that id.
  func error(of provider: String) -> BitpalError { .plugin(provider: provider, reason: message) }
}
