import Glibc

/// Paths as text.
enum PathText {
  /// `path` seen from the folder `base`, without `.` and `..`; an absolute `path` stays where it is.
  static func joined(_ base: String, _ path: String) -> String {
    normalized(path.hasPrefix("/") ? path : base + "/" + path)
  }

  /// A path as a settings file writes it, made absolute: `~/` is the home, anything else is relative to `directory`.
  ///
  /// When the path climbs with `..`, links in `directory` are followed first, as the system would.
  static func resolved(_ path: String, in directory: String, home: String?) -> String {
    if let home, path == "~" || path.hasPrefix("~/") { return joined(home, "./" + path.dropFirst()) }
    guard !path.hasPrefix("/"), path.split(separator: "/").contains("..") else { return joined(directory, path) }
    guard let real = realpath(directory, nil) else { return joined(directory, path) }
    defer { free(real) }
    return joined(String(cString: real), path)
  }

  /// The absolute path without empty parts, `.` and `..`.
  static func normalized(_ path: String) -> String {
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

  /// The folder a file is in.
  static func directory(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// The path as people say it: relative when it lies below `directory`.
  static func shown(_ path: String, from directory: String?) -> String {
    guard let directory, directory != "/", path.hasPrefix(directory + "/") else { return path }
    return String(path.dropFirst(directory.count + 1))
  }
}
