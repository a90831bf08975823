package import BitpalModel
import Glibc

/// The time zone database of the system, with one file per zone; each zone is read once.
package final class ZoneFiles: Sendable {
  /// The reason why a zone is not available.
  package struct Problem: Error, CustomStringConvertible {
    /// The reason in a sentence.
    package let message: String

    /// The next step; nil where the message contains it.
    package let hint: String?

    /// Whether this machine has no time zone files.
    package var isOfMachine = false

    /// The message and, after a semicolon, the hint.
    package var description: String { message + (hint.map { "; \($0)" } ?? "") }
  }

  /// The database of this machine: in the folder of `TZDIR`, otherwise in the usual folders.
  package static let system = ZoneFiles(folders: folders(tzdir: getenv("TZDIR").map { String(cString: $0) }))

  private let folders: [String]
  private let known = Locked<[String: ClockZone]>([:])

  /// Creates a database.
  ///
  /// - Parameter folders: The absolute folders of zone files; the first with a zone takes precedence.
  package init(folders: [String]) {
    self.folders = folders
  }

  /// Returns the folders of the system's time zones.
  ///
  /// - Parameter tzdir: The value of `TZDIR`, which counts when it is an absolute path.
  package static func folders(tzdir: String?) -> [String] {
    if let tzdir, tzdir.hasPrefix("/") { return [PathText.normalized(tzdir)] }
    return ["/usr/share/zoneinfo", "/usr/lib/zoneinfo", "/etc/zoneinfo"]
  }

  /// Returns the zone with a name, in any case, or with an offset from UTC such as `+08:00`.
  ///
  /// - Throws: ``Problem``, with the nearest existing name, when the zone does not exist or its file cannot be read.
  package func zone(_ name: String) throws(Problem) -> ClockZone {
    if let zone = ClockZone(offset: name) ?? known.withLock({ $0[name] }) { return zone }
    let zone = try find(name)
    known.withLock { $0[name] = zone }
    return zone
  }

  private func find(_ name: String) throws(Problem) -> ClockZone {
    // Only names are accepted, so that no path leads out of the folder.
    guard Self.isName(name) else {
      throw Problem(
        message: "a time zone is named like Europe/Berlin, not \"\(name.printable(limit: 60))\"", hint: nil)
    }
    if let zone = try read(name, as: name) { return zone }
    let names = listed
    if let other = names.first(where: { $0.lowercased() == name.lowercased() }), other != name {
      return try find(other)
    }
    guard !names.isEmpty else {
      throw Problem(
        message: "no time zones are installed in \(folders.joined(separator: ", "))",
        hint: "install the package tzdata, or name its folder in TZDIR", isOfMachine: true)
    }
    let nearest = NearestName.match(name, among: names) ?? Self.city(name, among: names)
    throw Problem(
      message: "unknown time zone \"\(name)\"", hint: nearest.map { "did you mean \($0)?" } ?? Self.place)
  }

  private static let place = "zones are named by region and city, like America/New_York"

  /// Returns the zone of the nearest city, so that Berlin finds Europe/Berlin; nil when no name is near.
  private static func city(_ name: String, among names: [String]) -> String? {
    let cities = names.map { (name: $0, city: $0.split(separator: "/").last.map(String.init) ?? $0) }
    let nearest = NearestName.match(name.replacing(" ", with: "_"), among: cities.map(\.city))
    return cities.first { $0.city == nearest }?.name
  }

  private static func isName(_ name: String) -> Bool {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    return name.utf8.count <= 64
      && parts.allSatisfy { part in
        !part.isEmpty && part.utf8.allSatisfy { $0.isNamePart }
      }
  }

  private func read(_ name: String, as title: String) throws(Problem) -> ClockZone? {
    for folder in folders {
      let path = folder + "/" + name
      let file: BoundedFile
      do throws(FileFault) {
        file = try BoundedFile(path, limit: ClockZone.largestFile)
      } catch {
        // A missing file is not a zone, and neither is a folder (Europe).
        continue
      }
      do {
        return try ClockZone(name: title, tzif: file.bytes)
      } catch {
        throw Problem(message: "\(path) cannot be read: \(error.reason)", hint: nil)
      }
    }
    return nil
  }

  /// The names in the database's own table; empty without one.
  private var listed: [String] {
    for folder in folders {
      guard let table = try? BoundedFile(folder + "/zone.tab", limit: 1 << 20) else { continue }
      return String(decoding: table.bytes, as: UTF8.self).split(separator: "\n").compactMap { line in
        let cells = line.split(separator: "\t")
        return line.hasPrefix("#") || cells.count < 3 ? nil : String(cells[2])
      }
    }
    return []
  }
}

extension UInt8 {
  fileprivate var isNamePart: Bool {
    isLowercaseLetterOrDigit || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self)
      || [UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "+")].contains(self)
  }
}
