package import BitpalJSON
import BitpalModel

/// The shape `bitpal.doctor/1`: the state of the installation, the settings, the files and the sources.
package struct DoctorOutput: OutputShape {
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

  package let schema = OutputSchema.doctor

  package var columns: [String] { ["topic", "subject", "verdict", "message", "fix"] }

  package var rows: [JSONObject] {
    findings.map {
      [
        "topic": .string($0.topic), "subject": .string($0.subject), "verdict": .string($0.verdict),
        "message": .string($0.message), "fix": JSONValue($0.fix),
      ]
    }
  }

  package var members: JSONObject {
    ["version": .string(BitpalVersion.current), "usable": .bool(isUsable), "findings": rowsValue]
  }
}

extension OutputSchema {
  static let doctor = OutputSchema(
    "bitpal.doctor/1", "The checks of libraries, files, providers, network, clock and terminal.",
    [
      "version": .text("That of the tool."), "usable": .flag("Whether prices can be had: nothing is bad."),
      "findings": .list(
        .object([
          "topic": .text("The group of the check."), "subject": .text("The subject."),
          "verdict": .word(["good", "note", "warning", "bad"], "The verdict."), "message": .text("The observation."),
          "fix": .text("The command that fixes it.").orNull,
        ]), "One for each thing that was looked at."),
    ])
}
