import BitpalFiles
import BitpalJSON
package import BitpalModel
import BitpalProviders
import FoundationEssentials

/// A catalog of import files, which are read separately, so that a bad one affects only its own use.
package struct ImportCatalog: Sendable {
  private let settings: Settings

  /// Creates a catalog of the files in the settings' folders, which are read only when needed.
  package init(settings: Settings) {
    self.settings = settings
  }

  /// An import file and the result of reading it.
  package struct Listing: Equatable, Sendable {
    /// The id that selects the import.
    package let id: String

    /// The absolute path of the file.
    package let file: String

    /// The content of the file, or the error.
    package let outcome: Result<ImportSpecification, BitpalError>
  }

  /// Returns all imports, sorted by id; of several files with one id only the first.
  package func list() -> [Listing] {
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

  /// Returns the import with an id.
  ///
  /// - Throws: ``/BitpalModel/BitpalError/configuration(_:)`` with every fault of the file;
  ///   ``/BitpalModel/BitpalError/usage(_:hint:)`` for an unknown id.
  package func specification(for id: String) throws(BitpalError) -> ImportSpecification {
    for directory in settings.importsDirs {
      let path = PathText.joined(directory, id + ".yaml")
      if !id.contains("/"), FileStatus.exists(path) { return try load(id, from: path) }
    }
    let known = Set(settings.importsDirs.flatMap(ProviderCatalog.files)).sorted()
    let nearest = NearestName.match(id, among: known).map { "did you mean \"\($0)\"? " } ?? ""
    throw .usage(
      "unknown import \"\(id.printable(limit: 60))\"",
      hint: nearest + (known.isEmpty ? "" : "there are \(known.joined(separator: ", ")); ")
        + "\"bitpal imports new\" makes one")
  }

  /// Checks that a new import may have an id.
  ///
  /// - Throws: ``/BitpalModel/BitpalError/usage(_:hint:)`` for an id that is not valid or already exists.
  package func checkNew(id: String) throws(BitpalError) {
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
