import BitpalJSON
import BitpalOutput
import BitpalPortfolio

/// What `bitpal widget show` and `bitpal widget write` do.
struct WidgetCommand: PortfolioCommand {
  /// Whether to make a new snapshot or draw the one there is.
  enum Deed: Sendable {
    case show
    case write
  }

  let portfolio: String?
  private let deed: Deed
  private let size: WidgetSize

  init(_ deed: Deed, _ arguments: Invocation.Arguments) {
    self.deed = deed
    portfolio = arguments.raw.value(.portfolio)
    size = arguments.raw.value(.size).flatMap(WidgetSize.init(rawValue:)) ?? .small
  }

  func run(at desk: PortfolioDesk) async throws -> ExitStatus {
    switch deed {
    case .show:
      try desk.session.show(WidgetView(desk.widgetEntry, size))
      return .answered
    case .write:
      let valued = try await desk.valued()
      valued.tell(desk.session.console)
      try desk.writeSnapshotOrFail(valued)
      desk.session.confirm(
        FactView(
          "wrote \(desk.snapshotPath)", .snapshotWritten(to: desk.snapshotPath)))
      return valued.status
    }
  }
}
