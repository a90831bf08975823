import BitpalModel
import Glibc

/// Operations on paths as text.
package enum PathText {
  /// Returns `path` relative to the folder `base`, without `.` and `..`; an absolute `path` does not depend on `base`.
  package static func joined(_ base: String, _ path: String) -> String {
    normalized(path.hasPrefix("/") ? path : base + "/" + path)
  }

  /// Returns the absolute path of a path in a settings file: `~/` is the home folder, any other relative path is
  /// relative to `directory`.
  ///
  /// If the path contains `..`, links in `directory` are followed first, as the system would.
  package static func resolved(_ path: String, in directory: String, home: String?) -> String {
    if let home, path == "~" || path.hasPrefix("~/") { return joined(home, "./" + path.dropFirst()) }
    guard !path.hasPrefix("/"), path.split(separator: "/").contains("..") else { return joined(directory, path) }
    return joined(real(directory) ?? directory, path)
  }

  /// Returns the absolute path with every link followed; nil if it cannot be reached.
  package static func real(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }

  /// Returns the text of a link, as a path relative to the folder of the link's path; nil for a path that is not a
  /// link.
  package static func linked(_ path: String) -> String? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(path, &buffer, buffer.count)
    guard count > 0 else { return nil }
    let target = String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return target.hasPrefix("/") ? target : directory(of: path) + "/" + target
  }

  /// Returns what keeps a path from being free although nothing is there: the path or a folder above it that is a link to a
  /// place that is not there, or something else than a folder; nil for a path that is merely free.
  ///
  /// The disk with the target of such a link may be mounted again, so the path must not be taken for missing.
  package static func obstacle(to path: String) -> (path: String, reason: String)? {
    var place = path
    while true {
      guard let status = try? FileStatus(withoutFollowing: place) else {
        let above = directory(of: place)
        guard above != place, !above.isEmpty, above != "." else { return nil }
        place = above
        continue
      }
      if status.kind == .link {
        guard (try? FileStatus(place)) == nil else { return nil }
        return (place, "it is a link to \((linked(place) ?? "?").printable(limit: 200)), which is not there")
      }
      return place == path || status.kind == .folder ? nil : (place, "this is a \(status.kind.rawValue), not a folder")
    }
  }

  /// Returns the absolute path without empty parts, `.` and `..`.
  package static func normalized(_ path: String) -> String {
    if isNormal(path) { return path }
    var parts: [Substring] = []
    for part in path.split(separator: "/") where part != "." {
      if part == ".." {
        _ = parts.popLast()
      } else {
        parts.append(part)
      }
    }
    return "/" + parts.joined(separator: "/")
  }

  /// Returns whether an absolute path has no empty part, `.` or `..`, which is true of nearly all paths.
  private static func isNormal(_ path: String) -> Bool {
    guard path.utf8.count > 1 else { return path == "/" }
    var part = 0
    var hasOnlyDots = true
    for byte in path.utf8.dropFirst() {
      if byte == UInt8(ascii: "/") {
        if part == 0 || part < 3 && hasOnlyDots { return false }
        (part, hasOnlyDots) = (0, true)
      } else {
        part += 1
        hasOnlyDots = hasOnlyDots && byte == UInt8(ascii: ".")
      }
    }
    return path.utf8.first == UInt8(ascii: "/") && part > 0 && !(part < 3 && hasOnlyDots)
  }

  /// Returns the folder of a file.
  package static func directory(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Returns the last part of a path.
  package static func name(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
  }

  /// Returns the path for messages: relative if it lies below `directory`.
  package static func shown(_ path: String, from directory: String?) -> String {
    guard let directory, directory != "/", path.hasPrefix(directory + "/") else { return path }
    return String(path.dropFirst(directory.count + 1))
  }
}
