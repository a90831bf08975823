import BitpalModel
import BitpalNetwork
import BitpalPlugins
import BitpalProviders
import BitpalTesting
import FoundationEssentials
import TestSupport
import Testing

@Suite struct `A plugin that is asked` {
  @Test func `gets the question, plans, and reads the answer to the digit`() async throws {
    let plugin = try ScriptedPlugin(
      parse: ScriptedPlugin.say(#"{"rows":[{"id":"bitcoin","price":"97000.123456789012345678","time":"1736937000"}]}"#))
    let transport = Answering(body: #"{"a":"\u00e9"}"#)
    let provider = try plugin.provider(transport: transport)
    let batch = try await provider.answer(to: .quotes(coins: ["bitcoin", "nope"], currency: "usd"))
    #expect(batch.values(Coin.self)["bitcoin"]?.currentPrice.plainText == "97000.123456789012345678")
    #expect(batch.values(Coin.self)["bitcoin"]?.lastUpdated == Date(milliseconds: 1_736_937_000_000))
    #expect(batch.failures["nope"] == .notFound(coin: "nope", provider: "moonbase"))
    #expect(transport.requests.all.map(\.url) == ["https://api.moonbase.example/p"])
    let now = #""now":"2025-01-15T10:30:00Z""#
    let question = #""ask":"quotes","coins":["bitcoin","nope"],"symbols":["bitcoin","nope"],"currency":"usd","#
    #expect(
      plugin.heard == [
        #"{"hello":{"bitpal":1}}"#, #"{"plan":{\#(question)\#(now)}}"#,
        #"{"parse":{\#(question)\#(now),"responses":[{"status":200,"headers":{"content-type":"text/plain"},"#
          + #""body":"{\"a\":\"\\u00e9\"}"}]}}"#,
      ])
  }

  @Test func `leaves out the coins that its source does not know`() async throws {
    let plugin = try ScriptedPlugin(parse: ScriptedPlugin.say(#"{"rows":[]}"#))
    #expect(await outcome(try plugin.provider(), ["a", "b"]) == "no coin \"a\" at moonbase no coin \"b\" at moonbase")
  }

  @Test func `is not asked in a currency that it does not name`() async throws {
    let plugin = try ScriptedPlugin(
      hello: ScriptedPlugin.say(ScriptedPlugin.hello.replacing("\"batch\"", with: "\"currencies\":[\"eur\"],\"batch\""))
    )
    #expect(await outcome(try plugin.provider()) == "moonbase does not answer in usd")
    #expect(plugin.heard.count == 1)
  }

  @Test func `is started once, and not before a question`() async throws {
    let plugin = try ScriptedPlugin()
    let memory = plugin.folder.path + "/memory"
    _ = try plugin.provider(plugin.host(memory: memory))
    #expect(plugin.starts == 1)
    let host = plugin.host(memory: memory)
    let provider = try plugin.provider(host)
    #expect(plugin.starts == 1)
    #expect(provider.descriptor.name == "Moonbase")
    for _ in 0..<3 { #expect(await outcome(provider) == "97000.1") }
    #expect(plugin.starts == 2)
  }

  @Test func `is started once where nothing can be remembered, too`() async throws {
    let plugin = try ScriptedPlugin()
    let host = plugin.host()
    let first = try plugin.provider(host)
    let second = try plugin.provider(host)
    #expect(await outcome(first) == "97000.1")
    #expect(await outcome(second) == "97000.1")
    #expect(plugin.starts == 1)
  }

  @Test func `is asked what it is when it has become another program`() throws {
    let plugin = try ScriptedPlugin()
    let memory = plugin.folder.path + "/memory"
    #expect(try plugin.provider(plugin.host(memory: memory)).descriptor.coinsPerRequest == 9)
    let before = try plugin.provider(plugin.host(memory: memory)).descriptor.cacheIdentity
    let other = ScriptedPlugin.hello.replacing("\"batch\":9", with: "\"batch\":12")
    let path = plugin.folder.path + "/plugin.sh"
    let script = try String(contentsOfFile: path, encoding: .utf8)
    try Data(script.replacing(ScriptedPlugin.hello, with: other).utf8).write(to: URL(filePath: path))
    let changed = try plugin.provider(plugin.host(memory: memory)).descriptor
    #expect(changed.coinsPerRequest == 12)
    #expect(changed.cacheIdentity != before)
  }

  @Test func `may plan several requests, and more when it has seen the answers`() async throws {
    let plan =
      #"{"requests":[{"url":"https://api.moonbase.example/1"},{"url":"https://api.moonbase.example/2","body":"q"}]}"#
    let parse = """
      if [ -e seen ]; then \(ScriptedPlugin.say(ScriptedPlugin.rows)); else touch seen; \
      \(ScriptedPlugin.say(#"{"next":[{"url":"https://api.moonbase.example/3"}]}"#)); fi
      """
    let plugin = try ScriptedPlugin(plan: ScriptedPlugin.say(plan), parse: parse)
    let transport = Answering()
    #expect(await outcome(try plugin.provider(transport: transport)) == "97000.1")
    #expect(transport.requests.all.map { String($0.url.suffix(2)) } == ["/1", "/2", "/3"])
    #expect(transport.requests.all.map(\.method) == ["GET", "POST", "GET"])
    #expect(transport.requests.all.map(\.page) == [1, 2, 3])
    #expect(
      plugin.heard.filter { $0.hasPrefix(#"{"parse""#) }.map { $0.split(separator: "\"status\"").count - 1 } == [2, 3])
  }

  @Test(arguments: [
    ("not_found", "no coin \"bitcoin\" at moonbase"), ("no_data", "moonbase has no data for quotes of bitcoin"),
    ("no_price", "moonbase has no price for bitcoin: words"), ("unauthorized", "moonbase refuses the key: words"),
    ("rate_limited", "moonbase allows no more requests now: words"),
    ("plan_limit", "moonbase's plan does not reach that far: words"),
    ("unsupported_currency", "moonbase does not answer in usd"),
    ("unreadable", "moonbase sent an answer that cannot be read: words"),
  ])
  func `may state why an answer is missing`(code: String, words: String) async throws {
    let plugin = try ScriptedPlugin(
      parse: ScriptedPlugin.say(#"{"error":{"code":"\#(code)","message":"words"}}"#))
    #expect(await outcome(try plugin.provider()) == words)
  }

  @Test func `is not asked to read that its source has had enough, or is broken`() async throws {
    let plugin = try ScriptedPlugin()
    let host = plugin.host()
    #expect(await outcome(try plugin.provider(host, transport: Answering(status: 429))).contains("no more requests"))
    #expect(
      await outcome(try plugin.provider(host, transport: Answering(status: 503, body: "down")))
        == "moonbase answered with HTTP 503: down")
    #expect(
      await outcome(try plugin.provider(host, transport: Answering(status: 404))) == "no coin \"bitcoin\" at moonbase")
    #expect(plugin.heard.allSatisfy { !$0.hasPrefix(#"{"parse""#) })
    let knowing = try ScriptedPlugin(
      hello: ScriptedPlugin.say(ScriptedPlugin.hello.replacing("\"batch\"", with: "\"reads\":[404],\"batch\"")))
    #expect(await outcome(try knowing.provider(transport: Answering(status: 404))) == "97000.1")
  }
}

@Suite struct `A plugin and the key` {
  private static let canary = Secret("canary-7f3a")
  private static var specification: ProviderSpecification {
    var specification = ScriptedPlugin.specification
    specification.keyHosts = ["api.moonbase.example"]
    return specification
  }

  @Test func `never meet: the host puts it where the plan says, for the hosts that may have it`() async throws {
    let plan = """
      {"requests":[{"url":"https://api.moonbase.example/p?k={key}&s={signature}","headers":{"Authorization":"Bearer {key}"},\
      "sign":{"text":"abc","encoding":"base64"}}]}
      """
    let plugin = try ScriptedPlugin(
      plan: "env > environment; tr '\\\\0' ' ' < /proc/$$/cmdline > words; " + ScriptedPlugin.say(plan))
    let transport = Answering()
    let provider = try plugin.provider(nil, Self.specification, key: Self.canary, transport: transport)
    #expect(await outcome(provider) == "97000.1")
    let request = try #require(transport.requests.all.first)
    // HMAC-SHA256 of abc with that key, by `openssl dgst -sha256 -hmac canary-7f3a -binary | base64`, percent-encoded.
    #expect(
      request.url == "https://api.moonbase.example/p?k=%7Bkey%7D&s=HZrYi3nTb5WgniE3ArsmIq8A13ij0xilbSNDdGc2U14%3D")
    #expect(request.secret == HTTPRequest.SecretHeader("Authorization", Self.canary, after: "Bearer "))
    #expect(request.queryKey == Self.canary)
    let files = try ["heard", "environment", "words"].map {
      try String(contentsOfFile: plugin.folder.path + "/" + $0, encoding: .utf8)
    }
    #expect(files.allSatisfy { !$0.contains("canary") })
    let names = files[1].split(separator: "\n").compactMap { $0.split(separator: "=").first }.map(String.init)
    // The shell's own are PWD and the like.
    #expect(
      Set(names).subtracting(["PATH", "HOME", "BITPAL_PLUGIN", "PWD", "OLDPWD", "SHLVL", "_"]).isEmpty, "\(names)")
  }

  @Test func `is not sent to a host that the provider's file does not list`() async throws {
    let plugin = try ScriptedPlugin(
      plan: ScriptedPlugin.say(#"{"requests":[{"url":"https://api.moonbase.example/?k={key}"}]}"#))
    let transport = Answering()
    let words = await outcome(try plugin.provider(key: Self.canary, transport: transport))
    #expect(words.contains("list that host under key_hosts"))
    #expect(transport.requests.all.isEmpty)
  }

  @Test func `goes into the header that hello names`() async throws {
    let hello = ScriptedPlugin.hello.replacing("\"batch\"", with: "\"key\":{\"header\":\"X-Key\"},\"batch\"")
    let plugin = try ScriptedPlugin(hello: ScriptedPlugin.say(hello))
    let transport = Answering()
    let provider = try plugin.provider(nil, Self.specification, key: Self.canary, transport: transport)
    #expect(await outcome(provider) == "97000.1")
    #expect(transport.requests.all.first?.secret == HTTPRequest.SecretHeader("X-Key", Self.canary))
  }
}
