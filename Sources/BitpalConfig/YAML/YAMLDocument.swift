import BitpalFiles
import BitpalModel

/// The result of reading one YAML file.
struct YAMLDocument {
  /// The file's value; an empty mapping for an empty file, nil when reading had to stop.
  let root: YAMLNode?

  /// Everything that is wrong with it as YAML within our limits.
  let issues: [ConfigurationIssue]

  /// The largest file that is read, in bytes: 256 KiB.
  static let sizeLimit = 256 * 1024

  /// The deepest nesting of lists and mappings that is read.
  static let depthLimit = 32

  /// The bytes of a file; one more than the limit tells that there are more, which is an issue of the document.
  static func bytes(of path: String, from kind: BoundedFile.Source = .regularFile) throws(FileFault) -> [UInt8] {
    try BoundedFile(prefixOf: path, limit: sizeLimit + 1, from: kind).bytes
  }

  /// Reads a file's content.
  init(_ source: YAMLSource) {
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

  /// Directives are found before libyaml sees them, because it compares each with all before it.
  private static func firstDirective(in source: YAMLSource) -> YAMLMark? {
    var isAtLineStart = true
    for (index, byte) in source.bytes.enumerated() {
      if isAtLineStart, byte == UInt8(ascii: "%") { return source.mark(ofByte: index) }
      isAtLineStart = byte == 0x0A || byte == 0x0D
    }
    return nil
  }
}
