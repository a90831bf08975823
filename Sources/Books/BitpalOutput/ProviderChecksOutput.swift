package import BitpalModel

/// The shape `bitpal.provider_checks/1`: the results of checking all providers, one row each.
package struct ProviderChecksOutput: FieldShape {
  /// The results of one provider; the failure of its file where it could not be checked.
  package typealias Row = (provider: String, result: Result<ProviderCheckOutput, BitpalError>)

  package let rowSubjects: [Row]

  /// Creates the shape.
  package init(_ rows: [Row]) { rowSubjects = rows }

  package static let shape = Shape<Self>(
    "bitpal.provider_checks/1", "The result of checking every provider.",
    [.list("providers", "One for each.", rowFields) { $0.rowSubjects }])

  package static let rowFields: Fields<Row> = [
    Field("provider", .text("Its id.")) { $0.provider },
    Field("ok", .flag("Whether its file, its examples and the rules are in order.")) { problem(of: $0) == nil },
    Field("examples", .count("The number of its examples.")) { (try? $0.result.get())?.examples.count ?? 0 },
    Field("problem", .text("The first thing that is wrong.")) { problem(of: $0) },
  ]

  /// Returns the first thing that is wrong with a provider; nil when nothing is.
  package static func problem(of row: Row) -> String? {
    do {
      let check = try row.result.get()
      let example = check.examples.first { $0.problem != nil }.map { "\($0.name): \($0.problem ?? "")" }
      return example ?? check.rules.first { $0.isKept == false }.map { "\($0.name): \($0.detail ?? $0.demand)" }
    } catch {
      // The lines below the first one show the place.
      return error.message.split(separator: "\n").first.map(String.init)
    }
  }

  package var errors: [OutputError] {
    rowSubjects.compactMap { row in
      if case .failure(let error) = row.result { OutputError(error, about: (.provider, row.provider)) } else { nil }
    }
  }
}
