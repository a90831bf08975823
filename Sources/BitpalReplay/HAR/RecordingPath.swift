import BitpalFiles

/// Keeps the files that a recording or a provider file names inside its folder.
package enum RecordingPath {
  /// Why a name is refused.
  package struct Refusal: Error, Hashable {
    package let reason: String
  }

  /// The real path of `name` within `folder`, which is that of a `place`, for the words of a refusal.
  ///
  /// Only plain relative names pass, and a link may not lead out of the folder.
  package static func resolve(
    _ name: String, in folder: String, of place: String = "recording"
  ) -> Result<String, Refusal> {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    let isPlain = parts.allSatisfy { part in
      !part.isEmpty && part != "." && part != ".." && !part.contains("\\") && !part.unicodeScalars.contains("\0")
    }
    guard isPlain, !name.isEmpty else {
      return .failure(Refusal(reason: "the body's name \"\(name)\" is not a plain name inside the \(place)"))
    }
    guard let root = PathText.real(folder), let path = PathText.real(folder + "/" + name) else {
      return .failure(Refusal(reason: "the body \(name) is missing"))
    }
    guard path.hasPrefix(root + "/") else {
      return .failure(Refusal(reason: "the body \(name) is a link that leads out of the \(place)"))
    }
    return .success(path)
  }
}
