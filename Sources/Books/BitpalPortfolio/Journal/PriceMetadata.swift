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

  /// Reads the metadata of a commodity.
  ///
  /// - Returns: The sources, none for an empty text, which says that there is nothing to ask; and whether a part names no currency
  ///   or no source.
  package static func all(_ text: String) -> (all: [PriceMetadata], isOdd: Bool) {
    var isOdd = false
    let all = text.split(whereSeparator: { $0 == " " || $0 == ";" }).compactMap { part -> PriceMetadata? in
      let mark = part.firstIndex(of: ":") ?? part.startIndex
      let names = mark > part.startIndex ? part[part.index(after: mark)...].split(separator: ",") : []
      let sources = names.compactMap(source)
      isOdd = isOdd || sources.isEmpty || sources.count < names.count
      return sources.isEmpty ? nil : PriceMetadata(currency: String(part[..<mark]), sources: sources)
    }
    return (all, isOdd)
  }

  private static func source(_ text: Substring) -> Source? {
    guard let slash = text.firstIndex(of: "/"), let module = text[..<slash].split(separator: ".").last else {
      return nil
    }
    let symbol = text[text.index(after: slash)...]
    let isInverse = symbol.first == "^"
    // Characters that are not allowed there are written by their code: `_5eGSPC`.
    let name = String(isInverse ? symbol.dropFirst() : symbol).replacing(/_([0-9a-f]{2})/) { code in
      UInt8(code.1, radix: 16).flatMap { (0x21...0x7E).contains($0) ? String(Character(Unicode.Scalar($0))) : nil }
        ?? String(code.0)
    }
    // The tool's names of sources that have another name here.
    let provider = ["ecbrates": "ecb", "ecbratesapi": "ecb"][String(module)] ?? String(module).lowercased()
    return name.isEmpty ? nil : Source(provider: provider, symbol: name, isInverse: isInverse)
  }
}
