import BitpalJSON
import BitpalModel

/// The shape `bitpal.doctor/1`: the state of the installation, the settings, the files and the sources.
package struct DoctorOutput: FieldShape {
  /// The result of one check, and the command that fixes the problem; nil for none.
  package typealias Finding = (topic: String, subject: String, verdict: String, message: String, fix: String?)

  private let findings: [Finding]
  private let isUsable: Bool

  /// Creates the shape.
  ///
  /// - Parameter isUsable: Whether prices can be fetched, whatever the lesser findings.
  package init(_ findings: [Finding], isUsable: Bool) {
    self.findings = findings
    self.isUsable = isUsable
  }

  package static let shape = Shape<Self>(
    "bitpal.doctor/1", "The checks of libraries, files, providers, network, clock and terminal.",
    [
      .constant("version", .text("That of the tool."), .string(BitpalVersion.current)),
      Field("usable", .flag("Whether prices can be had: nothing is bad.")) { $0.isUsable },
      .list("findings", "One for each thing that was looked at.", rowFields) { $0.findings },
    ])

  package static let rowFields: Fields<Finding> = [
    Field("topic", .text("The group of the check.")) { $0.topic },
    Field("subject", .text("The subject.")) { $0.subject },
    Field("verdict", .word(["good", "note", "warning", "bad"], "The verdict.")) { $0.verdict },
    Field("message", .text("The observation.")) { $0.message },
    Field("fix", .text("The command that fixes it.")) { $0.fix },
  ]

  package var rowSubjects: [Finding] { findings }
}
