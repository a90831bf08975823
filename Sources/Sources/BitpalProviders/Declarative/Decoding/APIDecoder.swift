import BitpalJSON
import BitpalModel

/// A decoder of the keys that only provider files of `kind: http` have.
struct APIDecoder {
  /// The keys that only such files have.
  static let keys =
    ["error", "errors", "currency", "headers", "ids", "only", "without", "examples"]
    + Capability.allCases.map(\.rawValue)

  let issues: IssueList

  /// Reads the keys into a declaration.
  func decode(_ decoder: MappingDecoder, currencyCodes: [String: String]) -> DeclaredAPI {
    var api = DeclaredAPI()
    api.currencyCodes = currencyCodes
    for capability in Capability.allCases {
      guard let value = decoder[capability.rawValue] else { continue }
      api.operations[capability] = OperationDecoder(capability: capability, issues: issues).decode(value)
    }
    for header in decoder["headers"]?.mapping(keys: nil).values ?? [] {
      if let header = self.header(header) { api.headers.append(header) }
    }
    api.error = decoder["error"]?.items().compactMap { path($0, like: "$.error[0]") } ?? []
    api.answeredCurrency = decoder["currency"].flatMap { path($0, like: "$.meta.currency") }
    for value in decoder["errors"]?.mapping(keys: DeclaredAPI.Meaning.allCases.map(\.rawValue)).values ?? [] {
      if let meaning = DeclaredAPI.Meaning(rawValue: value.entry.key) { api.errors[meaning] = value.texts() }
    }
    for value in decoder["ids"]?.mapping(keys: nil).values ?? [] {
      if let id = value.text("the source's id") { api.ids[value.entry.key] = id }
    }
    api.only = decoder["only"].flatMap { only in
      guard let map = only.choice(of: DeclaredAPI.Only.self) else { return nil }
      guard map == .capitals || decoder[map.rawValue]?.entry.value.entries?.isEmpty == false else {
        return only.reject("only: \(map.rawValue) needs the coins that there are, under \(map.rawValue):")
      }
      return map
    }
    for value in decoder["without"]?.items() ?? [] {
      guard let coin = value.text("a coin's id") else { continue }
      let named = ["symbols", "ids"].first { key in
        decoder[key]?.entry.value.entries?.contains { $0.key == coin && !$0.value.isEmpty } ?? false
      }
      if let named {
        value.report("without: \(coin.printable(limit: 60)) has a name under \(named): too; leave one of them out")
      }
      api.without.insert(coin)
    }
    for value in decoder["examples"]?.items() ?? [] {
      if let example = ExampleDecoder().decode(value) { api.examples.append(example) }
    }
    return api
  }

  private func path(_ value: DeclaredValue, like example: String) -> DeclaredText? {
    guard let path = value.declaredText("a path like \(example)") else { return nil }
    return path.text.hasPrefix("$")
      ? path : value.reject("\(value.name) must be a path that begins with $, like \(example)")
  }

  private func header(_ value: DeclaredValue) -> DeclaredAPI.Header? {
    guard RequestHeader.isName(value.entry.key) else {
      value.reportKey("a header's name is made of letters, digits and -")
      return nil
    }
    guard !RequestHeader.isTransports(value.entry.key) else {
      value.reportKey("the header \(value.entry.key) is the transport's own and cannot be set")
      return nil
    }
    guard let text = value.declaredText() else { return nil }
    do throws(DeclaredPlaceholder.Fault) {
      let parts = try DeclaredPlaceholder.parts(of: text.text, allowed: [.key])
      // A key within other text could not be removed from a recording.
      let isPlain = !parts.contains(.placeholder(.key)) || parts.last == .placeholder(.key) && parts.count <= 2
      guard isPlain else { return value.reject("{key} must stand at the end of a header, like  Bearer {key}") }
    } catch {
      issues.add(text.issue(error.message, at: error.offset))
      return nil
    }
    guard RequestHeader.isValue(text.text) else {
      return value.reject("a header's value is made of printable ASCII characters")
    }
    return DeclaredAPI.Header(name: value.entry.key, value: text)
  }
}
