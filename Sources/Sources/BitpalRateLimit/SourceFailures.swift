package import BitpalModel
package import FoundationEssentials

/// The failures of a source that are remembered, shared by all processes of the user.
///
/// A failure of the source as a whole holds every request back, that of a question only the same question.
package struct SourceFailures: Hashable, Sendable {
  /// A failure that is remembered, until an answer replaces it.
  package struct Failure: Hashable, Sendable {
    /// The time of the first failure since the last good answer, by our wall clock.
    package var first: Date

    /// The time of the last failure.
    package var last: Date

    /// The time before which the source is not asked again.
    package var end: Date

    /// The number of pauses since ``first``, this one included.
    package var pauses: Int

    /// Whether the pause is over and one request, the probe, is finding out whether the source works again.
    package var isProbed = false

    /// The code of the last failure.
    package var code: ErrorCode

    /// The message of the last failure.
    package var message: String

    package init(first: Date, last: Date, end: Date, pauses: Int, code: ErrorCode, message: String) {
      (self.first, self.last, self.end, self.pauses, self.code) = (first, last, end, pauses, code)
      self.message = message
    }
  }

  /// The failure of the source as a whole; nil while it answers.
  package var whole: Failure?

  /// The failures of questions, by name.
  package var questions: [String: Failure] = [:]

  /// The names of the questions that have failed since the last good answer to any question.
  package var suspects: Set<String> = []

  /// The most questions whose failures are kept; the oldest failure is removed first.
  private static let mostQuestions = 64

  package init() {}

  /// Whether nothing is remembered.
  package var isEmpty: Bool { whole == nil && questions.isEmpty && suspects.isEmpty }

  /// Removes the oldest failures of questions beyond the number that is kept.
  package mutating func trim() {
    guard questions.count > Self.mostQuestions else { return }
    let oldest = questions.sorted { ($0.value.last, $0.key) < ($1.value.last, $1.key) }
    for (name, _) in oldest.prefix(questions.count - Self.mostQuestions) { questions[name] = nil }
    suspects = suspects.filter { questions[$0] != nil }
  }
}

// MARK: The form in which a store keeps failures

extension SourceFailures {
  /// The failures as a text: a line for each, of fields with tabs between them.
  var text: String {
    let wholeLines = whole.map { [$0.line(named: "")] } ?? []
    let questionLines = questions.sorted { $0.key < $1.key }.map { name, failure in
      failure.line(named: (suspects.contains(name) ? "!" : "?") + name.inOneField)
    }
    return (wholeLines + questionLines).joined(separator: "\n")
  }

  /// Reads failures from their ``text``; nil for any other text.
  init?(text: String) {
    for line in text.split(separator: "\n") {
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
      guard let name = fields.first, let failure = Failure(fields: fields.dropFirst().map(String.init)) else {
        return nil
      }
      let question = String(name.dropFirst())
      if name.isEmpty { whole = failure } else { questions[question] = failure }
      if name.first == "!" { suspects.insert(question) }
    }
  }
}

extension SourceFailures.Failure {
  fileprivate func line(named name: String) -> String {
    let instants = [first, last, end].map { "\($0.milliseconds)" }
    return ([name] + instants + ["\(pauses)", isProbed ? "1" : "0", code.rawValue, message.inOneField])
      .joined(separator: "\t")
  }

  fileprivate init?(fields: [String]) {
    let instants = fields.prefix(3).compactMap { Int64($0) }.filter { (0...253_402_300_799_999).contains($0) }
    guard fields.count == 7, instants.count == 3, let pauses = Int(fields[3]), pauses > 0,
      let code = ErrorCode(rawValue: fields[5])
    else { return nil }
    self.init(
      first: Date(milliseconds: instants[0]), last: Date(milliseconds: instants[1]),
      end: Date(milliseconds: instants[2]), pauses: pauses, code: code, message: fields[6])
    isProbed = fields[4] == "1"
  }
}

extension String {
  /// The text without the characters that separate fields and lines.
  fileprivate var inOneField: String {
    String(String.UnicodeScalarView(unicodeScalars.map { $0.value < 0x20 ? " " : $0 }))
  }
}
