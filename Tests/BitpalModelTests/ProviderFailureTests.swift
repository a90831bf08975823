import BitpalModel
import Testing

@Suite struct `When every provider of a list fails` {
  private let unknown = BitpalError.notFound(coin: "x", provider: "one")
  private let limited = BitpalError.rateLimited(provider: "two", wait: .seconds(43), reason: "its budget is used up")
  private let gone = BitpalError.network(host: "three.example", reason: "Connection refused")

  private func combined(_ errors: BitpalError...) -> BitpalError? {
    zip(["one", "two", "three"], errors).map { ProviderFailure(provider: $0, error: $1) }.combined
  }

  @Test func `The reason of each failure is shown, one per line, without the sources that lack the coin`() throws {
    let error = try #require(combined(unknown, limited, gone))
    #expect(
      error.description == """
        no provider has an answer:
          two allows no more requests now: its budget is used up (free again in 43s); --wait 43s waits \
        for it; -p asks another source
          cannot reach three.example: Connection refused; check the network; --offline answers from the cache, -p fixture from a recorded market
        """)
    #expect(!error.message.contains("\n"))
  }

  @Test func `One reason that counts stands alone, in every order`() throws {
    let currency = BitpalError.unsupportedCurrency("jpy", provider: "three", supported: ["usd"])
    for (failures, told) in [
      ([unknown, limited], limited), ([limited, unknown], limited), ([unknown, currency], currency),
      ([currency, gone], gone), ([unknown], unknown),
    ] {
      let error = try #require(zip(["one", "two"], failures).map { ProviderFailure(provider: $0, error: $1) }.combined)
      #expect(error.description == told.description && error.messageOverHTTP == told.messageOverHTTP)
      #expect(error.hint == told.hint)
    }
    // What one source says of a coin and of its list belongs together.
    let both = [unknown, .unreadable(provider: "one", reason: "empty")].map {
      ProviderFailure(provider: "one", error: $0)
    }
    #expect(both.decisiveOnes == both)
  }

  @Test func `A limit or a failure outranks a missing price, that a short reach, and that an unknown coin`() throws {
    let beyond = BitpalError.planLimit(provider: "two", reason: "a year")
    let priceless = BitpalError.noPrice(coin: "x", provider: "three")
    #expect(combined(unknown, beyond)?.code == .planLimit)
    #expect(combined(unknown, beyond, priceless)?.code == .noPrice)
    #expect(combined(priceless, limited)?.code == .rateLimited)
    #expect(combined(unknown, limited, gone)?.code == .rateLimited)
    #expect(combined(unknown, gone)?.code == .network)
    #expect(
      combined(.unsupportedCurrency("jpy", provider: "one", supported: []), unknown)?.code == .unsupportedCurrency)
  }

  @Test func `One failure is enough for an old answer to stand in`() throws {
    let error = try #require(combined(unknown, limited))
    #expect(error.has(.staleIfError) && error.isOfSource)
    #expect(!error.has(.isLasting) && combined(unknown, unknown)?.has(.isLasting) == true)
  }

  @Test func `A name is in doubt only when no source was limited, down or unable to reach`() {
    let others: [BitpalError] = [
      limited, gone, .planLimit(provider: "two", reason: ""), .noData(question: "", provider: ""),
    ]
    for other in others {
      #expect(combined(unknown, other)?.has(.mayBeTicker) == false)
      #expect(combined(other, unknown)?.has(.mayBeTicker) == false)
    }
    #expect(combined(unknown, .unsupported(.line, provider: "two", others: []))?.has(.mayBeTicker) == true)
  }

  @Test func `One failure is unchanged, and a coin that all sources deny is one sentence`() {
    #expect(combined() == nil && combined(limited) == limited)
    #expect(
      combined(unknown, .notFound(coin: "x", provider: "two"))
        == .notFound(coin: "x", provider: "one or two"))
  }
}
