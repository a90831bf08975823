import BitpalJSON
import BitpalModel
import BitpalProviders
import BitpalService

/// The providers there are and what they can do.
struct ProvidersView: View {
  private let providers: [ProviderSummary]
  private let inUse: [String]

  /// - Parameter inUse: The ids of the configured ones; they are marked with `*`.
  init(_ providers: [ProviderSummary], inUse: [String]) {
    self.providers = providers
    self.inUse = inUse
  }

  var columns: [String] { ["id", "name", "kind", "capabilities", "candles", "currencies", "file"] }

  var rows: [JSONObject] {
    providers.compactMap { summary in
      summary.descriptor.map { descriptor in
        [
          "id": .string(descriptor.id), "name": .string(descriptor.name), "kind": .string(descriptor.kind),
          "capabilities": .array(
            Capability.allCases.filter(descriptor.capabilities.contains).map { .string($0.rawValue) }),
          "candles": .array(descriptor.candleWidths.map { .string($0.unitText) }),
          "currencies": .array(descriptor.currencies.map(JSONValue.string)), "file": JSONValue(summary.file),
        ]
      }
    }
  }

  var json: JSONObject {
    [
      "schema": "bitpal.providers/1", "providers": .array(rows.map(JSONValue.object)),
      "errors": .array(
        providers.compactMap { summary in
          summary.problem.map { problem in
            [
              "provider": .string(summary.id), "code": .string(problem.code.rawValue),
              "message": .string(problem.description),
            ]
          }
        }),
    ]
  }

  func table(style: Style) -> String {
    let capabilities = Capability.allCases
    var columns: [TextTable.Column] = [.init(""), .init("ID"), .init("NAME", widest: 32), .init("KIND")]
    columns += capabilities.map { .init($0.rawValue.uppercased().replacing("_", with: " ")) }
    columns += [.init("KEY"), .init("FILE", widest: 400)]
    var table = TextTable(columns)
    for summary in providers {
      guard let descriptor = summary.descriptor else { continue }
      var row: [TextTable.Cell] = [
        inUse.contains(descriptor.id) ? "*" : "", .init(descriptor.id), .init(descriptor.name), .init(descriptor.kind),
      ]
      row += capabilities.map { descriptor.capabilities.contains($0) ? .init("yes") : .init("no", .quiet) }
      row += [
        .init(summary.isKeySet.map { $0 ? "set" : "not set" } ?? "-"),
        .init(summary.file ?? "built in", .quiet),
      ]
      table.add(row)
    }
    return table.text(style: style)
  }
}
