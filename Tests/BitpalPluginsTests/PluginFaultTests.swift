import BitpalModel
import BitpalPlugins
import BitpalProviders
import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// What a plugin does that it must not, and what is said of it.
struct Misdeed: Sendable, CustomTestStringConvertible {
  let testDescription: String
  var hello = ScriptedPlugin.say(ScriptedPlugin.hello)
  var plan = ScriptedPlugin.say(ScriptedPlugin.plan)
  var parse = ScriptedPlugin.say(ScriptedPlugin.rows)
  var start = ""
  let words: String

  /// Short where it is waited for, and long where a busy machine must not look like a plugin that hangs.
  var limits: PluginLimits {
    words.contains("within 0.5s") ? .short(words.contains("hello") ? \.hello : \.call) : .long
  }

  init(
    _ description: String, hello: String? = nil, plan: String? = nil, parse: String? = nil, start: String = "",
    _ words: String
  ) {
    testDescription = description
    if let hello { self.hello = hello }
    if let plan { self.plan = plan }
    if let parse { self.parse = parse }
    self.start = start
    self.words = words
  }

  private static func plan(_ request: String) -> String { ScriptedPlugin.say(#"{"requests":[\#(request)]}"#) }
  private static func rows(_ rows: String) -> String { ScriptedPlugin.say(#"{"rows":\#(rows)}"#) }
  private static func hello(_ text: String) -> String { ScriptedPlugin.say(text) }

  /// At hello, which is said when the provider is made.
  static let ofHello = [
    Misdeed("ends at once", hello: "exit 3", "ended instead of answering (exit status 3)"),
    Misdeed(
      "ends with a message", hello: "echo no module >&2; exit 1",
      "ended instead of answering (exit status 1): no module"),
    Misdeed("is killed", hello: "kill -9 $$", "ended instead of answering (killed by signal 9)"),
    Misdeed("says nothing", hello: "sleep 3000", "did not answer hello within 0.5s"),
    Misdeed("is no JSON", hello: hello("ready"), "answered hello with a line that is not a JSON object: ready"),
    Misdeed("is an array", hello: hello("[1]"), "answered hello with a line that is not a JSON object: [1]"),
    Misdeed("says something before it is asked", hello: "sleep 3000", start: hello("hi"), ": hi"),
    Misdeed(
      "speaks another version", hello: hello(#"{"bitpal":2}"#),
      #"uses version 2 of the protocol, not 1: hello needs {"bitpal": 1, …}"#),
    Misdeed(
      "answers what there is not", hello: hello(#"{"bitpal":1,"answers":["prices"]}"#),
      "says that it answers prices; there are quotes, coin_list, detail, line, candles"),
    Misdeed(
      "has candles of no width", hello: hello(#"{"bitpal":1,"answers":["candles"]}"#),
      "answers candles but lists no intervals in hello"),
    Misdeed(
      "has a budget that is none",
      hello: hello(#"{"bitpal":1,"answers":["quotes"],"rate_limit":"fast"}"#),
      "names the budget fast; one is written 60/1m"),
  ]

  /// Later, when a price is asked for.
  static let ofQuestions = [
    Misdeed("crashes", plan: "exit 9", "ended instead of answering (exit status 9)"),
    Misdeed("hangs", plan: "sleep 3000", "did not answer plan within 0.5s"),
    Misdeed("hangs in the middle of a line", plan: "printf '{'; sleep 3000", "did not answer plan within 0.5s"),
    Misdeed(
      "floods its output with one line", parse: "head -c 3000000 /dev/zero | tr '\\0' x",
      "wrote a line of more than 1 MiB"),
    Misdeed(
      "floods its output with lines", plan: "yes | head -c 3000000; sleep 3000",
      ": y"),
    Misdeed(
      "answers with what is no message", parse: "echo done",
      "answered parse with a line that is not a JSON object: done"),
    Misdeed("closes its output", plan: "exec 1>&-; sleep 3000", "closed its standard output instead of answering"),
    Misdeed("plans nothing", plan: plan(""), "plans no request"),
    Misdeed(
      "plans a hundred requests",
      plan: plan(
        String(
          repeating: #"{"url":"https://api.moonbase.example/"},"#, count: 99) + #"{"url":"https://a.example/"}"#),
      "plans 100 requests; 20 can be sent for a question"),
    Misdeed(
      "asks a host that it did not name", plan: plan(#"{"url":"https://evil.example/p"}"#),
      "plans a request to evil.example, a host that its provider file does not name under hosts"),
    Misdeed(
      "asks a host in a user name", plan: plan(#"{"url":"https://api.moonbase.example@evil.example/"}"#),
      "which is none, or not percent-encoded"),
    Misdeed(
      "asks without TLS", plan: plan(#"{"url":"http://api.moonbase.example/p"}"#),
      "plans http://api.moonbase.example/p, which is not https"),
    Misdeed("asks for a file", plan: plan(#"{"url":"file:///etc/passwd"}"#), "which is none, or not percent-encoded"),
    Misdeed(
      "wants to change something", plan: plan(#"{"url":"https://api.moonbase.example/","method":"DELETE"}"#),
      "plans a DELETE; only GET and POST are sent"),
    Misdeed(
      "sets a header of the transport's",
      plan: plan(#"{"url":"https://api.moonbase.example/","headers":{"Host":"x"}}"#),
      "plans the header Host, which no provider can set"),
    Misdeed(
      "splits a header", plan: plan(#"{"url":"https://api.moonbase.example/","headers":{"X":"a\r\nHost: b"}}"#),
      "plans the header X with what is not printable ASCII"),
    Misdeed(
      "asks for more for ever", parse: ScriptedPlugin.say(#"{"next":[{"url":"https://api.moonbase.example/n"}]}"#),
      "has asked for more 5 times and wants more still"),
    Misdeed(
      "answers with a number", parse: rows(#"[{"id":"bitcoin","price":97000.1}]"#),
      #"answered with the number 97000.1 at rows[0].price; write it as a text, "97000.1", so that no digit is lost"#),
    Misdeed(
      "answers about another coin", parse: rows(#"[{"id":"dogecoin","price":"1"}]"#),
      "answered about dogecoin, a coin that was not asked for"),
    Misdeed(
      "misspells a column", parse: rows(#"[{"id":"bitcoin","prise":"1"}]"#),
      "answered with the column prise (did you mean price?)"),
    Misdeed("answers with rows that are none", parse: rows("7"), "answered with rows that are not an array"),
    Misdeed(
      "answers with a row that is none", parse: rows("[7]"), "answered with a row that is not an object (rows[0])"),
    Misdeed(
      "answers with a price that is none", parse: rows(#"[{"id":"bitcoin","price":"much"}]"#),
      "much"),
    Misdeed(
      "tells an error that there is not", parse: ScriptedPlugin.say(#"{"error":{"code":"sad","message":"rain"}}"#),
      "answers with the error sad, which there is none of (rain)"),
  ]
}

@Suite struct `Forbidden behaviour of plugins` {
  @Test(arguments: Misdeed.ofHello)
  func `is reported at hello, in time`(misdeed: Misdeed) throws {
    let plugin = try ScriptedPlugin(hello: misdeed.hello, start: misdeed.start)
    let error = #expect(throws: BitpalError.self) { _ = try plugin.provider(plugin.host(misdeed.limits)) }
    #expect(error?.message.contains("the plugin moonbase ") == true)
    #expect(error?.message.contains(misdeed.words) == true, "\(error?.message ?? "")")
    #expect(error?.code == .plugin)
  }

  @Test func `is reported with its last message, however soon it ends after that`() throws {
    for _ in 0..<20 {
      let plugin = try ScriptedPlugin(hello: ScriptedPlugin.say("good day") + "; exit 0")
      let error = #expect(throws: BitpalError.self) { _ = try plugin.provider() }
      #expect(error?.message.contains("a line that is not a JSON object: good day") == true, "\(error?.message ?? "")")
    }
  }

  @Test(arguments: Misdeed.ofQuestions)
  func `is reported at a question, and the next question goes to another process`(misdeed: Misdeed) async throws {
    let plugin = try ScriptedPlugin(plan: misdeed.plan, parse: misdeed.parse)
    let provider = try plugin.provider(plugin.host(misdeed.limits))
    for _ in 0..<2 {
      let words = await outcome(provider)
      #expect(words.contains(misdeed.words), "\(words)")
    }
  }

  @Test func `is reported for too many rows to check, which do not count as checked`() async throws {
    let plugin = try ScriptedPlugin(
      parse: #"printf '{"rows":['; yes '{"a":0},' | head -n 1100000 | tr -d '\n'; printf '{}]}\n'"#)
    var limits = PluginLimits.long
    limits.line = 16 << 20
    let words = await outcome(try plugin.provider(plugin.host(limits)))
    #expect(words.contains("bytes that takes too much to read"), "\(words)")
  }

  @Test func `leaves no process behind, whatever it started`() async throws {
    let time = Self.ownNumber()
    let plugin = try ScriptedPlugin(
      plan: "(setsid sleep \(time)9 &) ; sleep \(time)8 & sleep \(time)7", start: "trap '' TERM",
      end: "while :; do sleep \(time)6; done")
    do {
      let host = plugin.host(.short(\.call))
      let words = await outcome(try plugin.provider(host))
      #expect(words.contains("did not answer plan"))
      host.end()
    }
    #expect(await Self.areGone(running: time))
  }

  @Test func `ends by itself when its input does, and by force when it does not`() async throws {
    let polite = try ScriptedPlugin(end: "echo bye > ended")
    let host = polite.host()
    _ = await outcome(try polite.provider(host))
    host.end()
    #expect(FileManager.default.fileExists(atPath: polite.folder.path + "/ended"))
    let time = Self.ownNumber()
    let stubborn = try ScriptedPlugin(start: "trap '' TERM", end: "while :; do sleep \(time); done")
    let other = stubborn.host()
    _ = await outcome(try stubborn.provider(other))
    other.end()
    #expect(await Self.areGone(running: time))
  }

  @Test func `can read its requests however much it writes to standard error`() async throws {
    let plugin = try ScriptedPlugin(
      plan: "head -c 300000 /dev/zero | tr '\\0' '\\n' | sed 's/^/no/' >&2; "
        + ScriptedPlugin.say(ScriptedPlugin.plan))
    #expect(await outcome(try plugin.provider()) == "97000.1")
    #expect(plugin.complaints.all.count == 21)
    #expect(plugin.complaints.all.first == "moonbase: no")
    #expect(plugin.complaints.all.last == "moonbase: further lines are not shown")
  }

  /// A number of seconds that no other run of the tests has.
  private static func ownNumber() -> String { String(Int.random(in: 100_000_000...999_999_999)) }

  /// Whether none of these sleeps is left: one that has been killed is there until the kernel has had time for it.
  private static func areGone(running text: String) async -> Bool {
    let end = ContinuousClock.now + .seconds(60)
    while !processes(running: text).isEmpty, ContinuousClock.now < end { await Task.yield() }
    return processes(running: text).isEmpty
  }

  /// The processes whose command line has a text in it.
  private static func processes(running text: String) -> [String] {
    let numbers = (try? FileManager.default.contentsOfDirectory(atPath: "/proc"))?.filter { Int($0) != nil } ?? []
    return numbers.filter { number in
      let line = FileManager.default.contents(atPath: "/proc/\(number)/cmdline") ?? Data()
      let words = String(decoding: line, as: UTF8.self)
      return words.hasPrefix("sleep") && words.contains(text)
    }
  }
}
