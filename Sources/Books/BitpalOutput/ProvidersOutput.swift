package import Bitpal
import BitpalJSON
import BitpalModel
package import BitpalProviders

/// The shape `bitpal.providers/1`: the providers and their capabilities.
package struct ProvidersOutput: FieldShape {
  package let providers: [ProviderSummary]

  private let hasFiles: Bool

  /// Creates the shape.
  ///
  /// - Parameter hasFiles: Whether the paths of their files are included; otherwise they are null.
  package init(_ providers: [ProviderSummary], hasFiles: Bool = true) {
    self.providers = providers
    self.hasFiles = hasFiles
  }

  package static let shape = Shape<Self>(
    "bitpal.providers/1", "The providers there are; a file that cannot be read is in errors.",
    [.list("providers", "One for each.", rowFields) { $0.rowSubjects }])

  // The capabilities of a plugin that was not started are unknown.
  package static let rowFields: Fields<(descriptor: ProviderDescriptor, isTrusted: Bool, file: String?)> = [
    Field("id", .text("The id by which it is chosen.")) { $0.descriptor.id },
    Field("name", .text("Its name.")) { $0.descriptor.name },
    Field("kind", .text("The kind of provider.")) { $0.descriptor.kind },
    Field(
      "capabilities",
      .list(
        .word(Capability.allCases.map(\.rawValue), "A kind of question."),
        "The kinds of questions that it answers; null for a plugin that is not started.")
    ) { row in
      row.isTrusted ? Capability.allCases.filter(row.descriptor.capabilities.contains).map(\.rawValue) : nil
    },
    Field("candles", .list(.text("As 4h."), "The widths of its candles; null as before.")) {
      $0.isTrusted ? $0.descriptor.candleWidths.map(\.unitText) : nil
    },
    Field("currencies", .list(.text("In small letters."), "In which it answers; none where it does not say.")) {
      $0.descriptor.currencies
    },
    Field("file", .text("The file that describes it; null over HTTP.")) { $0.file },
    Field("trusted", .flag("Whether its program may be started.")) { $0.isTrusted },
  ]

  package var rowSubjects: [(descriptor: ProviderDescriptor, isTrusted: Bool, file: String?)] {
    providers.compactMap { summary in
      summary.descriptor.map { ($0, summary.isTrusted, hasFiles ? summary.file : nil) }
    }
  }

  package var errors: [OutputError] {
    providers.compactMap { summary in
      summary.problem.map { OutputError($0, about: (.provider, summary.id)) }
    }
  }
}
