import BitpalFiles
package import BitpalModel
package import BitpalNetwork
package import FoundationEssentials

/// A writer of recordings: a folder with `recording.har` and `bodies/`, replaced whole.
package enum HARWriter {
  /// Writes the exchanges into the folder `path`.
  ///
  /// The folder appears in one step and complete. An existing one is exchanged for the new one in a single step of the
  /// file system, so a killed process leaves the old recording or the new one. Files in it that are not part of a
  /// recording are kept.
  ///
  /// - Parameters:
  ///   - exchanges: The exchanges, in order.
  ///   - path: The folder of the recording.
  ///   - recordedAt: The instant at which the clock stands during a replay.
  ///   - note: A remark on the data, for every output; nil for none.
  ///   - provider: The provider whose dialect reads the recording; exchanges of other providers state their own.
  ///   - command: The arguments of `bitpal` that made it.
  ///   - redaction: Removes secrets from everything that is written.
  ///   - isReplacing: Whether a recording that is there is replaced.
  /// - Returns: False when one is there that stays, also one that another process has written meanwhile.
  /// - Throws: `BitpalError.dataFile` when a file cannot be written.
  @discardableResult package static func write(
    _ exchanges: [CapturedExchange], to path: String, recordedAt: Date, note: String? = nil, provider: String? = nil,
    command: [String] = [], redaction: Redaction, isReplacing: Bool = true
  ) throws(BitpalError) -> Bool {
    let about = HARDocument.About(recordedAt: recordedAt, note: note, provider: provider, command: command)
    return try write(HARDocument(exchanges, about: about, redaction: redaction), to: path, isReplacing: isReplacing)
  }

  private static func write(
    _ document: HARDocument, to path: String, isReplacing: Bool = true
  ) throws(BitpalError) -> Bool {
    try FolderSwap(path).write(isReplacing: isReplacing) { folder throws(BitpalError) in
      try folder.make("bodies")
      for (name, bytes) in document.bodies { try folder.write(bytes, to: "bodies/" + name) }
      try folder.write(Array(document.har.utf8), to: "recording.har")
    }
  }

  /// Appends exchanges to the recording in the folder `path`, or creates one.
  ///
  /// The existing entries, bodies and provider remain unchanged. The clock of the recording stands at the later of the
  /// two instants. As with ``write(_:to:recordedAt:note:provider:command:redaction:)`` a killed process leaves the old
  /// recording or the new one; simultaneous calls run one after the other.
  ///
  /// - Parameters:
  ///   - exchanges: The exchanges, in order.
  ///   - path: The folder of the recording.
  ///   - recordedAt: The time of the exchanges.
  ///   - provider: The provider of a new recording.
  ///   - command: The arguments of `bitpal` that are appended.
  ///   - redaction: Removes secrets from the new exchanges.
  /// - Returns: The number of exchanges that the recording has now.
  /// - Throws: `BitpalError.dataFile`, and `.recordingDamaged` for a recording that cannot be read.
  package static func append(
    _ exchanges: [CapturedExchange], to path: String, recordedAt: Date, provider: String?, command: [String],
    redaction: Redaction
  ) throws(BitpalError) -> Int {
    if place(path) != .recording {
      let isNew = try write(
        exchanges, to: path, recordedAt: recordedAt, provider: provider, command: command, redaction: redaction,
        isReplacing: false)
      if isNew { return exchanges.count }
    }
    return try FolderSwap.alone(with: path) { () throws(BitpalError) in
      let head = try HARReader.head(path)
      let existing = HARDocument.Existing(entries: try HARReader.entries(path), bodies: try bodies(in: path))
      let about = HARDocument.About(
        recordedAt: max(head.recordedAt, recordedAt), note: head.note, provider: head.provider, command: head.command,
        appended: head.appended + [command])
      _ = try write(HARDocument(exchanges, after: existing, about: about, redaction: redaction), to: path)
      return existing.entries.count + exchanges.count
    }
  }

  /// Returns all files in `bodies/`, whichever program wrote them.
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

  /// Removes what killed processes left beside the folder `path` while they wrote a recording there.
  package static func removeDrafts(of path: String) { FolderSwap(path).removeLeftovers() }

  /// The present state of a path at which a recording is to be written.
  package enum Place: Hashable, Sendable {
    /// The path does not exist, or is an empty folder.
    case free

    /// The path is a recording.
    case recording

    /// The path is something else, which must not be replaced.
    case other
  }

  /// Returns the present state of `path`.
  package static func place(_ path: String) -> Place {
    // A dangling link was also made by the user.
    guard let status = try? FileStatus(path) else { return FileStatus.exists(path) ? .other : .free }
    guard status.kind == .folder else { return .other }
    if (try? FileStatus(path + "/recording.har")) != nil { return .recording }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [""]
    return names.isEmpty ? .free : .other
  }
}
