import BitpalConfig
import BitpalModel
import BitpalProviders
import BitpalReplay

/// The name of a recording that is to be made.
struct RecordingName {
  let text: String

  init(_ text: String) {
    self.text = text
  }

  /// The path of the recording: a plain name is kept in `Fixtures`, and a name with a slash is a path itself.
  var folder: String { text.contains("/") ? text : ProviderSpecification.recordingsFolder + "/" + text }

  /// Checks that a recording can be written under the name, and removes what killed processes left of one.
  ///
  /// - Parameter hint: The hint for a name that is taken by a recording; nil when that may be replaced or extended.
  /// - Throws: ``BitpalError/usage(_:hint:)`` when the name is taken by a recording and there is a hint, or by anything
  ///   else.
  func beFree(elseHint hint: String?) throws(BitpalError) {
    HARWriter.removeDrafts(of: folder)
    switch HARWriter.place(folder) {
    case .free: break
    case .recording:
      guard let hint else { break }
      throw .usage("there is a recording in \(folder) already", hint: hint)
    case .other:
      throw .usage("\(folder) is not a recording, so nothing is written there", hint: "give another name")
    }
  }

  /// Returns a count of exchanges with its noun.
  static func exchanges(_ count: Int) -> String { count == 1 ? "1 exchange" : "\(count) exchanges" }
}
