package import BitpalJSON
import BitpalModel

/// `bitpal.doctor/1`: what is installed, in force, writable, reachable and sound.
package struct DoctorOutput: OutputShape {
  /// One thing that was looked at, and the command that mends it.
  package typealias Finding = (topic: String, subject: String, verdict: String, message: String, fix: String?)

  private let findings: [Finding]
  private let isUsable: Bool

  /// - Parameter isUsable: Whether prices can be had, whatever could be better.
  package init(_ findings: [Finding], isUsable: Bool) {
    self.findings = findings
    self.isUsable = isUsable
  }

  package let schema = "bitpal.doctor/1"

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
