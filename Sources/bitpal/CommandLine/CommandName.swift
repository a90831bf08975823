/// A command, by the words that call it.
enum CommandName: String, CaseIterable, Sendable {
  case price
  case chart
  case coin
  case history
  case search
  case watchlistList = "watchlist list"
  case watchlistAdd = "watchlist add"
  case watchlistRemove = "watchlist remove"
  case watchlistMove = "watchlist move"
  case watch
  case status
  case buy
  case sell
  case portfolioSummary = "portfolio summary"
  case portfolioHoldings = "portfolio holdings"
  case portfolioClosed = "portfolio closed"
  case portfolioTransactions = "portfolio transactions"
  case portfolioAdd = "portfolio add"
  case portfolioEdit = "portfolio edit"
  case portfolioRemove = "portfolio remove"
  case portfolioImport = "portfolio import"
  case portfolioExport = "portfolio export"
  case portfolioBackup = "portfolio backup"
  case portfolioRestore = "portfolio restore"
  case widgetShow = "widget show"
  case widgetWrite = "widget write"
  case record
  case providersList = "providers list"
  case providersShow = "providers show"
  case providersCheck = "providers check"
  case providersNew = "providers new"
  case cacheStats = "cache stats"
  case cacheClear = "cache clear"
  case configShow = "config show"
  case configCheck = "config check"
  case configPath = "config path"
  case configInit = "config init"
  case configAlias = "config alias"
  case trustAdd = "trust add"
  case trustList = "trust list"
  case trustRemove = "trust remove"
  case doctor
  case completion
  case generate

  /// The words: one, or the group's and the command's.
  var words: [String] { rawValue.split(separator: " ").map(String.init) }
}
