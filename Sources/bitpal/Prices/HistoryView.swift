import BitpalModel
import BitpalOutput
import BitpalProviders

/// The daily closes of one coin.
struct HistoryView: View {
  let output: HistoryOutput
  let providers: [ProviderDescriptor]

  func table(style: Style) -> String {
    let currency = output.currency.uppercased()
    var table = TextTable([.init("DATE"), .init("CLOSE \(currency)", .right)])
    for close in output.closes { table.add([.init(close.dateText), .init(NumberFormat.price(close.price))]) }
    return style("\(output.coin.printable(limit: 80)) · daily closes, UTC · \(currency)", .heading) + "\n"
      + Provenance.line([output.provenance], providers: providers, style: style) + "\n\n" + table.text(style: style)
  }
}
