import BitpalConfig
import BitpalFiles
import BitpalModel
import BitpalOutput

extension Session {
  /// Returns the path of a new file in a folder of the settings.
  ///
  /// - Throws: ``BitpalError/dataFile(path:reason:)`` without a folder, which only a user without HOME has not.
  func newFile(_ name: String, in folder: String?) throws(BitpalError) -> String {
    guard let folder else {
      throw .dataFile(path: "\(name).yaml", reason: "HOME is not set, so the folder for it is unknown")
    }
    return "\(folder)/\(name).yaml"
  }

  /// Writes an outline into a new file.
  ///
  /// - Throws: `BitpalError` when the file exists or cannot be written.
  func write(_ outline: Outline, id: String, to path: String, _ settings: Settings) throws -> OutlineOutput {
    try FileReplacement.create(path, with: Array(outline.text.utf8), access: .user)
    try renewTrust(in: settings, written: .init(path, after: Array(outline.text.utf8)))
    return OutlineOutput(outline, id: id, file: PathText.shown(path, from: environment.currentDirectory))
  }

  /// Writes the answer of a command that has written an outline.
  func confirm(_ view: OutlineView) { confirm(view, "wrote \(view.output.file)") }
}

/// The fields of a new file that are beyond doubt, and what is to do.
struct OutlineView: View {
  let output: OutlineOutput

  /// The next step.
  var next = ""

  func table(style: Style) -> String {
    var text = "wrote \(output.file)\n"
    var table = TextTable([
      .init("FIELD"), .init("FROM", widest: 80, narrowest: 16), .init("BECAUSE", widest: 200, wraps: true),
    ])
    for field in output.outline.fields {
      table.add([.init(field.name), .init(field.source), .init(field.why, .quiet)])
    }
    if !output.outline.fields.isEmpty { text += table.text(style: style) }
    return text + output.outline.points.map { "TODO \($0.printable(limit: 400))\n" }.joined() + next
  }
}
