import BitpalFiles
import BitpalModel
import BitpalPortfolio
import Glibc

/// A reader of journals with the files that they include.
enum JournalFiles {
  /// The largest size of a journal in bytes: 64 MiB.
  private static let sizeLimit = 64 << 20

  /// The most folders within each other for which `**` stands.
  private static let deepest = 16

  /// Returns the commodities and days for which a journal needs prices.
  ///
  /// - Throws: ``BitpalError/dataFile(path:reason:)`` for a file that cannot be read or is not UTF-8, and for an
  ///   include that matches no file.
  static func needs(of path: String) throws(BitpalError) -> JournalNeeds {
    var known: Set<String> = []
    return try read(path, nil, JournalNeeds.Declared(), &known)
  }

  private static func read(
    _ path: String, _ isBeancount: Bool?, _ above: JournalNeeds.Declared, _ known: inout Set<String>
  ) throws(BitpalError) -> JournalNeeds {
    known.insert(canonical(path))
    guard let text = String(validating: try BoundedFile.input(path, limit: sizeLimit), as: UTF8.self) else {
      throw .dataFile(path: path, reason: "is not text in UTF-8")
    }
    // A file of includes alone may be of either kind.
    let kind = JournalNeeds.isOfBeancount(file: path) ?? isBeancount
    var needs = JournalNeeds(text, name: path, isBeancount: kind, under: above)
    for include in needs.includes {
      for other in try files(include.path, beside: path) where !known.contains(canonical(other)) {
        needs.add(try read(other, kind ?? (needs.hasIncludesAlone ? nil : needs.isBeancount), include.declared, &known))
      }
    }
    return needs
  }

  /// Returns the real path of a file, because a file may include itself by a longer name each time.
  private static func canonical(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }

  /// Returns the files of an include directive, which may have wildcards and, for hledger, a format before a colon.
  private static func files(_ include: String, beside path: String) throws(BitpalError) -> [String] {
    let formats = ["timedot:", "timeclock:", "csv:", "ssv:", "tsv:", "rules:"]
    guard !formats.contains(where: include.hasPrefix) else { return [] }
    var name = include
    for format in ["journal:", "j:", "hledger:", "ledger:", "beancount:"] where name.hasPrefix(format) {
      name = String(name.dropFirst(format.count))
    }
    if !name.hasPrefix("/"), !name.hasPrefix("~"), let slash = path.lastIndex(of: "/") {
      name = path[...slash] + name
    }
    let paths = matches(of: name)
    guard !paths.isEmpty else {
      throw .dataFile(path: path, reason: "includes \(include.printable(limit: 200)), which is not there")
    }
    return paths
  }

  /// Returns the paths that a pattern matches; `**` stands for folders of every depth, as in hledger and Beancount.
  private static func matches(of pattern: String) -> [String] {
    guard let stars = pattern.firstRange(of: "**") else { return expanded(pattern) }
    let rest = pattern[stars.upperBound...]
    let (before, after) = (pattern[..<stars.lowerBound], rest.hasPrefix("/") ? rest.dropFirst() : "*" + rest)
    var (folder, paths): (String, [String]) = (String(before), [])
    // A link to a folder above has no end.
    for _ in 0..<deepest {
      paths += matches(of: folder + after)
      folder += "*/"
      if expanded(folder).isEmpty { break }
    }
    return Set(paths).filter { !$0.hasSuffix("/") }.sorted()
  }

  /// Returns the paths that a pattern without `**` matches; those of folders end with a slash where it has a wildcard.
  private static func expanded(_ pattern: String) -> [String] {
    var found = glob_t()
    defer { globfree(&found) }
    let marks = pattern.contains("*") ? GLOB_MARK : 0
    guard glob(pattern, GLOB_TILDE | GLOB_BRACE | marks, nil, &found) == 0, let paths = found.gl_pathv else {
      return []
    }
    return (0..<Int(found.gl_pathc)).compactMap { paths[$0].map { String(cString: $0) } }
  }
}
