package import FoundationEssentials

/// A unit in which exchanges price shares and futures, and which is a part of a currency: pence, cents, agorot.
package struct MinorUnit: Hashable, Sendable {
  /// The currency, in lower case.
  package let currency: String

  /// The worth of one unit in the currency.
  package let factor: Decimal

  /// Creates the unit of a code; nil for a code of anything else.
  ///
  /// `GBp` and `ZAc` are known by their small letter, because `GBP` is the currency itself.
  package init?(_ code: String) {
    guard let unit = Self.units[code] else { return nil }
    (currency, factor) = unit
  }

  /// London's shares are in pence (GBX), Johannesburg's in cents (ZAC), Tel Aviv's in agorot (ILA), Kuwait's in fils
  /// (KWF), and grain at Chicago in cents (USX), by the codes of the exchanges and of Yahoo Finance.
  private static let units: [String: (String, Decimal)] = {
    let hundredth = Decimal(sign: .plus, exponent: -2, significand: 1)
    let thousandth = Decimal(sign: .plus, exponent: -3, significand: 1)
    let codes: [(String, String, Decimal)] = [
      ("GBp", "gbp", hundredth), ("GBX", "gbp", hundredth), ("gbx", "gbp", hundredth), ("ZAc", "zar", hundredth),
      ("ZAC", "zar", hundredth), ("zac", "zar", hundredth), ("ILA", "ils", hundredth), ("ila", "ils", hundredth),
      ("USX", "usd", hundredth), ("usx", "usd", hundredth), ("USd", "usd", hundredth), ("KWF", "kwd", thousandth),
      ("kwf", "kwd", thousandth),
    ]
    return Dictionary(uniqueKeysWithValues: codes.map { ($0.0, ($0.1, $0.2)) })
  }()
}
