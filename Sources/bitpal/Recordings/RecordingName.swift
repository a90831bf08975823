import BitpalConfig
import BitpalModel
import BitpalReplay

/// The name of a recording that is to be made.
struct RecordingName {
  let text: String

  init(_ text: String) {
    self.text = text
  }

  /// A plain name is kept with the others in `Fixtures`; anything else is a path.
  var folder: String { text.contains("/") ? text : ProviderSpecification.recordingsFolder + "/" + text }

  /// - Parameter hint: What to do about a recording that is there; nil where one may be.
  /// - Throws: ``BitpalError/usage(_:hint:)`` when something is there that may not be.
  func beFree(elseHint hint: String?) throws(BitpalError) {
    switch HARWriter.place(folder) {
    case .free: break
    case .recording:
      guard let hint else { break }
      throw .usage("there is a recording in \(folder) already", hint: hint)
    case .other:
      throw .usage("\(folder) is not a recording, so nothing is written there", hint: "give another name")
    }
  }

  /// So many exchanges, in words.
  static func exchanges(_ count: Int) -> String { count == 1 ? "1 exchange" : "\(count) exchanges" }
}
