// What the article "Write a provider in Swift" shows of sources on the web.

import BitpalModel
import BitpalNetwork
import BitpalProviders

/// The same list, fetched again for every question.
struct OnlinePriceList: PriceProvider {
  let url: String
  let transport: any Transport

  let descriptor = ProviderDescriptor(
    id: "price-list", name: "Price list", kind: "list", capabilities: [.quotes], currencies: ["usd"],
    cacheIdentity: "price-list")

  func answer(to query: ProviderQuery) async throws -> ProviderAnswer {
    guard case .quotes(let ids, _) = query else { throw unsupported(query) }
    guard !ids.isEmpty else { return ProviderAnswer(quotes: [:]) }
    let response = try await transport.send(HTTPRequest(url: url))
    switch response.status {
    case 200:
      return try await PriceList(String(decoding: response.body, as: UTF8.self)).answer(to: query)
    case 429:
      throw BitpalError.rateLimited(provider: descriptor.id, wait: nil, reason: "too many requests")
    default:
      throw BitpalError.refused(provider: descriptor.id, status: response.status, reason: "no list")
    }
  }
}
