/// Whether a redirect is followed: at most so many, and never to another origin.
///
/// libcurl would follow them itself, but it takes only `Authorization` off at the border; a provider's key is in a header
/// of another name.
struct RedirectRule: Hashable, Sendable {
  /// What to do with a redirect.
  enum Decision: Hashable, Sendable {
    case follow
    case refuse(NetworkFault)
  }

  let limit: Int

  /// Whether a status asks for going elsewhere, given a `Location`.
  static func isRedirect(_ status: Int) -> Bool { [301, 302, 303, 307, 308].contains(status) }

  /// - Parameters:
  ///   - followed: How many redirects this request has followed.
  ///   - from: Where the response came from.
  ///   - to: Where it points; nil when the `Location` is no URL.
  func decide(followed: Int, from: URLOrigin, to: URLOrigin?) -> Decision {
    guard let to else { return .refuse(.redirectedElsewhere("a place that is no URL")) }
    guard to == from else { return .refuse(.redirectedElsewhere(to.text)) }
    return followed < limit ? .follow : .refuse(.tooManyRedirects(limit: limit))
  }
}
