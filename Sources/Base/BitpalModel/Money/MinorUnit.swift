package import FoundationEssentials

/// A minor unit in which exchanges price shares and futures: pence, cents, agorot.
package struct MinorUnit: Hashable, Sendable {
  /// The currency, in lower case.
  package let currency: String

  /// The value of one unit in the currency.
  package let factor: Decimal

  /// Creates the unit of a code; nil for any other code.
  ///
  /// `GBp` and `ZAc` are recognized by their lower-case letter, because `GBP` is the currency itself; the others may be
  /// in lower case throughout, as files of prices write codes.
  package init?(_ code: String) {
    guard let unit = Self.units[code == code.lowercased() ? code.uppercased() : code] else { return nil }
    (currency, factor) = unit
  }

  /// Returns the reason why amounts cannot be in a code that is a minor unit; nil for any other code.
  package static func problem(of code: String) -> String? {
    MinorUnit(code).map {
      "\(code.printable(limit: 20)) is \($0.factor.plainText) \($0.currency); write the amount in \($0.currency)"
    }
  }

  /// Returns the reason why a name such as `GBp`, `fx:GBp` or `btc/ZAc` names no currency; nil for a name whose code is in
  /// capitals or small letters throughout, which may be a coin's.
  package static func problem(in name: String) -> String? {
    // Most names are in one case throughout, which costs little to see.
    guard name != name.uppercased(), name != name.lowercased(),
      let code = name.split(whereSeparator: { !$0.isLetter }).last.map(String.init),
      code != code.lowercased(), code != code.uppercased()
    else { return nil }
    return problem(of: code)
  }

  /// The units: pence in London (GBX), cents in Johannesburg (ZAC), agorot in Tel Aviv (ILA), fils in Kuwait (KWF), and
  /// cents for grain at Chicago (USX), by the codes of the exchanges and of Yahoo Finance.
  private static let units: [String: (String, Decimal)] = {
    let hundredth = Decimal(sign: .plus, exponent: -2, significand: 1)
    let thousandth = Decimal(sign: .plus, exponent: -3, significand: 1)
    return [
      "GBp": ("gbp", hundredth), "GBX": ("gbp", hundredth), "ZAc": ("zar", hundredth), "ZAC": ("zar", hundredth),
      "ILA": ("ils", hundredth), "USX": ("usd", hundredth), "USd": ("usd", hundredth), "KWF": ("kwd", thousandth),
    ]
  }()
}
