import BitpalFiles

/// Keeps the files of a recording inside its folder.
enum RecordingPath {
  /// Why a name is refused.
  struct Refusal: Error, Hashable {
    let reason: String
  }

  /// The real path of `name` within `folder`.
  ///
  /// Only plain relative names pass, and a link may not lead out of the folder.
  static func resolve(_ name: String, in folder: String) -> Result<String, Refusal> {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    let isPlain = parts.allSatisfy { part in
      !part.isEmpty && part != "." && part != ".." && !part.contains("\\") && !part.unicodeScalars.contains("\0")
    }
    guard isPlain, !name.isEmpty else {
      return .failure(Refusal(reason: "the body's name \"\(name)\" is not a plain name inside the recording"))
    }
    guard let root = PathText.real(folder), let path = PathText.real(folder + "/" + name) else {
      return .failure(Refusal(reason: "the body \(name) is missing"))
    }
    guard path.hasPrefix(root + "/") else {
      return .failure(Refusal(reason: "the body \(name) is a link that leads out of the recording"))
    }
    return .success(path)
  }
}
