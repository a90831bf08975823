package import Bitpal
import BitpalJSON
import BitpalModel
package import BitpalProviders

/// The shape `bitpal.providers/1`: the providers and their capabilities.
package struct ProvidersOutput: FieldShape {
  package let providers: [ProviderSummary]

  /// Creates the shape.
  package init(_ providers: [ProviderSummary]) {
    self.providers = providers
  }

  package static let shape = Shape<Self>(
    "bitpal.providers/1", "The providers there are; a file that cannot be read is in errors.",
    [.list("providers", "One for each.", rowFields) { $0.rowSubjects }])

  // The capabilities of a plugin that was not started are unknown.
  package static let rowFields: Fields<(descriptor: ProviderDescriptor, summary: ProviderSummary)> = [
    Field("id", .text("The id by which it is chosen.")) { $0.descriptor.id },
    Field("name", .text("Its name.")) { $0.descriptor.name },
    Field("kind", .text("The kind of provider.")) { $0.descriptor.kind },
    Field(
      "capabilities",
      .list(
        .word(Capability.allCases.map(\.rawValue), "A kind of question."),
        "The kinds of questions that it answers; null for a plugin that is not started.")
    ) { row in
      row.summary.isTrusted ? Capability.allCases.filter(row.descriptor.capabilities.contains).map(\.rawValue) : nil
    },
    Field("candles", .list(.text("As 4h."), "The widths of its candles; null as before.")) {
      $0.summary.isTrusted ? $0.descriptor.candleWidths.map(\.unitText) : nil
    },
    Field("currencies", .list(.text("In small letters."), "In which it answers; none where it does not say.")) {
      $0.descriptor.currencies
    },
    Field("file", .text("The file that describes it; null over HTTP.")) { $0.summary.file },
    Field("trusted", .flag("Whether its program may be started.")) { $0.summary.isTrusted },
    Field("category", .word(SourceFacts.Category.allCases.map(\.rawValue), "What it is about, by its file.")) {
      $0.summary.specification?.facts.category?.rawValue
    },
    Field("budgets", .list(.text("As 60/1m."), "The most requests, all of which hold.")) { $0.summary.budgets },
    Field("key_set", .flag("Whether its key is set; null for one without a key, and over HTTP.")) {
      $0.summary.isKeySet
    },
    Field("of", .text("The provider whose prices it republishes, or that was recorded.")) {
      $0.summary.specification?.facts.republished
    },
  ]

  package var rowSubjects: [(descriptor: ProviderDescriptor, summary: ProviderSummary)] {
    providers.compactMap { summary in summary.descriptor.map { ($0, summary) } }
  }

  package var errors: [OutputError] {
    providers.compactMap { summary in
      summary.problem.map { OutputError($0, about: (.provider, summary.id)) }
    }
  }
}
