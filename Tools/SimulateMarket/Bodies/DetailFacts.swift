/// The facts in the detail of a coin apart from its market.
struct DetailFacts {
  let id: String
  var genesis: String?
  var hashing: String?
  var blockMinutes = 0
  var platform: String?
  let categories: [String]
  let homepage: String
  let handle: String
  let repository: String
  let about: String

  static let all: [DetailFacts] = [
    DetailFacts(
      id: "bitcoin", genesis: "2009-01-03", hashing: "SHA-256", blockMinutes: 10,
      categories: ["Layer 1 (L1)", "Proof of Work (PoW)"], homepage: "https://bitcoin.org", handle: "bitcoin",
      repository: "https://github.com/bitcoin/bitcoin",
      about: "Bitcoin is electronic money without an issuer: its coins are found by proof of work, 21 million in all."),
    DetailFacts(
      id: "ethereum", genesis: "2015-07-30", categories: ["Layer 1 (L1)", "Smart Contract Platform"],
      homepage: "https://ethereum.org", handle: "ethereum", repository: "https://github.com/ethereum/go-ethereum",
      about: "Ethereum is a chain on which programs run; its coin, ether, pays for running them."),
    DetailFacts(
      id: "solana", categories: ["Layer 1 (L1)", "Smart Contract Platform"], homepage: "https://solana.com",
      handle: "solana", repository: "https://github.com/solana-labs/solana",
      about: "Solana is a chain built for many cheap transactions a second."),
    DetailFacts(
      id: "dogecoin", genesis: "2013-12-08", hashing: "Scrypt", blockMinutes: 1,
      categories: ["Meme", "Proof of Work (PoW)"],
      homepage: "https://dogecoin.com", handle: "dogecoin", repository: "https://github.com/dogecoin/dogecoin",
      about: "Dogecoin began as a joke about a dog & stayed; a block of it is found every minute."),
    DetailFacts(
      id: "shiba-inu", platform: "ethereum", categories: ["Meme", "Ethereum Ecosystem"],
      homepage: "https://shibatoken.com",
      handle: "Shibtoken", repository: "",
      about: "Shiba Inu is a token on Ethereum that took its name from the same dog."),
  ]

  /// A paragraph that says what this is, in the source's manner: carriage returns and a link.
  var description: String {
    about + "\r\n\r\nThis answer belongs to a <a href=\"\(homepage)\">simulated</a> market: no figure in it is real."
  }

  /// The address of the token, which cannot be mistaken for a real one.
  var address: String { platform == nil ? "" : "0x5151515151515151515151515151515151515151" }
}
