import BitpalFiles
public import BitpalModel
import FoundationEssentials

/// A catalog of import files, which are read one by one, so that a bad one affects only its own use.
public struct ImportCatalog: Sendable {
  private let settings: Settings

  /// Creates a catalogue of what the settings' folders hold; nothing is read before it is asked.
  public init(settings: Settings) {
    self.settings = settings
  }

  /// An import file, read.
  public struct Listing: Equatable, Sendable {
    /// The id by which it is chosen.
    public let id: String

    /// The absolute path.
    public let file: String

    /// The content of the file, or its problem.
    public let outcome: Result<ImportSpecification, BitpalError>
  }

  /// Every import there is, by id; of several files of an id the first.
  public func list() -> [Listing] {
    var seen: Set<String> = []
    var listings: [Listing] = []
    for directory in settings.importsDirs {
      for id in ProviderCatalog.files(in: directory) where seen.insert(id).inserted {
        let path = PathText.joined(directory, id + ".yaml")
        let outcome = Result { () throws(BitpalError) in try load(id, from: path) }
        listings.append(Listing(id: id, file: path, outcome: outcome))
      }
    }
    return listings.sorted { $0.id < $1.id }
  }

  /// The import of an id.
  ///
  /// - Throws: ``/BitpalModel/BitpalError/configuration(_:)`` with every fault of the file;
  ///   ``/BitpalModel/BitpalError/usage(_:hint:)`` when there is none of that id.
  public func specification(for id: String) throws(BitpalError) -> ImportSpecification {
    for directory in settings.importsDirs {
      let path = PathText.joined(directory, id + ".yaml")
      if !id.contains("/"), FileStatus.exists(path) { return try load(id, from: path) }
    }
    let known = Set(settings.importsDirs.flatMap(ProviderCatalog.files)).sorted()
    let nearest = NearestName.match(id, among: known).map { "did you mean \"\($0)\"? " } ?? ""
    throw .usage(
      "there is no import \"\(id.printable(limit: 60))\"",
      hint: nearest + (known.isEmpty ? "" : "there are \(known.joined(separator: ", ")); ")
        + "\"bitpal imports new\" makes one")
  }

  /// Refuses an id that a new file cannot have: one that is no file's name, or is taken.
  public func checkNew(id: String) throws(BitpalError) {
    if let problem = ProviderID.problem(of: id, as: "the id of an import", like: "my-exchange") {
      throw .usage(problem)
    }
    for directory in settings.importsDirs {
      let path = PathText.joined(directory, id + ".yaml")
      guard !FileStatus.exists(path) else {
        throw .usage("there is an import \(id) already: \(shown(path))", hint: "choose another name")
      }
    }
  }

  private func load(_ id: String, from path: String) throws(BitpalError) -> ImportSpecification {
    let name = shown(path)
    let bytes: [UInt8]
    do {
      bytes = try YAMLDocument.bytes(of: path)
    } catch {
      throw .configuration([ConfigurationIssue(file: name, message: "cannot be read: \(error.reason)")])
    }
    try settings.trustedContent?.files.check(bytes, of: path)
    let document = YAMLDocument(YAMLSource(file: name, directory: PathText.directory(of: path), bytes: bytes))
    let issues = IssueList()
    issues.add(document.issues)
    var specification = document.root.flatMap { ImportDecoder(issues: issues).decode($0, id: id) }
    try issues.check()
    specification?.file = path
    guard let specification else {
      throw .configuration([ConfigurationIssue(file: name, message: "the file is empty")])
    }
    return specification
  }

  private func shown(_ path: String) -> String {
    PathText.shown(path, from: settings.currentDirectory)
  }
}
