import Glibc

/// Paths as text.
package enum PathText {
  /// `path` seen from the folder `base`, without `.` and `..`; an absolute `path` stays where it is.
  package static func joined(_ base: String, _ path: String) -> String {
    normalized(path.hasPrefix("/") ? path : base + "/" + path)
  }

  /// A path as a settings file writes it, made absolute: `~/` is the home, anything else is relative to `directory`.
  ///
  /// When the path climbs with `..`, links in `directory` are followed first, as the system would.
  package static func resolved(_ path: String, in directory: String, home: String?) -> String {
    if let home, path == "~" || path.hasPrefix("~/") { return joined(home, "./" + path.dropFirst()) }
    guard !path.hasPrefix("/"), path.split(separator: "/").contains("..") else { return joined(directory, path) }
    return joined(real(directory) ?? directory, path)
  }

  /// The absolute path of what is there, with every link followed; nil when it cannot be reached.
  package static func real(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }

  /// The path to which a link leads by its own text, relative where the link's path is; nil for what is not a link.
  package static func linked(_ path: String) -> String? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(path, &buffer, buffer.count)
    guard count > 0 else { return nil }
    let target = String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return target.hasPrefix("/") ? target : directory(of: path) + "/" + target
  }

  /// The absolute path without empty parts, `.` and `..`.
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

  /// Whether every part of an absolute path is there and none is `.` or `..`, as of nearly all that come.
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

  /// The folder a file is in.
  package static func directory(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// The last part of a path.
  package static func name(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
  }

  /// The path as people say it: relative when it lies below `directory`.
  package static func shown(_ path: String, from directory: String?) -> String {
    guard let directory, directory != "/", path.hasPrefix(directory + "/") else { return path }
    return String(path.dropFirst(directory.count + 1))
  }
}
