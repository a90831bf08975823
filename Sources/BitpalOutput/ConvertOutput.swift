package import BitpalJSON
import BitpalModel
package import BitpalService
import FoundationEssentials

/// The shape `bitpal.convert/1`: an amount and its equivalent in another coin or currency.
package struct ConvertOutput: OutputShape {
  package let conversion: ConvertedAmount

  package init(_ conversion: ConvertedAmount) {
    self.conversion = conversion
  }

  package let schema = OutputSchema.convert

  package var columns: [String] { ["amount", "from", "to", "result", "date"] + PricesOutput.priceColumns }

  package var rows: [JSONObject] { [facts + price] }

  package var members: JSONObject {
    ["provider": .string(provenance.source)] + facts + ["price": .object(price)]
  }

  /// The provenance of the price of one unit.
  package var provenance: Provenance { Provenance(conversion.price) }

  private var facts: JSONObject {
    [
      "amount": JSONValue(conversion.amount), "from": .string(conversion.from), "to": .string(conversion.to),
      "result": JSONValue(conversion.result), "date": JSONValue(conversion.day?.dayText),
    ]
  }

  private var price: JSONObject { PricesOutput.row(conversion.price.value, provenance) }
}

extension OutputSchema {
  static let convert = OutputSchema(
    "bitpal.convert/1", "The conversion of an amount.",
    [
      "provider": .provider, "amount": .decimal("The amount that is converted."),
      "from": .text("A coin's id, fx:usd for a currency."), "to": .text("A currency, or a coin's id."),
      "result": .decimal("The result."), "date": .day("The day whose close counted; null for now.").orNull,
      "price": .price,
    ])
}
