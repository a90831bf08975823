import BitpalPortfolio
import BitpalServe
import Foundation
import TestSupport
import Testing

@Suite struct `The server's description of itself` {
  private typealias Object = [String: Any]

  private static func described() async throws -> Object {
    try await Exchange.recorded().object("/v1/openapi.json")
  }

  private static func operations() async throws -> [(path: String, get: Object)] {
    let paths = try #require(try await described()["paths"] as? [String: Object])
    return try paths.map { (path: $0.key, get: try #require($0.value["get"] as? Object)) }.sorted { $0.path < $1.path }
  }

  /// Every reference below a value.
  private static func references(in value: Any) -> [String] {
    if let object = value as? Object {
      return object.flatMap { key, value in
        (key == "$ref" ? [value as? String].compactMap(\.self) : []) + references(in: value)
      }
    }
    return (value as? [Any])?.flatMap(references) ?? []
  }

  @Test func `Every reference has a component, and every component is used`() async throws {
    let document = try await Self.described()
    #expect(document["openapi"] as? String == "3.1.0")
    let components = try #require(document["components"] as? [String: Object])
    let parts = ["headers", "responses", "schemas"].flatMap { kind in
      (components[kind] ?? [:]).keys.map { "#/components/\(kind)/\($0)" }
    }
    #expect(Set(parts) == Set(Self.references(in: document)))
  }

  @Test func `Each path with an example of its parameters is answered with 200`() async throws {
    let folder = try TemporaryFolder()
    let file = UserDataFile(path: folder.path + "/bitpal.db")
    let exchange = try Exchange.recorded(
      own: OwnPages(watchlist: .success(WatchlistStore(file: file)), portfolio: TransactionStore(file: file)))
    let owner = [await exchange.cookie(), ("Host", "localhost")]
    for (path, get) in try await Self.operations()
    where path != "/v1/schemas/{name}" {
      var target = path
      var query: [String] = []
      for parameter in get["parameters"] as? [Object] ?? [] where parameter["required"] as? Bool == true {
        let name = try #require(parameter["name"] as? String)
        let schema = try #require(parameter["schema"] as? Object)
        let example = try #require((schema["examples"] as? [String])?.first, "\(path): \(name)")
        target = target.replacingOccurrences(of: "{\(name)}", with: example)
        if parameter["in"] as? String == "query" { query.append("\(name)=\(example)") }
      }
      let response = await exchange.get(target + "?" + query.joined(separator: "&"), owner)
      #expect(response.status == 200, "\(target)?\(query): \(response.text.prefix(200))")
    }
  }

  @Test func `The page has every path and every parameter of it`() async throws {
    let root = #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 }
    let page = try String(contentsOfFile: root + "/docs/serve.md", encoding: .utf8)
    for (path, get) in try await Self.operations() {
      let name = path.replacing(/\{(.*?)\}/) { $0.output.1.uppercased() }
      let row = page.split(separator: "\n").first { $0.contains("`\(name)`") }
      #expect(row != nil, "docs/serve.md lacks \(name)")
      // The picture has a row of its own.
      let text = String(row ?? "") + (path == "/v1/chart/{id}" ? "width height" : "")
      for parameter in get["parameters"] as? [Object] ?? []
      where parameter["in"] as? String == "query" && parameter["name"] as? String != "format" {
        #expect(text.contains(parameter["name"] as? String ?? "?"), "\(name): \(parameter["name"] ?? "")")
      }
    }
  }
}
