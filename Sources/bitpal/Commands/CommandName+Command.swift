import BitpalModel
import BitpalPortfolio

extension CommandName {
  /// The command of that name with its arguments.
  ///
  /// - Throws: ``BitpalError/usage(_:hint:)``.
  func command(_ arguments: Invocation.Arguments) throws(BitpalError) -> any Command {
    switch self {
    case .price: PriceCommand(arguments)
    case .chart: try ChartCommand(arguments)
    case .coin: try CoinCommand(arguments)
    case .history: try HistoryCommand(arguments)
    case .buy: try RecordCommand(.buy, arguments)
    case .sell: try RecordCommand(.sell, arguments)
    case .portfolioSummary: PortfolioShowCommand(.summary, arguments)
    case .portfolioHoldings: PortfolioShowCommand(.holdings, arguments)
    case .portfolioClosed: PortfolioShowCommand(.closed, arguments)
    case .portfolioTransactions: TransactionsCommand(arguments)
    case .portfolioAdd: try RecordCommand(arguments)
    case .portfolioEdit: try EditCommand(arguments)
    case .portfolioRemove: try RemoveCommand(arguments)
    case .portfolioImport: try ImportCommand(arguments)
    case .portfolioExport: ExportCommand(arguments)
    case .portfolioBackup: try BackupCommand(arguments)
    case .portfolioRestore: try RestoreCommand(arguments)
    case .widgetShow: WidgetCommand(.show, arguments)
    case .widgetWrite: WidgetCommand(.write, arguments)
    case .providersList: ProvidersListCommand()
    case .providersShow: try ProvidersShowCommand(arguments)
    case .providersCheck: try ProvidersCheckCommand(arguments)
    case .cacheStats: CacheStatsCommand()
    case .cacheClear: CacheClearCommand()
    case .configShow: ConfigShowCommand()
    case .configCheck: ConfigCheckCommand()
    case .configPath: ConfigPathCommand()
    case .configInit: ConfigInitCommand()
    }
  }
}
