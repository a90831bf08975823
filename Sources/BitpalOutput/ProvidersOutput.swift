package import BitpalJSON
import BitpalModel
import BitpalProviders
package import BitpalService

/// `bitpal.providers/1`: the providers there are and what they can do.
package struct ProvidersOutput: OutputShape {
  package let providers: [ProviderSummary]

  private let hasFiles: Bool

  /// - Parameter hasFiles: Whether it says where their files are; null otherwise.
  package init(_ providers: [ProviderSummary], hasFiles: Bool = true) {
    self.providers = providers
    self.hasFiles = hasFiles
  }

  package let schema = "bitpal.providers/1"

  package var columns: [String] { ["id", "name", "kind", "capabilities", "candles", "currencies", "file", "trusted"] }

  package var rows: [JSONObject] {
    providers.compactMap { summary in
      // Nothing is known of what was not started.
      func known(_ values: [JSONValue]) -> JSONValue { summary.isTrusted ? .array(values) : .null }
      return summary.descriptor.map { descriptor in
        [
          "id": .string(descriptor.id), "name": .string(descriptor.name), "kind": .string(descriptor.kind),
          "capabilities": known(
            Capability.allCases.filter(descriptor.capabilities.contains).map { .string($0.rawValue) }),
          "candles": known(descriptor.candleWidths.map { .string($0.unitText) }),
          "currencies": .array(descriptor.currencies.map(JSONValue.string)),
          "file": JSONValue(hasFiles ? summary.file : nil), "trusted": .bool(summary.isTrusted),
        ]
      }
    }
  }

  package var members: JSONObject { ["providers": rowsValue] }

  package var errors: [OutputError] {
    providers.compactMap { summary in
      summary.problem.map { OutputError($0, about: (.provider, summary.id)) }
    }
  }
}
