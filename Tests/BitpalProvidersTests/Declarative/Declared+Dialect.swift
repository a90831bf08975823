import BitpalModel
import BitpalNetwork
import BitpalProviders
import FoundationEssentials
import ProviderFiles
import TestSupport

extension Declared {
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
      let answer = try dialect().answer(to: query, from: response)
      guard case .quotes = query else { return "no complaint" }
      let failures = answer.failures.sorted { $0.key < $1.key }.map(\.value.message)
      return failures.joined(separator: "\n").replacing(folder.path + "/", with: "")
    } catch {
      return ((error as? BitpalError)?.message ?? "\(error)").replacing(folder.path + "/", with: "")
    }
  }
}
