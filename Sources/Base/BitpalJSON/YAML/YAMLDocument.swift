package import BitpalFiles
package import BitpalModel
import Glibc

/// The result of reading one YAML file.
package struct YAMLDocument {
  /// The value of the file; an empty mapping for an empty file, nil when reading stopped at an issue.
  package let root: YAMLNode?

  /// The issues of syntax and limits.
  package let issues: [ConfigurationIssue]

  /// The largest size of a file, in bytes: 256 KiB.
  package static let sizeLimit = 256 * 1024

  /// The deepest nesting of lists and mappings: 32.
  package static let depthLimit = 32

  /// Returns the bytes of a file, at most one more than the limit, which is then an issue of the document.
  ///
  /// - Throws: `FileFault` when the file cannot be read.
  package static func bytes(of path: String, from kind: BoundedFile.Source = .regularFile) throws(FileFault) -> [UInt8]
  {
    try BoundedFile(prefixOf: path, limit: sizeLimit + 1, from: kind).bytes
  }

  /// Parses the content of a file.
  package init(_ source: YAMLSource) {
    if source.bytes.count > Self.sizeLimit {
      root = nil
      issues = [source.issue("the file is larger than 256 KiB, the most that is read")]
      return
    }
    if let directive = Self.firstDirective(in: source) {
      root = nil
      issues = [source.issue("a line cannot start with \"%\"; YAML directives are not supported", at: directive)]
      return
    }
    var composer = YAMLComposer(source)
    do throws(ConfigurationIssue) {
      root = try composer.document()
      issues = composer.issues.sorted
    } catch {
      composer.issues.add(error)
      root = nil
      issues = composer.issues.sorted
    }
  }

  /// Returns the place of the first directive; libyaml must not read them, because it compares each with all earlier
  /// ones.
  private static func firstDirective(in source: YAMLSource) -> YAMLMark? {
    source.bytes.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return nil }
      var next = 0
      while let found = memchr(base + next, Int32(UInt8(ascii: "%")), bytes.count - next) {
        let index = UnsafeRawPointer(found) - base
        if index == 0 || bytes[index - 1] == 0x0A || bytes[index - 1] == 0x0D { return source.mark(ofByte: index) }
        next = index + 1
      }
      return nil
    }
  }
}
