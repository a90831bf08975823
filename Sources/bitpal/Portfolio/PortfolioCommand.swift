import BitpalModel
import BitpalPortfolio
import FoundationEssentials

/// A command about a portfolio, whose refusals become failures of the command line.
protocol PortfolioCommand: Command {
  /// The portfolio named by `--portfolio`; nil for the main one.
  var portfolio: String? { get }

  /// Does it.
  func run(in context: PortfolioContext) async throws -> ExitStatus
}

extension PortfolioCommand {
  func run(_ session: Session) async throws -> ExitStatus {
    // Most of them change something first.
    try session.console.checkOutput()
    do {
      return try await run(in: try PortfolioContext(session, portfolio: portfolio))
    } catch let error as PortfolioError {
      throw BitpalError.usage(error.message, hint: error.hint)
    }
  }
}

extension RawArguments {
  /// A number given as an option.
  func number(_ option: OptionName) throws(BitpalError) -> Decimal? {
    try value(option).map { text throws(BitpalError) in try Self.number(text, option.spelling) }
  }

  /// A number given as a word.
  static func number(_ text: String, _ name: String) throws(BitpalError) -> Decimal {
    do throws(DecimalError) {
      return try Decimal(strict: text)
    } catch {
      throw .usage("\(name): \(error)")
    }
  }

  /// An instant given as an option.
  func instant(_ option: OptionName) throws(BitpalError) -> Date? {
    try value(option).map { text throws(BitpalError) in
      guard let instant = Date(utcText: text) else {
        throw .usage(
          "\(option.spelling): \"\(text)\" is not an instant", hint: "write it like 2025-01-15 or 2025-01-15T10:30:00Z")
      }
      return instant
    }
  }
}

/// The options of several of these commands.
extension OptionSpec {
  static let named = OptionSpec(.portfolio, .text("NAME"), help: "which portfolio; main by default")
  static let dryRun = OptionSpec(.dryRun, help: "check and show everything, store nothing")
  static let price = OptionSpec(
    .price, .text("P"), help: "what one coin cost; without it the latest price is asked for and shown")
  static let fee = OptionSpec(.fee, .text("F"), help: "what the exchange took; kept apart from cost and gain")
  static let date = OptionSpec(.date, .text("TIME"), help: "when, such as 2025-01-15 or 2025-01-15T10:30Z")
  static let notes = OptionSpec(.notes, .text("TEXT"), help: "anything worth remembering")
}
