import BitpalFiles
import BitpalJSON
import BitpalModel
import BitpalProviders

/// A provider file together with the keys of the bases that it names with `extends:`.
///
/// Every value keeps its place, so that a fault in a base is reported in the base.
struct ExtendedFile {
  /// The folder of bases, beside the provider files.
  static let folder = "base"

  /// The content; nil when reading stopped at an issue.
  private(set) var root: YAMLNode?

  /// The faults of syntax in all of the files, and of `extends:`.
  private(set) var issues: [ConfigurationIssue]

  /// The absolute paths of the bases, nearest first.
  private(set) var bases: [String] = []

  private let shownFrom: String?

  /// The most files of which each extends the next.
  private static let mostFiles = 4

  /// The keys that describe one source, and are therefore not inherited.
  private static let own = ["id", "name", "website", "attribution", "terms", "checked", "examples", "extends"]

  /// Reads the bases of a file.
  ///
  /// - Parameters:
  ///   - document: The content of the file.
  ///   - path: The absolute path of the file.
  ///   - folder: The folder from which messages name files.
  ///   - check: Throws for a base whose bytes may not be used.
  /// - Throws: The error of `check`.
  init(
    _ document: YAMLDocument, at path: String, shownFrom folder: String?,
    check: ([UInt8], String) throws(BitpalError) -> Void = { (_, _) throws(BitpalError) in }
  ) throws(BitpalError) {
    issues = document.issues
    shownFrom = folder
    guard let own = document.root else { return }
    root = try extended(own, of: [path], check)
  }

  /// Lays the overrides of the settings over the content.
  mutating func override(by node: YAMLNode) {
    if let root, root.entries != nil { self.root = root.merged(with: node) }
  }

  /// Returns the content of the last of some files, each of which extends the next, with the keys of its base; nil, and an
  /// issue, without a readable base, because other faults would only follow from that.
  private mutating func extended(
    _ own: YAMLNode, of files: [String], _ check: ([UInt8], String) throws(BitpalError) -> Void
  ) throws(BitpalError) -> YAMLNode? {
    guard let value = own["extends"] else { return own }
    guard let (path, bytes) = base(value, of: files) else { return nil }
    try check(bytes, path)
    bases.append(path)
    let document = YAMLDocument(YAMLSource(file: name(path), directory: PathText.directory(of: path), bytes: bytes))
    issues += document.issues
    guard let root = document.root else { return nil }
    guard root.entries != nil else {
      issues.append(root.issue("the file must hold keys and values (key: value), not \(root.kindText)"))
      return nil
    }
    return try extended(root, of: files + [path], check)?.extended(by: own, exceptFor: Self.own)
  }

  /// Returns the first existing base of a name, with its bytes; nil, and an issue at the name, without one.
  private mutating func base(_ value: YAMLNode, of files: [String]) -> (path: String, bytes: [UInt8])? {
    guard case .scalar(let base, _) = value.content, ProviderID.problem(of: base) == nil else {
      issues.append(value.issue("extends must be the name of a file without .yaml, like exchange"))
      return nil
    }
    let places = Self.places(of: base, for: files)
    for path in places {
      do throws(FileFault) {
        let bytes = try YAMLDocument.bytes(of: path)
        let chain = (files + [path]).map(name).joined(separator: " extends ")
        if files.contains(path) {
          issues.append(value.issue("files cannot extend each other in a circle: \(chain)"))
        } else if files.count == Self.mostFiles {
          issues.append(value.issue("at most \(Self.mostFiles) files may extend each other: \(chain)"))
        } else {
          return (path, bytes)
        }
        return nil
      } catch {
        guard error != .missing else { continue }
        issues.append(value.issue("\(name(path)) cannot be read: \(error.reason)"))
        return nil
      }
    }
    let known = Set(places.map(PathText.directory).flatMap(ProviderCatalog.files)).sorted()
    let advice = NearestName.match(base, among: known).map { " (did you mean \"\($0)\"?)" } ?? ""
    let missing = places.filter { !ShippedFiles.contains($0) }.map(name).joined(separator: " nor ")
    issues.append(
      value.issue("cannot find \"\(base)\" to extend\(advice): neither \(missing), nor a file that comes with bitpal"))
    return nil
  }

  private func name(_ path: String) -> String { PathText.shown(path, from: shownFrom) }

  /// Returns the paths that may hold the base of the last of some files: in the folder of bases beside it, beside it, and
  /// among the files of the program.
  ///
  /// The file's own path is not among them, so that `extends: kraken` in `kraken.yaml` means the one of the program.
  private static func places(of base: String, for files: [String]) -> [String] {
    let file = files.last ?? ""
    let folder = PathText.directory(of: file)
    let isBase = files.count > 1 && PathText.name(of: folder) == Self.folder
    let shipped = PathText.joined(ShippedFiles.folder, "providers")
    let folders = (isBase ? [folder] : [PathText.joined(folder, Self.folder), folder])
    return (folders + [PathText.joined(shipped, Self.folder), shipped]).map { PathText.joined($0, base + ".yaml") }
      .filter { $0 != file }
  }
}
