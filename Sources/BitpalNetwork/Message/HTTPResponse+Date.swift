package import FoundationEssentials

extension HTTPResponse {
  /// When the source says it answered: its `Date` header; nil when it sends none that can be read.
  package func date(now: Date) -> Date? {
    headers.first(named: "date").flatMap { HTTPDate.parse($0, now: now) }
  }
}
