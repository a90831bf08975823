import BitpalConfig

/// Looks at the variables by which libcurl finds a proxy.
struct NetworkExamination {
  /// The variables libcurl reads; `http_proxy` in capitals is not among them.
  static let variables = ["https_proxy", "HTTPS_PROXY", "http_proxy", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY"]

  private let environment: Environment

  init(_ environment: Environment) {
    self.environment = environment
  }

  var findings: [Finding] {
    let set = Self.variables.compactMap { name in
      environment.value(name).map { Finding(.network, name, .note, Self.withoutUser($0)) }
    }
    return set.isEmpty ? [Finding(.network, "proxy", .note, "none set")] : set
  }

  /// The value without a user name and password, which are nobody's business.
  private static func withoutUser(_ value: String) -> String {
    guard let at = value.lastIndex(of: "@") else { return value }
    let scheme = value.ranges(of: "://").first.map { String(value[..<$0.upperBound]) } ?? ""
    return scheme + "…@" + value[value.index(after: at)...]
  }
}
