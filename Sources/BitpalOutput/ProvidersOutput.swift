package import BitpalJSON
import BitpalModel
import BitpalProviders
package import BitpalService

/// The shape `bitpal.providers/1`: the providers and their capabilities.
package struct ProvidersOutput: OutputShape {
  package let providers: [ProviderSummary]

  private let hasFiles: Bool

  /// Creates the shape.
  ///
  /// - Parameter hasFiles: Whether the paths of their files are included; otherwise they are null.
  package init(_ providers: [ProviderSummary], hasFiles: Bool = true) {
    self.providers = providers
    self.hasFiles = hasFiles
  }

  package let schema = OutputSchema.providers

  package var columns: [String] { ["id", "name", "kind", "capabilities", "candles", "currencies", "file", "trusted"] }

  package var rows: [JSONObject] {
    providers.compactMap { summary in
      // The capabilities of a plugin that was not started are unknown.
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

extension OutputSchema {
  package static let providers = OutputSchema(
    "bitpal.providers/1", "The providers there are; a file that cannot be read is in errors.",
    [
      "providers": .list(
        .object([
          "id": .text("The id by which it is chosen."), "name": .text("Its name."),
          "kind": .text("The kind of provider."),
          "capabilities": .list(
            .word(Capability.allCases.map(\.rawValue), "A kind of question."),
            "The kinds of questions that it answers; null for a plugin that is not started."
          ).orNull,
          "candles": .list(.text("As 4h."), "The widths of its candles; null as before.").orNull,
          "currencies": .list(.text("In small letters."), "In which it answers; none where it does not say."),
          "file": .text("The file that describes it; null over HTTP.").orNull,
          "trusted": .flag("Whether its program may be started."),
        ]), "One for each.")
    ])
}
