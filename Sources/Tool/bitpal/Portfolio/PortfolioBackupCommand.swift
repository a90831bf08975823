import BitpalConfig
import BitpalModel
import BitpalOutput
import BitpalPortfolio
import BitpalQueries

/// The `bitpal portfolio backup FILE` command, which copies all portfolios and the watchlist to one file.
struct PortfolioBackupCommand: PortfolioCommand {
  static let name = "portfolio backup"
  static let spec = CommandSpec(
    name, "copy all portfolios and the watchlist to a file", operands: .one("FILE"),
    examples: [.init("portfolio backup bitpal-2025.db", "a whole copy, made between two writes")])

  let portfolio: String? = nil
  let creates = true
  private let path: String

  init(_ arguments: Invocation.Arguments) throws(BitpalError) {
    path = try arguments.backupFile
  }

  func run(in context: PortfolioContext) throws -> ExitStatus {
    try context.file.backUp(to: path)
    context.session.confirm(
      FactView("copied \(context.file.path) to \(path)", DoneOutput(Self.name, about: path)))
    return .answered
  }
}

extension Invocation.Arguments {
  /// The file of a backup.
  fileprivate var backupFile: String {
    get throws(BitpalError) {
      let path = try onlyOperand("FILE")
      guard path != "-" else {
        throw .usage(
          "a backup is a file of SQLite, which is not written to standard output nor read from standard input",
          hint: "name a file, which gzip or age can take then; ./- is one with that name")
      }
      return path
    }
  }
}

/// The `bitpal portfolio restore FILE` command, which replaces all portfolios and the watchlist by a backup.
struct PortfolioRestoreCommand: Command {
  static let name = "portfolio restore"
  static let spec = CommandSpec(
    name, "restore a backup", operands: .one("FILE"),
    options: [ParameterSpec("accept-damage", .flag, "take what a damaged file still holds, as it is")],
    details: [
      "The former data is kept beside it as bitpal.db.before-restore.TIME, which no later restore overwrites; restore "
        + "that file to return to it.",
      "A damaged file is refused, because its sums would be wrong. Without a backup, --accept-damage restores the "
        + "readable part of it, also from the file in use itself; check \"bitpal portfolio transactions\" "
        + "afterwards.",
    ],
    examples: [.init("portfolio restore bitpal-2025.db", "says where the previous content is")])

  private let path: String
  private let acceptsDamage: Bool

  init(_ arguments: Invocation.Arguments) throws(BitpalError) {
    path = try arguments.backupFile
    acceptsDamage = arguments.raw.has("accept-damage")
  }

  /// Restores the backup without opening the file that it replaces, which may be damaged.
  func run(_ session: Session) async throws -> ExitStatus {
    try session.console.checkOutput()
    let file = UserDataFile(path: try PortfolioContext.dataFolder(session, settings(session)) + "/bitpal.db")
    let kept = try file.restore(
      from: path, now: session.options.now ?? SystemTime().now, acceptingDamage: acceptsDamage)
    let message =
      "restored \(path)"
      + (kept.map { "; what was there before is kept: \"bitpal portfolio restore \(ShellWord($0))\" brings it back" }
        ?? "")
    session.confirm(
      FactView(message, DoneOutput(Self.name, about: path, ["previous": kept])))
    do {
      try await PortfolioContext(session, portfolio: nil, creates: true).refreshSnapshot()
    } catch let error as CancellationError {
      throw error
    } catch {
      // The restore has succeeded, whatever is wrong with the settings.
      session.console.warning("the widget's snapshot is not up to date: \(error)")
    }
    return .answered
  }

  /// Returns the settings in force; nil for broken settings outside the working folder, which do not prevent a restore.
  ///
  /// - Throws: The error of broken settings in the working folder, because it is unknown whether they are trusted.
  private func settings(_ session: Session) throws(BitpalError) -> Settings? {
    do {
      return try session.settings()
    } catch {
      guard try session.loader.file()?.discovery != .currentDirectory else { throw error }
      return nil
    }
  }
}
