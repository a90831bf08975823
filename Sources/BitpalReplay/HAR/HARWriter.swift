import BitpalFiles
public import BitpalModel
public import BitpalNetwork
public import FoundationEssentials

/// Writes recordings: a folder with `recording.har` and `bodies/`, replaced whole.
public enum HARWriter {
  /// Writes the exchanges into the folder `path`.
  ///
  /// The folder appears at once and complete. One that is there already is exchanged for the new one in a single step of
  /// the file system, so whoever is killed leaves the old recording or the new one. Files in it that are not part of a
  /// recording are kept.
  ///
  /// - Parameters:
  ///   - exchanges: What went over the wire, in order.
  ///   - path: The folder of the recording.
  ///   - recordedAt: The instant at which time stands when the recording is replayed.
  ///   - note: What every output should say about the data.
  ///   - provider: Whose dialect reads it; an exchange that another provider asked says so itself.
  ///   - command: The words after `bitpal` that made it.
  ///   - redaction: Removes secrets from everything that is written.
  /// - Throws: `BitpalError.dataFile`.
  public static func write(
    _ exchanges: [CapturedExchange], to path: String, recordedAt: Date, note: String? = nil, provider: String? = nil,
    command: [String] = [], redaction: Redaction
  ) throws(BitpalError) {
    let about = HARDocument.About(recordedAt: recordedAt, note: note, provider: provider, command: command)
    let document = HARDocument(exchanges, about: about, redaction: redaction)
    try FolderSwap(path).write { folder throws(BitpalError) in
      try folder.make("bodies")
      for (name, bytes) in document.bodies { try folder.write(bytes, to: "bodies/" + name) }
      try folder.write(Array(document.har.utf8), to: "recording.har")
    }
  }

  /// What stands at a path before a recording is written there.
  public enum Place: Hashable, Sendable {
    /// Nothing, or an empty folder.
    case free

    /// A recording.
    case recording

    /// Something else, which must not be replaced.
    case other
  }

  /// What stands at `path`.
  public static func place(_ path: String) -> Place {
    // A link that leads nowhere is somebody's, too.
    guard let status = try? FileStatus(path) else { return FileStatus.exists(path) ? .other : .free }
    guard status.kind == .folder else { return .other }
    if (try? FileStatus(path + "/recording.har")) != nil { return .recording }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [""]
    return names.isEmpty ? .free : .other
  }
}
