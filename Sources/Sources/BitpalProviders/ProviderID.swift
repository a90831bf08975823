import BitpalJSON
import BitpalModel

/// The rules for provider ids, which are also file names.
package enum ProviderID {
  /// The problem of a list of ids.
  package struct Problem: Error, Equatable {
    package let message: String
  }

  /// The prefix of a recording that is selected as a provider by its path.
  package static let recordingPrefix = "recording:"

  /// Returns the problem of a choice of provider, an id or `recording:PATH`; nil when it is valid.
  package static func problem(ofChoice choice: String) -> String? {
    guard choice.hasPrefix(recordingPrefix) else { return problem(of: choice) }
    return choice == recordingPrefix ? "recording: needs the path of a recording, like recording:Fixtures/market" : nil
  }

  /// Returns the problem of an id; nil when it is valid.
  package static func problem(of id: String) -> String? { problem(of: id, as: "a provider id", like: "coingecko") }

  /// Returns the problem of an id that is also a file's name; nil when it is valid.
  package static func problem(of id: String, as kind: String, like example: String) -> String? {
    let isName = id.utf8.allSatisfy {
      $0.isLowercaseLetterOrDigit || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
    }
    let startsWell = id.utf8.first.map(\.isLowercaseLetterOrDigit) ?? false
    if isName, startsWell, id.utf8.count <= 64 { return nil }
    return "\(kind) is made of lower-case letters, digits, - and _, like \(example), "
      + "not \"\(id.printable(limit: 60))\""
  }

  /// Returns the ids in a comma-separated text.
  package static func list(_ text: String) -> Result<[String], Problem> {
    var ids: [String] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let id = String(part.trimmingSpaces)
      if let message = problem(ofChoice: id) { return .failure(Problem(message: message)) }
      if ids.contains(id) { return .failure(Problem(message: "\(id) is listed twice")) }
      ids.append(id)
    }
    return .success(ids)
  }
}

extension Substring {
  fileprivate var trimmingSpaces: Substring {
    let start = drop { $0 == " " }
    return start.lastIndex { $0 != " " }.map { start[...$0] } ?? ""
  }
}
