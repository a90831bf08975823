import BitpalFiles
public import BitpalModel
import Glibc

extension ProviderSpecification {
  /// A recording chosen by its path, without a provider file: `recording:PATH`; nil for any other choice.
  ///
  /// The path is that of a folder or of a HAR file. A plain name that is not there is looked for in `Fixtures`, where
  /// `bitpal record NAME` puts it.
  init?(recording choice: String, from directory: String?) {
    guard choice.hasPrefix(ProviderID.recordingPrefix) else { return nil }
    let path = String(choice.dropFirst(ProviderID.recordingPrefix.count))
    guard !path.isEmpty else { return nil }
    let base = directory ?? "."
    let places = path.contains("/") ? [path] : [path, Self.recordingsFolder + "/" + path]
    let there = places.first { access(directory == nil ? $0 : PathText.joined(base, $0), F_OK) == 0 }
    let place = there ?? places.last ?? path
    let folder = directory == nil ? place : PathText.joined(base, place)
    self.init(id: choice, name: path, kind: .recorded(folder: folder, of: nil))
  }

  /// The folder in which recordings with a plain name are kept.
  public static let recordingsFolder = "Fixtures"
}
