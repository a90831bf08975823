package import FoundationEssentials

/// A unit in which exchanges price shares and futures, and which is a part of a currency: pence, cents, agorot.
package struct MinorUnit: Hashable, Sendable {
  /// The currency, in lower case.
  package let currency: String

  /// The worth of one unit in the currency.
  package let factor: Decimal

  /// Creates the unit of a code; nil for a code of anything else.
  ///
  /// `GBp` and `ZAc` are known by their small letter, because `GBP` is the currency itself; the others may be in small
  /// letters throughout, as files of prices keep codes.
  package init?(_ code: String) {
    guard let unit = Self.units[code == code.lowercased() ? code.uppercased() : code] else { return nil }
    (currency, factor) = unit
  }

  /// London's shares are in pence (GBX), Johannesburg's in cents (ZAC), Tel Aviv's in agorot (ILA), Kuwait's in fils
  /// (KWF), and grain at Chicago in cents (USX), by the codes of the exchanges and of Yahoo Finance.
  private static let units: [String: (String, Decimal)] = {
    let hundredth = Decimal(sign: .plus, exponent: -2, significand: 1)
    let thousandth = Decimal(sign: .plus, exponent: -3, significand: 1)
    return [
      "GBp": ("gbp", hundredth), "GBX": ("gbp", hundredth), "ZAc": ("zar", hundredth), "ZAC": ("zar", hundredth),
      "ILA": ("ils", hundredth), "USX": ("usd", hundredth), "USd": ("usd", hundredth), "KWF": ("kwd", thousandth),
    ]
  }()
}
