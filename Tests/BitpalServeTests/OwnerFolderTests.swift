import BitpalModel
import BitpalServe
import Foundation
import TestSupport
import Testing

@Suite struct `Files that servers share with their owner` {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func shared() throws(BitpalError) -> OwnerFolder { try OwnerFolder(folder.path + "/state/serve") }

  private func cookie(_ owner: OwnerProof, _ code: OwnerCode) async -> (String, String)? {
    let exchange = Exchange(WebSource([:]), gate: Gate(owner: owner))
    return await exchange.get(code.address(at: ""), [("Host", "localhost")])["Set-Cookie"].map {
      ("Cookie", String($0.prefix { $0 != ";" }))
    }
  }

  private func isIn(_ owner: OwnerProof, _ cookie: (String, String)) -> Bool {
    let headers = [("Host", "localhost"), ("Origin", "http://localhost"), cookie].map { WebHeader($0.0, $0.1) }
    return Gate(owner: owner).refusal(of: WebHead(method: "POST", target: "/watch/bitcoin", headers: headers)) == nil
  }

  @Test func `A code of another process signs in once, and the browser stays signed in over a restart`() async throws {
    let code = try shared().issue(at: SystemTime().now)
    let first = try OwnerProof(try shared())
    let cookie = try #require(await cookie(first, code))
    #expect(await self.cookie(first, code) == nil && isIn(first, cookie))
    let second = try OwnerProof(try shared())
    #expect(isIn(second, cookie))
    #expect(await self.cookie(second, code) == nil)
    // Without the key all browsers are signed out.
    try FileManager.default.removeItem(atPath: folder.path + "/state/serve/key")
    #expect(!isIn(try OwnerProof(try shared()), cookie))
  }

  @Test func `An old code is refused and removed`() async throws {
    let time = SteppedTime()
    let code = try shared().issue(at: time.now)
    let ahead = try shared().issue(at: time.now.adding(.seconds(3600)))
    time.advance(.seconds(600))
    let owner = try OwnerProof(try shared(), time: time)
    #expect(await cookie(owner, code) == nil)
    // It was made before the clock was set back.
    #expect(await cookie(owner, ahead) == nil)
    _ = try shared().issue(at: time.now)
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/state/serve")
    #expect(left.filter { $0.hasPrefix("code-") }.count == 1)
  }

  @Test func `Other users cannot read it, and a file that they could read is not trusted`() throws {
    let path = folder.path + "/state/serve"
    let key = try shared().key()
    func mode(_ path: String) throws -> Int? {
      try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }
    #expect(try mode(path) == 0o700 && mode(path + "/key") == 0o600)
    #expect(try shared().key() == key)
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path + "/key")
    #expect(try shared().key() != key)
    #expect(try mode(path + "/key") == 0o600)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    #expect {
      _ = try shared()
    } throws: { error in
      "\(error)".contains("others can read it; run: chmod 700")
    }
  }

  @Test func `A server that runs is listed`() throws {
    #expect(try shared().servers() == [])
    #expect(try shared().list("http://127.0.0.1:1") && shared().list("http://[::1]:2"))
    #expect(try shared().servers() == ["http://127.0.0.1:1", "http://[::1]:2"])
    // Left by a server that was killed: nothing has its lock.
    try Data("http://127.0.0.1:3".utf8).write(to: URL(fileURLWithPath: folder.path + "/state/serve/server-3"))
    #expect(try shared().servers().count == 2)
    #expect(!FileManager.default.fileExists(atPath: folder.path + "/state/serve/server-3"))
  }
}
