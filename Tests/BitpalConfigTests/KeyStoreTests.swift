import BitpalFiles
import BitpalModel
import BitpalProviders
import Foundation
import Glibc
import Testing

@testable import BitpalConfig

@Suite struct `Keys that are set` {
  private static func plan(
    _ workspace: Workspace, _ variables: [String: String], in directory: String = ""
  ) throws -> String? {
    try ProviderCatalog(settings: try workspace.load(variables, in: directory)).specification(for: "coingecko").kind
      .plan
  }

  @Test func `A key is used as that of the free plan unless the settings say that it is paid for`() throws {
    let workspace = try Workspace()
    #expect(try Self.plan(workspace, [:]) == "public")
    #expect(try Self.plan(workspace, ["COINGECKO_API_KEY": "CG-x"]) == "demo")
    #expect(try Self.plan(workspace, ["COINGECKO_API_KEY_FILE": "/nowhere"]) == "demo")
    try workspace.write("home/.config/bitpal/config.yaml", "bitpal: 1\nproviders: { coingecko: { tier: pro } }")
    #expect(try Self.plan(workspace, [:]) == "pro")
    #expect(try Self.plan(workspace, ["COINGECKO_API_KEY": "CG-x"]) == "pro")
  }

  @Test func `Settings that are not trusted have no key, so their plan is the one without`() throws {
    let workspace = try Workspace(["work/config.yaml": "bitpal: 1"])
    let variables = ["COINGECKO_API_KEY": "CG-x"]
    #expect(try Self.plan(workspace, variables, in: "work") == "public")
    try workspace.trust(in: "work")
    #expect(try Self.plan(workspace, variables, in: "work") == "demo")
  }

  @Test func `A key comes from the variable, else from the file that another variable names`() throws {
    let workspace = try Workspace(["key": "CG-file\n"])
    let file = workspace.path + "/key"
    chmod(file, 0o600)
    func key(_ variables: [String: String]) throws(BitpalError) -> String? {
      var specification = ProviderSpecification(id: "coingecko", name: "C", kind: CoinGeckoKind())
      specification.keyEnvironment = "K"
      let store = KeyStore(environment: Environment(variables: variables, currentDirectory: "/"))
      return try store.key(of: specification)?.reveal()
    }
    func refusal(of path: String) -> String {
      message { () throws(BitpalError) in try key(["K_FILE": path]) ?? "none" }
    }
    #expect(try key([:]) == nil)
    #expect(try key(["K": "CG-x", "K_FILE": file]) == "CG-x")
    #expect(try key(["K_FILE": file]) == "CG-file")
    chmod(file, 0o644)
    #expect(refusal(of: file) == "K_FILE: \(file): others can read this key; run: chmod 600 \(file)")
    #expect(refusal(of: "/none") == "K_FILE: /none: No such file or directory")
    #expect(refusal(of: workspace.path) == "K_FILE: \(workspace.path): is not a key file")
    try workspace.write("long", String(repeating: "x", count: 5000))
    #expect(refusal(of: workspace.path + "/long") == "K_FILE: \(workspace.path)/long: is not a key file")
  }

  @Test func `The password of a fleet's Redis comes from a variable, else from the file that another names`() throws {
    let workspace = try Workspace(["password": "from a file\n", "empty": "\n"])
    let file = workspace.path + "/password"
    chmod(file, 0o600)
    chmod(workspace.path + "/empty", 0o600)
    let name = "BITPAL_REDIS_PASSWORD_FILE"
    func password(_ variables: [String: String]) throws(BitpalError) -> String? {
      try Environment(variables: variables, currentDirectory: "/").fleetPassword()?.reveal()
    }
    func refusal(of path: String) -> String {
      message { () throws(BitpalError) in try password([name: path]) ?? "none" }
    }
    #expect(try password([:]) == nil)
    #expect(try password(["BITPAL_REDIS_PASSWORD": "p w", name: "/none"]) == "p w")
    #expect(try password([name: file]) == "from a file")
    chmod(file, 0o640)
    #expect(refusal(of: file) == "\(name): \(file): others can read this password; run: chmod 600 \(file)")
    #expect(refusal(of: workspace.path + "/empty") == "\(name): \(workspace.path)/empty: holds no password")
    #expect(refusal(of: "/none") == "\(name): /none: No such file or directory")
  }

  @Test func `A group may read a secret that root gives to another user, and no one else may`() throws {
    let workspace = try Workspace()
    try workspace.write("secret", "x")
    let path = workspace.path + "/secret"
    func isSecret(_ mode: mode_t, to user: uid_t) throws -> Bool {
      chmod(path, mode)
      return try FileStatus(path).isSecret(for: user)
    }
    let isOfRoot = try FileStatus(path).owner == 0
    #expect(try isSecret(0o600, to: 65_532) && isSecret(0o400, to: geteuid()))
    #expect(try isSecret(0o440, to: 65_532) == isOfRoot)
    for mode in [0o440, 0o640] { #expect(try !isSecret(mode_t(mode), to: geteuid())) }
    for mode in [0o460, 0o644, 0o604] { #expect(try !isSecret(mode_t(mode), to: 65_532)) }
  }
}
