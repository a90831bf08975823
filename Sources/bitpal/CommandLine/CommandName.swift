/// A command, by the words that call it.
enum CommandName: String, CaseIterable, Sendable {
  case price
  case chart
  case coin
  case history
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
  case providersList = "providers list"
  case providersShow = "providers show"
  case providersCheck = "providers check"
  case cacheStats = "cache stats"
  case cacheClear = "cache clear"
  case configShow = "config show"
  case configCheck = "config check"
  case configPath = "config path"
  case configInit = "config init"

  /// The words: one, or the group's and the command's.
  var words: [String] { rawValue.split(separator: " ").map(String.init) }
}
