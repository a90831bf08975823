import BitpalJSON
import BitpalModel

/// One finding of `bitpal doctor`.
package struct Finding: Equatable, Sendable {
  /// The meaning of the finding for the user.
  package enum Verdict: String, CaseIterable, Sendable {
    /// The subject is in order.
    case good

    /// The finding is information; nothing is wrong.
    case note

    /// Something does not work fully, but prices are available.
    case warning

    /// bitpal cannot be used.
    case bad
  }

  /// The groups of findings, in their order.
  package enum Topic: String, Sendable {
    case libraries

    /// The settings, and files whose content can be fetched again.
    case files

    /// The user's own data.
    case data
    case providers
    case fleet
  }

  package let topic: Topic

  /// The subject: `libcurl`, `cache`, the id of a provider, the variable of a key.
  package let subject: String
  package let verdict: Verdict

  /// The finding, on one line.
  package let message: String

  /// The command that fixes it; nil when nothing needs a fix, or no command fixes it.
  package let fix: String?

  /// Creates a finding about a subject that is in order.
  package init(_ topic: Topic, _ subject: String, _ message: String) {
    self.init(topic, subject, .good, message)
  }

  package init(_ topic: Topic, _ subject: String, _ verdict: Verdict, _ message: String, fix: String? = nil) {
    self.topic = topic
    self.subject = subject
    self.verdict = verdict
    self.message = message
    self.fix = fix
  }
}

/// The shape `bitpal.doctor/1`: the state of the installation, the settings, the files and the sources.
package struct DoctorOutput: FieldShape {
  private let findings: [Finding]

  /// Creates the shape.
  package init(_ findings: [Finding]) {
    self.findings = findings
  }

  /// Whether prices are available: no finding is bad.
  package var isUsable: Bool { !findings.contains { $0.verdict == .bad } }

  package static let shape = Shape<Self>(
    "bitpal.doctor/1", "The checks of libraries, files, providers, keys and budgets.",
    [
      .constant("version", .text("That of the tool."), .string(BitpalVersion.current)),
      Field("usable", .flag("Whether prices can be had: nothing is bad.")) { $0.isUsable },
      .list("findings", "One for each thing that was looked at.", rowFields) { $0.findings },
    ])

  package static let rowFields: Fields<Finding> = [
    Field("topic", .text("The group of the check.")) { $0.topic.rawValue },
    Field("subject", .text("The subject.")) { $0.subject },
    Field("verdict", .word(Finding.Verdict.allCases.map(\.rawValue), "The verdict.")) { $0.verdict.rawValue },
    Field("message", .text("The observation.")) { $0.message },
    Field("fix", .text("The command that fixes it.")) { $0.fix },
  ]

  package var rowSubjects: [Finding] { findings }
}
