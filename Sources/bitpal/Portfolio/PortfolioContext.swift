import BitpalConfig
import BitpalModel
import BitpalPortfolio
import BitpalService
import BitpalValuation
import FoundationEssentials

/// What the commands about a portfolio work with: the store, the prices, the snapshot, the clock.
struct PortfolioContext: Sendable {
  let session: Session
  let service: PriceService
  let file: UserDataFile
  let store: TransactionStore

  /// The portfolio as it is stored; nil for one that has nothing yet.
  let info: PortfolioInfo?

  /// The currency of the portfolio's money: its own, or that of the settings while it is empty.
  let currency: String

  /// The currency that what is imported must be in: the portfolio's own, or what was asked for; nil where a file may choose.
  let fixedCurrency: String?

  private let snapshot: WidgetSnapshotFile

  /// Which portfolio it is.
  var name: PortfolioName { store.portfolio }

  /// - Parameters:
  ///   - portfolio: Its name; nil for the main one, which need not be made.
  ///   - creates: Whether it may be one that there is not yet.
  /// - Throws: `BitpalError` for bad settings; `PortfolioError` for a bad name, or a currency that is not the portfolio's.
  init(_ session: Session, portfolio: String?, creates: Bool = false) throws {
    self.session = session
    let settings = try session.settings()
    let folder = try Self.dataFolder(session, settings)
    service = try session.assembly(settings).priceService()
    let name = try portfolio.map { text throws(PortfolioError) in try PortfolioName(text) } ?? .main
    file = UserDataFile(path: folder + "/bitpal.db")
    store = TransactionStore(file: file, portfolio: name)
    snapshot = WidgetSnapshotFile(folder: folder, portfolio: name)
    info = try store.info()
    if info == nil, !creates, name != .main {
      throw PortfolioError.portfolioNotFound(
        name.text, known: try PortfolioShelf(file: file).portfolios().map(\.name.text))
    }
    let own = info?.ownCurrency
    if let own, let asked = session.options.currency?.lowercased(), asked != own {
      throw PortfolioError.currencyMismatch(portfolio: name.text, currency: own, asked: asked)
    }
    currency = own ?? settings.currency
    fixedCurrency = own ?? session.options.currency?.lowercased()
  }

  /// The clock of the prices, which stands still for a recording.
  var now: Date { service.time.now }

  /// Where the snapshot is.
  var snapshotPath: String { snapshot.path }

  /// What a widget shows now.
  var widgetEntry: PortfolioEntry { snapshot.entry(at: now) }

  /// The user's data folder, to which every command goes through here.
  ///
  /// - Parameters:
  ///   - settings: Those in force; nil when they are the user's own and broken.
  ///   - thing: What of it is wanted, for the message.
  /// - Throws: ``BitpalError/untrusted(file:hasChanged:withheld:)`` when the settings found in the working folder are not
  ///   trusted: they could book at prices of their own, and tell their source what is held.
  static func dataFolder(
    _ session: Session, _ settings: Settings?, for thing: String = "portfolio"
  ) throws(BitpalError) -> String {
    try settings?.demandTrust(for: thing)
    guard let home = session.environment.dataHome else {
      throw .dataFile(path: "bitpal.db", reason: "there is no place for it: HOME is not set")
    }
    return home + "/bitpal"
  }

  /// The portfolio at the latest prices.
  ///
  /// - Parameter policy: Whether to fetch; nil for what the command line says.
  func valued(policy: FetchPolicy? = nil) async throws -> ValuedPortfolio {
    try await ValuedPortfolio(store, in: currency, by: service, policy: policy ?? session.options.policy)
  }

  /// Rewrites the snapshot; what is wrong with it is only a warning.
  func writeSnapshot(_ valued: ValuedPortfolio) {
    guard let data = widgetData(valued) else { return }
    do throws(BitpalError) {
      try snapshot.write(data)
    } catch {
      session.console.warning("the widget's snapshot is not up to date: \(error)")
    }
  }

  /// Rewrites the snapshot after a change that is already stored, at the prices at hand: recording waits for nobody.
  func refreshSnapshot() async throws {
    do {
      writeSnapshot(try await valued(policy: .offline))
    } catch let error as CancellationError {
      throw error
    } catch {
      session.console.warning("the widget's snapshot is not up to date: \(error)")
    }
  }

  /// Rewrites the snapshot, or says why not.
  func writeSnapshotOrFail(_ valued: ValuedPortfolio) throws {
    guard let data = widgetData(valued) else {
      throw valued.answer.failures.first?.error
        ?? BitpalError.dataFile(path: snapshot.path, reason: "no price is known")
    }
    try snapshot.write(data)
  }

  private func widgetData(_ valued: ValuedPortfolio) -> WidgetPortfolioData? {
    // Stale prices make a snapshot as old as they are.
    let stale = valued.answer.quotes.filter(\.freshness.isStale).map(\.fetchedAt)
    return WidgetPortfolioData(
      valued.portfolio, currency: currency, lastUpdated: ([now] + stale).min() ?? now, hasStalePrices: !stale.isEmpty)
  }
}
