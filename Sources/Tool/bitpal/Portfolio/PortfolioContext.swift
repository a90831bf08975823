import Bitpal
import BitpalConfig
import BitpalFiles
import BitpalModel
import BitpalPortfolio
import BitpalQueries
import FoundationEssentials

/// The store, the prices, the snapshot and the clock that commands for one portfolio use.
struct PortfolioContext: Sendable {
  let session: Session
  let service: PriceService
  let file: UserDataFile
  let store: TransactionStore

  /// The portfolio as it is stored; nil for one without content.
  let info: PortfolioInfo?

  /// The currency of the portfolio's amounts: its own, or that of the settings while it is empty.
  let currency: String

  /// The currency that an import must have: the portfolio's own or the one asked for; nil when the file may choose.
  let fixedCurrency: String?

  /// The instant at which the command began, by the clock of the prices, which stands still for a recording.
  let now: Date

  private let snapshot: WidgetSnapshotFile

  /// The name of the portfolio.
  var name: PortfolioName { store.portfolio }

  /// Creates a portfolio context.
  ///
  /// - Parameters:
  ///   - portfolio: The name; nil for the main portfolio.
  ///   - creates: Whether the portfolio may be missing.
  /// - Throws: `BitpalError` for invalid settings; `PortfolioError` for an invalid name, a portfolio that does not
  ///   exist, or a currency other than the portfolio's.
  init(_ session: Session, portfolio: String?, creates: Bool = false) throws {
    self.session = session
    let settings = try session.settings()
    let folder = try Self.dataFolder(session, settings)
    service = try session.assembly(settings).priceService()
    now = service.time.now
    let name = try portfolio.map { text throws(PortfolioError) in try PortfolioName(text) } ?? .main
    file = UserDataFile(path: folder + "/bitpal.db")
    store = TransactionStore(file: file, portfolio: name, zone: settings.timeZone)
    snapshot = WidgetSnapshotFile(folder: folder, portfolio: name)
    info = try store.info()
    if info == nil, !creates { try store.checkExistence() }
    let own = info?.ownCurrency
    if let own, let asked = session.options.currency?.lowercased(), asked != own {
      throw PortfolioError.currencyMismatch(portfolio: name.text, currency: own, asked: asked)
    }
    currency = own ?? settings.currency
    fixedCurrency = own ?? session.options.currency?.lowercased()
  }

  /// The portfolio with its prices; remarks on a change go to standard error.
  var book: PortfolioBook {
    let console = session.console
    return PortfolioBook(store, in: currency, by: service, policy: session.options.policy, now: now) {
      switch $0 {
      case .note(let text): console.notice(text)
      case .warning(let text): console.warning(text)
      case .failure(let failure): console.failure(failure.error, subject: failure.coin)
      case .origin(let origin, let coin): console.warn(about: [origin]) { _ in coin }
      }
    }
  }

  /// The path of the widget's snapshot.
  var snapshotPath: String { snapshot.path }

  /// The snapshot as a widget shows it now.
  var widgetEntry: PortfolioEntry { snapshot.entry(at: now) }

  /// Returns the user's data folder, which every command gets from here.
  ///
  /// - Parameters:
  ///   - settings: The settings in force; nil when they are the user's own and broken.
  ///   - thing: The part of the data that is needed, for the message.
  /// - Throws: ``BitpalError/untrusted(file:hasChanged:withheld:)`` when the settings found in the working folder are
  ///   not trusted: they could record at prices of their own, and send the holdings to a source.
  ///   ``BitpalError/dataFile(path:reason:)`` when HOME is not set.
  static func dataFolder(
    _ session: Session, _ settings: Settings?, for thing: String = "portfolio"
  ) throws(BitpalError) -> String {
    try settings?.demandTrust(for: thing)
    guard let home = session.environment.dataHome else {
      throw .dataFile(path: "bitpal.db", reason: "HOME is not set, so its folder is unknown")
    }
    return home + "/bitpal"
  }

  /// Returns the portfolio at the latest prices.
  ///
  /// - Parameter policy: The policy for fetching; nil for that of the command line.
  /// - Throws: `PortfolioError` for transactions that cannot be booked; `BitpalError` when the store cannot be read or
  ///   no source answers at all. One missing price is a failure in the answer.
  func valued(policy: FetchPolicy? = nil) async throws -> ValuedPortfolio {
    try await ValuedPortfolio(store, in: currency, by: service, policy: policy ?? session.options.policy)
  }

  /// Names the transactions that happened together with those that are changed or removed, and stay as they are.
  func nameRest(ofGroupOf transactions: [Transaction]) throws {
    guard let group = transactions.first?.group else { return }
    let changed = Set(transactions.map(\.id))
    let rest = try store.transactions().filter { $0.group == group && !changed.contains($0.id) }
      .map { "\($0.shortID) (\($0.type.rawValue) \($0.amount.plainText) \($0.coinId))" }
    if !rest.isEmpty { session.console.notice("what happened together with it stays: \(rest.joined(separator: ", "))") }
  }

  /// Warns of renamings and splits that lack a half, whose coins or cost are wrong in every figure.
  func warnOfLoneHalves() throws {
    for error in try store.loneHalves() { session.console.warning(error.description) }
  }

  /// Rewrites the snapshot; a failure is only a warning.
  func writeSnapshot(_ valued: ValuedPortfolio) {
    guard let data = valued.widgetData(now: now) else { return }
    do throws(BitpalError) {
      try snapshot.write(data)
    } catch {
      session.console.warning("the widget's snapshot is not up to date: \(error)")
    }
  }

  /// Rewrites the snapshot after a change that is already stored.
  ///
  /// It uses the cached prices, because recording must not wait for a source.
  ///
  /// - Throws: `CancellationError`; any other error is only a warning.
  func refreshSnapshot() async throws {
    do {
      writeSnapshot(try await valued(policy: .offline))
    } catch let error as CancellationError {
      throw error
    } catch PortfolioError.portfolioNotFound {
      // A change that was taken back may have begun it.
      snapshot.remove()
    } catch {
      session.console.warning("the widget's snapshot is not up to date: \(error)")
    }
  }

  /// Rewrites an existing snapshot of the main portfolio after prices of its coins were fetched, from the cache.
  ///
  /// It does nothing where no snapshot is used, and never fails the command that has fetched them.
  ///
  /// - Parameter began: The instant since which a price counts as fetched.
  static func renewSnapshot(after quotes: [Sourced<Coin>], since began: Date, _ session: Session) async {
    guard quotes.contains(where: { $0.fetchedAt >= began }), let folder = session.environment.dataHome,
      FileStatus.exists(WidgetSnapshotFile(folder: folder + "/bitpal").path),
      let context = try? PortfolioContext(session, portfolio: nil),
      let valued = try? await context.valued(policy: .offline)
    else { return }
    let fetched = Set(quotes.filter { $0.fetchedAt >= began }.map(\.value.id))
    if valued.portfolio.holdings.contains(where: { fetched.contains($0.id) }) { context.writeSnapshot(valued) }
  }

  /// Rewrites the snapshot.
  ///
  /// - Throws: The first error of the prices, or ``BitpalError/dataFile(path:reason:)`` when no price is known or the
  ///   file cannot be written.
  func writeSnapshotOrFail(_ valued: ValuedPortfolio) throws {
    guard let data = valued.widgetData(now: now) else {
      throw valued.answer.failures.first?.error
        ?? BitpalError.dataFile(path: snapshot.path, reason: "no price is known")
    }
    try snapshot.write(data)
  }
}
