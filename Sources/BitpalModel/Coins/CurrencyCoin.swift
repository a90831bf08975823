/// A currency that is priced as a coin, by its id: `fx:eur` is the euro.
package enum CurrencyCoin {
  private static let mark = "fx:"

  /// The currency's code in capitals (`EUR`); nil for the id of anything else.
  package static func code(ofID id: String) -> String? {
    id.hasPrefix(mark) && id.utf8.count > mark.utf8.count ? id.dropFirst(mark.count).uppercased() : nil
  }
}
