import BitpalConfig
import BitpalModel
import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import BitpalService

@Suite struct `Keys` {
  private func specification(_ base: String?, keyHosts: [String] = []) -> ProviderSpecification {
    var specification = ProviderSpecification(id: "coingecko", name: "C", kind: .coingecko(.public))
    specification.baseURL = base
    specification.keyHosts = keyHosts
    specification.keyEnvironment = "K"
    return specification
  }

  @Test(
    arguments: [
      (nil, [], true), ("https://api.coingecko.com/api/v3", [], true), ("https://PRO-api.coingecko.com", [], true),
      ("http://127.0.0.1:8080/x", [], true), ("http://localhost:1", [], true), ("http://[::1]:1", [], true),
      ("https://evil.example", [], false), ("https://api.coingecko.com.evil.example", [], false),
      ("https://127.0.0.1.evil.example", [], false), ("https://api.coingecko.com@evil.example/", [], false),
      ("https://mine.example", ["Mine.example"], true), ("nonsense", [], false),
    ] as [(String?, [String], Bool)])
  func `A key goes to its service, to this machine, and to hosts the user names`(
    base: String?, keyHosts: [String], isAllowed: Bool
  ) {
    #expect(KeyHosts.mayHaveKey(specification(base, keyHosts: keyHosts)) == isAllowed)
  }

  @Test func `CoinGecko's hosts get CoinGecko's key, and no other's`() {
    var other = ProviderSpecification(id: "aws", name: "A", kind: .declared(DeclaredAPI()))
    other.baseURL = "https://api.coingecko.com/api/v3"
    other.keyEnvironment = "AWS_SECRET_ACCESS_KEY"
    #expect(!KeyHosts.mayHaveKey(other))
    other.keyHosts = ["api.coingecko.com"]
    #expect(KeyHosts.mayHaveKey(other))
  }

  @Test func `A key comes from the variable, else from the file that another variable names`() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("CG-file\n", to: "key")
    chmod(file, 0o600)
    func key(_ variables: [String: String]) throws -> String? {
      let store = KeyStore(environment: Environment(variables: variables, currentDirectory: "/"))
      return try store.key(of: specification(nil))?.reveal()
    }
    #expect(try key([:]) == nil)
    #expect(try key(["K": "CG-x", "K_FILE": file]) == "CG-x")
    #expect(try key(["K_FILE": file]) == "CG-file")
    chmod(file, 0o644)
    let open = ConfigurationIssue(file: "K_FILE", message: "\(file): others can read this key; run: chmod 600 \(file)")
    #expect(throws: BitpalError.configuration([open])) { try key(["K_FILE": file]) }
    let none = ConfigurationIssue(file: "K_FILE", message: "/none: No such file or directory")
    #expect(throws: BitpalError.configuration([none])) { try key(["K_FILE": "/none"]) }
  }
}
