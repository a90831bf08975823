import BitpalModel

/// The sources of a commodity's prices in one currency, from the metadata `price` of a Beancount journal.
///
/// Written after the documentation of Beancount's price tool: in `"USD:google/TSE:XUS CAD:yahoo/^XUS"` spaces separate
/// currencies, commas the sources of one that are tried in turn, and `^` before a symbol asks for one divided by its price.
/// A source may be written with its module: `beanprice.sources.yahoo`.
package struct PriceMetadata: Hashable, Sendable {
  /// A source with its own name for the commodity.
  package struct Source: Hashable, Sendable {
    /// The id of the provider.
    package let provider: String

    /// The source's name of the commodity.
    package let symbol: String

    /// Whether the price is one divided by that of the symbol.
    package let isInverse: Bool
  }

  /// The currency as the journal writes it.
  package let currency: String

  /// The sources, at least one, in the order in which they are tried.
  package let sources: [Source]

  /// Reads the metadata of a commodity; parts that name no currency or no source are left out.
  package static func all(_ text: String) -> [PriceMetadata] {
    text.split(whereSeparator: { $0 == " " || $0 == ";" }).compactMap { part in
      guard let mark = part.firstIndex(of: ":"), mark > part.startIndex else { return nil }
      let sources = part[part.index(after: mark)...].split(separator: ",").compactMap(source)
      return sources.isEmpty ? nil : PriceMetadata(currency: String(part[..<mark]), sources: sources)
    }
  }

  private static func source(_ text: Substring) -> Source? {
    guard let slash = text.firstIndex(of: "/"), let module = text[..<slash].split(separator: ".").last else {
      return nil
    }
    let symbol = text[text.index(after: slash)...]
    let isInverse = symbol.first == "^"
    let name = String(isInverse ? symbol.dropFirst() : symbol)
    // The tool's names of sources that have another name here.
    let provider = ["ecbrates": "ecb", "ecbratesapi": "ecb"][String(module)] ?? String(module).lowercased()
    return name.isEmpty ? nil : Source(provider: provider, symbol: name, isInverse: isInverse)
  }
}
