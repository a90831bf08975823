import BitpalOutput
import BitpalPortfolio
import BitpalQueries

/// The `bitpal widget show` command, which draws the existing snapshot.
struct WidgetShowCommand: PortfolioCommand {
  static let name = "widget show"
  static let spec = CommandSpec(
    name, "draw the snapshot, without asking a source", options: [.size, .named],
    details: ["A snapshot is written after every change and each time a portfolio is shown."],
    examples: [
      .init("widget", "value and gain"),
      .init("widget show --size large", "with the five largest holdings"),
    ])

  let portfolio: String?
  private let size: WidgetSize

  init(_ arguments: Invocation.Arguments) {
    portfolio = arguments.raw["portfolio"]
    size = arguments.raw["size"].flatMap(WidgetSize.init(rawValue:)) ?? .small
  }

  func run(in context: PortfolioContext) throws -> ExitStatus {
    try context.session.show(WidgetView(context.widgetEntry, size))
    return .answered
  }
}

/// The `bitpal widget write` command, which makes a new snapshot.
struct WidgetWriteCommand: PortfolioCommand {
  static let name = "widget write"
  static let spec = CommandSpec(
    name, "write a new snapshot at the latest prices", options: [.size, .named],
    details: ["It is $XDG_DATA_HOME/bitpal/WidgetData/portfolio.json, replaced by rename."],
    examples: [.init("widget write", "prints where it is")])

  let portfolio: String?

  init(_ arguments: Invocation.Arguments) {
    portfolio = arguments.raw["portfolio"]
  }

  func run(in context: PortfolioContext) async throws -> ExitStatus {
    let valued = try await context.valued()
    valued.tell(context.session.console)
    try context.writeSnapshotOrFail(valued)
    context.session.confirm(
      FactView("wrote \(context.snapshotPath)", DoneOutput(Self.name, about: context.snapshotPath)))
    return valued.status
  }
}

/// The size of a widget.
enum WidgetSize: String, CaseIterable, Sendable {
  /// The value and the gain.
  case small

  /// The value, the gain and two holdings.
  case medium

  /// The value, the gain and five holdings.
  case large

  /// The number of holdings that the size shows.
  var holdings: Int {
    switch self {
    case .small: 0
    case .medium: 2
    case .large: 5
    }
  }
}

extension ParameterSpec {
  fileprivate static let size = ParameterSpec(
    "size", .choice(WidgetSize.allCases.map(\.rawValue)), "value and gain; and 2 holdings; and 5")
}
