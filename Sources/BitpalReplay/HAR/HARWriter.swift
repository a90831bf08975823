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
    try write(HARDocument(exchanges, about: about, redaction: redaction), to: path)
  }

  private static func write(_ document: HARDocument, to path: String) throws(BitpalError) {
    try FolderSwap(path).write { folder throws(BitpalError) in
      try folder.make("bodies")
      for (name, bytes) in document.bodies { try folder.write(bytes, to: "bodies/" + name) }
      try folder.write(Array(document.har.utf8), to: "recording.har")
    }
  }

  /// Adds exchanges to the recording in the folder `path`, and makes one where there is none.
  ///
  /// What was there stays to the byte: entries, bodies, the provider it is of. The clock of the recording stands at the
  /// later of the two instants. As with ``write(_:to:recordedAt:note:provider:command:redaction:)`` whoever is killed
  /// leaves the old recording or the new one; two that add at once follow each other.
  ///
  /// - Parameters:
  ///   - exchanges: What went over the wire, in order.
  ///   - path: The folder of the recording.
  ///   - recordedAt: When it did.
  ///   - provider: The provider of a recording that is made.
  ///   - command: The words after `bitpal` that are added.
  ///   - redaction: Removes secrets from what is added.
  /// - Returns: How many exchanges the recording has now.
  /// - Throws: `BitpalError.dataFile`, and `.recordingDamaged` for a recording that cannot be read.
  public static func append(
    _ exchanges: [CapturedExchange], to path: String, recordedAt: Date, provider: String?, command: [String],
    redaction: Redaction
  ) throws(BitpalError) -> Int {
    guard place(path) == .recording else {
      try write(
        exchanges, to: path, recordedAt: recordedAt, provider: provider, command: command, redaction: redaction)
      return exchanges.count
    }
    return try FolderSwap.alone(with: path) { () throws(BitpalError) in
      let head = try HARReader.head(path)
      let existing = HARDocument.Existing(entries: try HARReader.entries(path), bodies: try bodies(in: path))
      let about = HARDocument.About(
        recordedAt: max(head.recordedAt, recordedAt), note: head.note, provider: head.provider, command: head.command,
        appended: head.appended + [command])
      try write(HARDocument(exchanges, after: existing, about: about, redaction: redaction), to: path)
      return existing.entries.count + exchanges.count
    }
  }

  /// The files in `bodies/`, whoever put them there.
  private static func bodies(in path: String) throws(BitpalError) -> [(name: String, bytes: [UInt8])] {
    let folder = path + "/bodies"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder))?.sorted() ?? []
    return try names.map { name throws(BitpalError) in
      do throws(FileFault) {
        return (name, try BoundedFile(folder + "/" + name, limit: HARReader.sizeLimit).bytes)
      } catch {
        throw error.error(of: folder + "/" + name)
      }
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
