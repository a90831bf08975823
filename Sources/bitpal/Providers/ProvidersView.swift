import BitpalModel
import BitpalOutput
import BitpalProviders
import BitpalService

/// The providers there are and what they can do.
struct ProvidersView: View {
  let output: ProvidersOutput
  private let inUse: [String]

  /// - Parameter inUse: The ids of the configured ones; they are marked with `*`.
  init(_ providers: [ProviderSummary], inUse: [String]) {
    output = ProvidersOutput(providers)
    self.inUse = inUse
  }

  func table(style: Style) -> String {
    let capabilities = Capability.allCases
    var columns: [TextTable.Column] = [.init(""), .init("ID"), .init("NAME", widest: 32), .init("KIND")]
    columns += capabilities.map { .init($0.rawValue.uppercased().replacing("_", with: " ")) }
    columns += [.init("KEY"), .init("FILE", widest: 400)]
    var table = TextTable(columns)
    for summary in output.providers {
      // Those that cannot be read are told on standard error.
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
