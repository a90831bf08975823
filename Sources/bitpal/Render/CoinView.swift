import BitpalJSON
import BitpalModel
import BitpalProviders
import FoundationEssentials

/// The market details of a coin.
struct CoinView: View {
  private let detail: CoinDetail
  private let origin: Origin
  private let providers: [ProviderDescriptor]
  private let currency: String

  init(_ answer: Sourced<CoinDetail>, providers: [ProviderDescriptor], currency: String) {
    detail = answer.value
    origin = Origin(answer)
    self.providers = providers
    self.currency = currency
  }

  var columns: [String] {
    PriceRow.columns + ["market_cap", "total_volume", "circulating_supply", "image"]
  }

  var rows: [JSONObject] {
    let figures: JSONObject = [
      "market_cap": JSONValue(detail.marketCap), "total_volume": JSONValue(detail.totalVolume),
      "circulating_supply": JSONValue(detail.circulatingSupply), "image": JSONValue(detail.image),
    ]
    return [PriceRow.json(detail.coin, origin) + figures]
  }

  var json: JSONObject {
    rows.reduce([
      "schema": "bitpal.coin/1", "provider": JSONValue(providers.first?.id), "currency": .string(currency),
    ]) { $0 + $1 } + ["errors": []]
  }

  func table(style: Style) -> String {
    let coin = detail.coin
    let unit = " " + currency.uppercased()
    var table = TextTable([.init(""), .init("")])
    func add(_ label: String, _ cell: TextTable.Cell?) {
      if let cell { table.add([.init(label, .quiet), cell]) }
    }
    add("Id", .init(coin.id))
    add("Price", .init(NumberFormat.price(coin.currentPrice) + unit))
    add("24h change", coin.priceChange24h.map { PriceRow.changeCell($0) })
    add("Market cap", detail.marketCap.map { .init(NumberFormat.amount($0) + unit) })
    add("24h volume", detail.totalVolume.map { .init(NumberFormat.amount($0) + unit) })
    add(
      "Circulating supply",
      detail.circulatingSupply.map { .init(NumberFormat.quantity($0) + " " + coin.symbol.uppercased()) })
    add("Updated", coin.lastUpdated.map { .init($0.utcText) })
    add("Image", detail.image.map { .init($0) })
    let title = "\(coin.name.printable(limit: 80)) (\(coin.symbol.uppercased().printable(limit: 20)))"
    return style(title, .heading) + "\n" + Origin.line([origin], providers: providers, style: style) + "\n\n"
      + table.text(style: style)
  }
}
