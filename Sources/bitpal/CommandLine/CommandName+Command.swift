import BitpalModel
import BitpalOutput
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
    case .search: try SearchCommand(arguments)
    case .watchlistList: WatchlistListCommand(arguments)
    case .watchlistAdd: WatchlistAddCommand(arguments)
    case .watchlistRemove: WatchlistRemoveCommand(arguments)
    case .watchlistMove: try WatchlistMoveCommand(arguments)
    case .watch: try WatchCommand(arguments)
    case .status: try StatusCommand(arguments)
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
    case .record: try RecordingCommand(arguments)
    case .providersList: ProvidersListCommand()
    case .providersShow: try ProvidersShowCommand(arguments)
    case .providersCheck: try ProvidersCheckCommand(arguments)
    case .providersNew: try ProvidersNewCommand(arguments)
    case .cacheStats: CacheStatsCommand()
    case .cacheClear: CacheClearCommand(arguments)
    case .configShow: ConfigShowCommand()
    case .configCheck: ConfigCheckCommand()
    case .configPath: ConfigPathCommand()
    case .configInit: ConfigInitCommand()
    case .configAlias: try ConfigAliasCommand(arguments)
    case .trustAdd: TrustAddCommand(arguments)
    case .trustList: TrustListCommand()
    case .trustRemove: TrustRemoveCommand(arguments)
    case .doctor: DoctorCommand()
    case .completion: try CompletionCommand(arguments)
    case .generate: try GenerateCommand(arguments)
    }
  }
}
