public import BitpalModel

extension ProviderSpecification {
  /// CoinGecko as it is built in, so that the program works with no file anywhere.
  public static var builtInCoinGecko: ProviderSpecification {
    var specification = ProviderSpecification(id: "coingecko", name: "CoinGecko", kind: .coingecko(.public))
    specification.website = "https://www.coingecko.com"
    specification.attribution = "Data provided by CoinGecko"
    specification.keyEnvironment = "COINGECKO_API_KEY"
    return specification
  }
}
