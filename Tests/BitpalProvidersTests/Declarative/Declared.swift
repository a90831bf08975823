import BitpalConfig
import BitpalModel
import BitpalNetwork
import FoundationEssentials
import TestSupport

@testable import BitpalProviders

/// A provider file of a test, read the way real ones are.
struct Declared {
  /// The time at which windows of tests end.
  static let now = Date(milliseconds: 1_736_937_000_000)

  /// The folder with the files we ship.
  static let shipped = #filePath.split(separator: "/").dropLast(4).reduce("") { $0 + "/" + $1 } + "/providers"

  private let folder: TemporaryFolder
  private let id: String

  /// What stands before the operations; it takes four lines.
  static let head = "id: mine\nname: Mine\nkind: http\nbase_url: https://api.example.com/v1\n"

  /// A file with the usual head and this text.
  init(_ text: String, id: String = "mine") throws {
    folder = try TemporaryFolder()
    self.id = id
    try folder.write(Self.head.replacing("mine", with: id) + text + "\n", to: "\(id).yaml")
  }

  var specification: ProviderSpecification {
    get throws {
      try ProviderCatalog(settings: Settings(providersDirs: [folder.path])).specification(for: id)
    }
  }

  func dialect(tickers: [String: String] = [:]) throws -> DeclarativeDialect {
    try DeclarativeDialect(try specification, key: nil) { tickers[$0] }
  }

  /// Everything that is said about the file, without its folder.
  var complaint: String {
    do {
      _ = try dialect()
      return "no complaint"
    } catch {
      return ((error as? BitpalError)?.message ?? "\(error)").replacing(folder.path + "/", with: "")
    }
  }

  /// What is said when a question is answered with that body.
  func failure(of query: ProviderQuery, body: String, status: Int = 200) throws -> String {
    do {
      let response = HTTPResponse(status: status, body: Array(body.utf8))
      guard case .quotes(let batch) = try dialect().answer(to: query, from: response).value else {
        return "no complaint"
      }
      let failures = batch.failures.sorted { $0.key < $1.key }.map(\.value.message)
      return failures.joined(separator: "\n").replacing(folder.path + "/", with: "")
    } catch {
      return ((error as? BitpalError)?.message ?? "\(error)").replacing(folder.path + "/", with: "")
    }
  }

  static func window(_ length: Duration) -> TimeWindow {
    TimeWindow(ending: now, length: length)
  }
}
