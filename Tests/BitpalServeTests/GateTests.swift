import BitpalModel
import BitpalQueries
import BitpalServe
import TestSupport
import Testing

@Suite struct `Access to a server` {
  private func head(
    _ method: String = "GET", _ target: String = "/healthz", version: String = "HTTP/1.1", host: String? = "localhost",
    with others: [(String, String)] = []
  ) -> WebHead {
    let host = host.map { [WebHeader("Host", $0)] } ?? []
    return WebHead(
      method: method, version: version, target: target, headers: host + others.map { WebHeader($0.0, $0.1) })
  }

  @Test(arguments: ["localhost", "LOCALHOST:8642", "127.0.0.1", "127.8.9.1:1", "[::1]:8642", "[::1]", "market.test:80"])
  func `A name or an address of ours is let in`(host: String) {
    #expect(Gate(hosts: ["market.test"]).refusal(of: head(host: host)) == nil)
  }

  @Test(arguments: [
    "evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "10.0.0.1", "", ":80", "localhost:", "[::1",
    "localhost:99999", "localhost, evil.example", "127.0.0.1@evil.example", "[::1]x", "2130706433",
  ])
  func `A page of another site is refused, whatever address its name has`(host: String) {
    #expect(Gate().refusal(of: head(host: host))?.status == 421)
  }

  @Test func `A server that others may reach goes by any address, and by no other name`() {
    let gate = Gate(isOpen: true, token: AccessToken("secret"))
    #expect(gate.refusal(of: head(host: "10.0.0.1:8642")) == nil)
    #expect(gate.refusal(of: head(host: "[fe80::1]:8642")) == nil)
    #expect(gate.refusal(of: head(host: "evil.example"))?.status == 421)
  }

  @Test func `A host is named exactly once`() {
    #expect(Gate().refusal(of: head(host: nil))?.status == 421)
    #expect(Gate().refusal(of: head(with: [("host", "localhost")]))?.status == 421)
    #expect(Gate().refusal(of: head(version: "HTTP/1.0", host: nil)) == nil)
  }

  @Test(arguments: ["POST", "PUT", "DELETE", "TRACE", "CONNECT", "get", "BREW"])
  func `A method that asks for no answer is refused with those that do`(method: String) {
    let refusal = Gate().refusal(of: head(method))
    #expect(refusal?.status == 405)
    #expect(refusal?["Allow"] == "GET, HEAD, OPTIONS")
    #expect(refusal?["Connection"] == "close")
  }

  @Test(arguments: [
    [("Content-Length", "5")], [("Transfer-Encoding", "chunked")], [("transfer-encoding", "identity")],
    [("Content-Length", "0"), ("Content-Length", "0")], [("Content-Length", "0"), ("Transfer-Encoding", "chunked")],
    [("Content-Length", "+0")],
  ])
  func `A request with a possible body is refused, and the connection is closed`(headers: [(String, String)]) {
    let refusal = Gate().refusal(of: head(with: headers))
    #expect(refusal?.status == 413)
    #expect(refusal?["Connection"] == "close")
  }

  @Test func `A length of zero means an empty body`() {
    #expect(Gate().refusal(of: head(with: [("Content-Length", "0")])) == nil)
  }

  @Test func `Control characters and other versions are refused`() {
    #expect(Gate().refusal(of: head("GET", "/a\u{1}"))?.status == 400)
    #expect(Gate().refusal(of: head(with: [("X-A", "b\rc")]))?.status == 400)
    #expect(Gate().refusal(of: head(with: [("X-A", "tab\tis fine")])) == nil)
    #expect(Gate().refusal(of: head(version: "HTTP/2.0"))?.status == 505)
  }

  @Test func `Unread bytes of a request are noticed by their number`() {
    // "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
    func status(_ size: Int) -> Int? {
      Gate().refusal(
        of: WebHead(method: "GET", target: "/", headers: [WebHeader("Host", "localhost")], size: size))?.status
    }
    #expect(status(35) == nil)
    // "Host:localhost"
    #expect(status(34) == nil)
    #expect(status(33) == 400)
    #expect(status(36) == 400)
    #expect(Gate().refusal(of: head(with: [("Content-Length ", "0")]))?.status == 400)
  }

  @Test func `Only a form of our own page changes anything, and only what pages change`() async throws {
    let owner = OwnerProof()
    let gate = Gate(owner: owner)
    let cookie = try await self.cookie(owner, gate)
    let own = [cookie, ("Origin", "http://localhost"), ("Sec-Fetch-Site", "same-origin")]
    func status(_ headers: [(String, String)], _ other: Gate? = nil, host: String = "localhost") -> Int? {
      (other ?? gate).refusal(of: head("POST", "/watch/bitcoin?t=x", host: host, with: headers))?.status
    }
    #expect(status(own) == nil)
    #expect(status([cookie, own[1]]) == nil && status([cookie, own[2]]) == nil)
    // A program that is not a browser sends neither.
    #expect(status([cookie]) == 403)
    for other in [[("Origin", "http://evil.example")], [("Origin", "null")], [("Origin", "http://localhost:1")]] {
      #expect(status([cookie] + other) == 403)
    }
    #expect(status([cookie, own[1], ("Sec-Fetch-Site", "same-site")]) == 403)
    #expect(status([cookie, own[1], ("Sec-Fetch-Site", "cross-site")]) == 403)
    #expect(status([cookie, ("Sec-Fetch-Site", "none")]) == 403)
    #expect(status([cookie, own[1], ("Origin", "http://evil.example")]) == 403)
    #expect(status(own, host: "evil.example") == 421)
    #expect(status(own + [("Content-Length", "1")]) == 413)
    #expect(status(own + [("Content-Length", "0")]) == nil)
    #expect(gate.refusal(of: head("POST", "/watchlist", with: own))?.status == 405)
    #expect(gate.refusal(of: head("POST", "/v1/price?coins=btc", with: own))?.status == 405)
    #expect(gate.refusal(of: head("PUT", "/watch/bitcoin", with: own))?.status == 405)
    // An address of this machine proves nothing, nor does a cookie that came through a proxy.
    #expect(status(Array(own.dropFirst())) == 403)
    #expect(status([("Cookie", "bitpal_80=x")] + own.dropFirst()) == 403)
    for name in ["Forwarded", "X-Forwarded-For", "X-Forwarded-Proto", "X-Real-IP", "Via"] {
      #expect(status(own + [(name, "10.0.0.1")]) == 403, "\(name)")
    }
    // The cookie of one start, and of one port, is good for no other.
    #expect(status(own, Gate(owner: OwnerProof())) == 403)
    #expect(status([cookie, ("Origin", "http://localhost:81"), own[2]], host: "localhost:81") == 403)
    // A name that --host gives leads others here, unless they have the token.
    let named = [cookie, ("Origin", "https://prices.test")]
    #expect(status(named, Gate(hosts: ["prices.test"], owner: owner), host: "prices.test") == 403)
    #expect(status(named, Gate(hosts: ["prices.test"], token: AccessToken("secret")), host: "prices.test") == nil)
  }

  /// The cookie that the address with the owner's secret gives.
  private func cookie(_ owner: OwnerProof, _ gate: Gate) async throws -> (String, String) {
    let exchange = Exchange(WebSource([:]), gate: gate)
    let welcome = await exchange.get(owner.newCode().address(at: ""), [("Host", "localhost")])
    let cookie = try #require(welcome["Set-Cookie"])
    #expect(welcome.status == 303 && welcome["Location"] == "/" && welcome["Cache-Control"] == "no-store")
    #expect(cookie.hasSuffix("; Path=/; Max-Age=2592000; HttpOnly; SameSite=Strict"))
    return ("Cookie", "other=1; " + cookie.prefix { $0 != ";" })
  }

  @Test func `A code signs one browser in, at an address of this machine and without a proxy`() async throws {
    let owner = OwnerProof()
    let exchange = Exchange(WebSource([:]), gate: Gate(hosts: ["prices.test"], owner: owner))
    let first = owner.newCode()
    for headers in [
      [("Host", "prices.test")], [("Host", "localhost"), ("X-Forwarded-For", "10.0.0.1")], [("Host", "10.0.0.1")],
    ] {
      let response = await exchange.get(first.address(at: ""), headers)
      #expect(response.status == 403 && response["Set-Cookie"] == nil)
      let page = await exchange.get(first.address(at: ""), headers + [("Accept", "text/html")])
      #expect(page.text.contains("--token-file") && !page.text.contains("serve link"))
    }
    let local = [("Host", "127.0.0.1:8642")]
    // As it was typed from a screen.
    let cookie = try #require(
      await exchange.get("/?secret=\(first)+".uppercased().replacing("SECRET", with: "secret"), local)["Set-Cookie"])
    #expect(cookie.hasPrefix("bitpal_8642="))
    #expect(await exchange.get("/?secret=x", local)["Set-Cookie"] == nil)
    let used = await exchange.get(first.address(at: ""), local + [("Accept", "text/html")])
    #expect(used.status == 403 && used["Set-Cookie"] == nil)
    #expect(used.text.contains("good once, for ten minutes") && used.text.contains("<kbd>bitpal serve link</kbd>"))
    // A browser that is signed in and opens its old address again is not bothered.
    let again = await exchange.get(
      first.address(at: ""), local + [("Cookie", String(cookie.prefix { $0 != ";" }))])
    #expect(again.status == 303)
    #expect(await exchange.get(owner.newCode().address(at: ""), local)["Set-Cookie"] != nil)
  }

  @Test func `A code ends after ten minutes, and the cookie after thirty days`() async throws {
    let time = SteppedTime()
    let owner = OwnerProof(time: time)
    let exchange = Exchange(WebSource([:]), gate: Gate(owner: owner))
    let local = [("Host", "localhost")]
    let (late, good) = (owner.newCode(), owner.newCode())
    time.advance(.seconds(599))
    let cookie = try #require(await exchange.get(good.address(at: ""), local)["Set-Cookie"])
    time.advance(.seconds(1))
    #expect(await exchange.get(late.address(at: ""), local).status == 403)
    let head = head(with: [("Cookie", String(cookie.prefix { $0 != ";" }))])
    func isIn() -> Bool {
      Gate(owner: owner).refusal(
        of: WebHead(
          method: "POST", target: "/watch/bitcoin", headers: head.headers + [WebHeader("Origin", "http://localhost")]))
        == nil
    }
    time.advance(.seconds(30 * 86_400 - 2))
    #expect(isIn())
    time.advance(.seconds(1))
    #expect(!isIn())
  }

  @Test func `Refusals are pages in a browser, and say what to do`() {
    func page(_ response: WebResponse?) -> String {
      response?["Content-Type"] == "text/html; charset=utf-8" ? response?.text ?? "" : ""
    }
    let html = [("Accept", "text/html,*/*")]
    let name = Gate().refusal(of: head(host: "<b>prices.home", with: html))
    #expect(name?.status == 421 && page(name).contains("bitpal serve --host &lt;b&gt;prices.home"))
    #expect(name?["Connection"] == "close" && Gate().refusal(of: head(host: "prices.home"))?.text.first == "{")
    let token = Gate(token: AccessToken("open sesame")).refusal(to: head(with: html))
    #expect(token?.status == 401 && page(token).contains("the token as the password"))
    #expect(page(Gate(token: AccessToken("open sesame")).refusal(to: head())).isEmpty)
  }

  @Test(arguments: ["GET", "HEAD", "OPTIONS"])
  func `A page of another origin is refused, unless its origin is allowed`(method: String) {
    let foreign = [
      [("Sec-Fetch-Site", "cross-site")], [("Sec-Fetch-Site", "same-site")], [("Origin", "https://a.example")],
      [("Origin", "http://localhost:81")], [("Origin", "null")],
      [("Origin", "https://a.example"), ("Sec-Fetch-Site", "same-origin")],
      [("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Mode", "navigate"), ("Sec-Fetch-Dest", "iframe")],
    ]
    for headers in foreign {
      for target in ["/v1/price?coins=btc", "/", "/api/v3/ping", "/healthz"] {
        #expect(Gate().refusal(of: head(method, target, with: headers))?.status == 403, "\(headers)")
        #expect(Gate(origins: ["*"]).refusal(of: head(method, target, with: headers)) == nil)
      }
    }
    let allowed = [("Origin", "https://a.example"), ("Sec-Fetch-Site", "cross-site")]
    #expect(Gate(origins: ["https://a.example"]).refusal(of: head(method, with: allowed)) == nil)
    #expect(Gate(origins: ["https://b.example"]).refusal(of: head(method, with: allowed))?.status == 403)
    for own in [
      [], [("Sec-Fetch-Site", "none")], [("Sec-Fetch-Site", "same-origin")], [("Origin", "http://localhost")],
    ] {
      #expect(Gate().refusal(of: head(method, with: own)) == nil)
    }
  }

  @Test func `A person who follows a link of another site is shown one that leads on`() throws {
    let link = [
      ("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Mode", "navigate"), ("Sec-Fetch-Dest", "document"),
    ]
    let refusal = try #require(Gate().refusal(of: head("GET", "/coin/a%22%3Eb?range=1W&x=%3Cscript%3E", with: link)))
    let text = String(decoding: refusal.body, as: UTF8.self)
    #expect(
      refusal.status == 403 && text.contains("<a href=\"/coin/a%22%3Eb?range=1W&amp;x=%3Cscript%3E\">"), "\(text)")
    #expect(
      Gate().refusal(of: head("POST", "/watch/bitcoin", with: link))?["Content-Type"]?.hasPrefix("text/html") != true)
  }

  @Test func `A browser sends the token as a password with any user name`() {
    let gate = Gate(token: AccessToken("open:sesame"))
    func refusal(_ value: String, _ others: [(String, String)] = []) -> WebResponse? {
      gate.refusal(to: head(with: [("Authorization", value)] + others))
    }
    // me:open:sesame, :open:sesame, me:open sesame
    #expect(refusal("Basic bWU6b3BlbjpzZXNhbWU=") == nil)
    #expect(refusal("basic Om9wZW46c2VzYW1l") == nil)
    #expect(refusal("Basic bWU6b3BlbiBzZXNhbWU=")?.status == 401)
    #expect(refusal("Basic !")?.status == 401)
    #expect(refusal("Basic b3BlbjpzZXNhbWU=")?.status == 401)
    #expect(refusal("Basic x")?["WWW-Authenticate"]?.hasPrefix("Bearer ") == true)
    #expect(refusal("Basic x", [("Accept", "text/html")])?["WWW-Authenticate"]?.hasPrefix("Basic ") == true)
  }

  @Test func `With a token only who brings it is answered`() {
    let gate = Gate(token: AccessToken("open sesame"))
    func status(_ headers: [(String, String)]) -> Int? { gate.refusal(to: head(with: headers))?.status }
    #expect(status([("Authorization", "Bearer open sesame")]) == nil)
    #expect(status([("authorization", "bearer open sesame")]) == nil)
    // Programs for CoinGecko have a setting for its key alone.
    #expect(
      status([("x-cg-demo-api-key", "open sesame")]) == nil && status([("x-cg-pro-api-key", "open sesam")]) == 401)
    #expect(status([]) == 401)
    #expect(status([("Authorization", "Bearer open sesam")]) == 401)
    #expect(status([("Authorization", "Bearer open sesame!")]) == 401)
    #expect(status([("Authorization", "Basic open sesame")]) == 401)
    #expect(status([("Authorization", "Bearer x"), ("Authorization", "Bearer open sesame")]) == 401)
  }
}

@Suite struct `Parameters of a request` {
  private func request(_ target: String) -> WebRequest? { WebRequest(WebHead(method: "GET", target: target)) }

  @Test(arguments: [
    ("/", []), ("/v1/price", ["v1", "price"]), ("/v1/price/", ["v1", "price"]), ("/a%20b/%5Bold%5D", ["a b", "[old]"]),
    ("/a%2Fb", ["a/b"]), ("/a//b", ["a", "", "b"]), ("/b+c", ["b+c"]), ("/caf%C3%A9?x", ["café"]),
  ])
  func `A path is decoded by its segments`(target: String, path: [String]) {
    #expect(request(target)?.path == path)
  }

  @Test(arguments: [
    "", "x", "*", "http://localhost/", "/%", "/%4", "/%zz", "/%00", "/%0A", "/%ff", "/?a=%0d", "/?%80=1",
  ])
  func `An invalid or disguised path is refused`(target: String) {
    #expect(request(target) == nil)
  }

  @Test func `The last value of a repeated name counts, and an empty one is missing`() {
    let request = request("/p?ids=a%2Cb,c+d&x=1&x=2&empty=&flag&sparkline=True")
    #expect(request?.list("ids") == ["a", "b", "c d"])
    #expect(request?["x"] == "2")
    #expect(request?["empty"] == nil)
    #expect(request?["flag"] == nil)
    #expect(request?.isOn("sparkline") == true)
    #expect(request?.isOn("x") == false)
  }
}

@Suite struct `Addresses of a server` {
  @Test(arguments: [
    ("127.0.0.1:8642", "127.0.0.1:8642", true), ("localhost:0", "127.0.0.1:0", true), ("[::1]:80", "[::1]:80", true),
    ("0.0.0.0:8642", "0.0.0.0:8642", false), ("[::]:1", "[::]:1", false),
  ])
  func `An address is a number and a port`(text: String, address: String, isLoopback: Bool) throws {
    let read = try NetworkAddress(text)
    #expect(read.description == address)
    #expect(read.isLoopback == isLoopback)
  }

  @Test(arguments: [
    "", "8642", ":8642", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "example.com:80", "::1:80", "1:2:3",
  ])
  func `Anything else is refused with what would be right`(text: String) {
    #expect {
      _ = try NetworkAddress(text)
    } throws: { error in
      "\(error)".contains("write it like 127.0.0.1:8642")
    }
  }
}

@Suite struct `Accepted requests` {
  @Test func `An answer is tagged by its content, and a client that has it gets 304`() throws {
    let response = WebResponse("{}\n", as: .json).tagged
    let tag = try #require(response["ETag"])
    #expect(tag.hasPrefix("W/\""))
    for known in [tag, "\"other\", " + tag, "*", String(tag.dropFirst(2))] {
      let head = WebHead(method: "GET", target: "/", headers: [WebHeader("if-none-match", known)])
      let again = WebResponse("{}\n", as: .json).tagged.unlessKnown(to: head)
      #expect(again.status == 304 && again["ETag"] == tag)
      #expect(WebResponse("[]\n", as: .json).tagged.unlessKnown(to: head).status == (known == "*" ? 304 : 200))
    }
  }

  @Test func `A failure has no tag`() {
    let response = WebResponse("{}", as: .json, status: 404)
    #expect(response.tagged["ETag"] == nil)
  }
}
