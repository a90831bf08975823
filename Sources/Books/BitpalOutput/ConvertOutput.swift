package import Bitpal
import BitpalJSON
import BitpalModel
package import FoundationEssentials

/// The shape `bitpal.convert/1`: an amount and its equivalent in another coin or currency.
package struct ConvertOutput: FieldShape {
  package let conversion: ConvertedAmount

  package init(_ conversion: ConvertedAmount) {
    self.conversion = conversion
  }

  package static let shape = Shape<Self>(
    "bitpal.convert/1", "The conversion of an amount.",
    [Field("provider", .provider) { $0.provenance.source }] + facts + [
      Field("price", .price) { PriceRow.fields.object($0.price) }
    ])

  package static let rowFields = facts + PriceRow.fields.of(\.price)

  private static let facts: Fields<ConvertOutput> = [
    Field("amount", .decimal("The amount that is converted.")) { $0.conversion.amount },
    Field("from", .text("A coin's id, fx:usd for a currency.")) { $0.conversion.from },
    Field("to", .text("A currency, or a coin's id.")) { $0.conversion.to },
    Field("result", .decimal("The result.")) { $0.conversion.result },
    Field("date", .day("The day whose close counted; null for now.")) { $0.conversion.day?.dayText },
  ]

  package var columns: [String] { PriceRow.columns(Self.rowFields.keys) }
  package var rowSubjects: [ConvertOutput] { [self] }
  package var figure: Decimal? { conversion.result }

  /// The provenance of the price of one unit.
  package var provenance: Provenance { Provenance(conversion.price) }

  private var price: PriceRow { PriceRow(conversion.price) }
}
