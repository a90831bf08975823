import Foundation
import LoopbackServer
import TestSupport
import Testing

extension Attacks {
  /// Whoever can reach the port, and says whatever.
  @Suite struct `A server` {
    /// Expects that it answers others as if nothing were.
    private func expectServed(
      _ world: World, _ serving: Serving, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
      let path = "/api/v3/simple/price?ids=bitcoin&vs_currencies=usd"
      let price = try world.run("curl -sf --max-time 5 '\(serving.url)\(path)'")
      #expect(price.output.hasPrefix(#"{"bitcoin":{"usd":96841.3"#), "\(price)", sourceLocation: sourceLocation)
    }

    /// Sends what a program in Python says, `port` and `ask(bytes)` being known to it.
    private func attack(_ world: World, _ serving: Serving, _ program: String) throws -> World.Outcome {
      let port = serving.url.split(separator: ":").last ?? ""
      try world.write(
        """
        import random, socket, struct, sys, threading, time
        port = \(port)
        def connect():
            s = socket.create_connection(("127.0.0.1", port), timeout=10)
            return s
        def ask(data):
            s = connect()
            try:
                s.sendall(data)
                got = b""
                while True:
                    piece = s.recv(65536)
                    if not piece: break
                    got += piece
                return got
            except OSError: return None
            finally: s.close()
        \(program)
        """, to: "attack.py")
      return try world.run("timeout -k 1 60 python3 attack.py")
    }

    @Test func `outlives five thousand requests of garbage`() throws {
      let world = try World()
      let serving = try Serving(world)
      defer { #expect(serving.stop() == .exited(0)) }
      let outcome = try attack(
        world, serving,
        """
        random.seed(20260101)
        line = b"GET /api/v3/simple/price?ids=bitcoin&vs_currencies=usd HTTP/1.1\\r\\nHost: localhost\\r\\nX: y\\r\\n\\r\\n"
        paths = [b"/", b"/v1/chart/bitcoin.svg?width=", b"/v1/history/bitcoin?from=", b"/api/v3/coins/", b"/events?coins=",
                 b"/api/v3/coins/markets?vs_currency=usd&per_page=", b"/v1/price?coins=", b"/api/v3/search?query="]
        def one(number):
            kind = number % 4
            if kind == 0: data = random.randbytes(random.randrange(1, 400)) + b"\\r\\n\\r\\n"
            elif kind == 1:
                data = bytearray(line)
                for _ in range(random.randrange(1, 6)): data[random.randrange(len(data))] = random.randrange(256)
            elif kind == 2: data = line[:random.randrange(len(line))]
            else:
                junk = b"".join(b"%%%02X" % b for b in random.randbytes(random.randrange(1, 60)))
                data = b"GET " + random.choice(paths) + junk + b" HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\n\\r\\n"
            s = connect()
            try:
                # Half a request has no answer, and its connection a minute, which we have not.
                s.settimeout(0.05 if kind in (1, 2) else 10)
                s.sendall(bytes(data)); s.shutdown(socket.SHUT_WR)
                got = b""
                while piece := s.recv(65536): got += piece
                if got and not got.startswith(b"HTTP/1.1 "): print("odd", data, got[:80])
                if got.startswith(b"HTTP/1.1 5") and not got.startswith((b"HTTP/1.1 501", b"HTTP/1.1 505")): print(data, got[:400])
            except ConnectionError: pass
            except TimeoutError:
                if kind not in (1, 2): print("hangs", data)
            finally: s.close()
        # Most of the time is waiting for what has no answer.
        from concurrent.futures import ThreadPoolExecutor
        for _ in ThreadPoolExecutor(8).map(one, range(5000)): pass
        """)
      #expect(outcome == World.Outcome(output: "", errors: "", status: 0), "\(outcome)")
      try expectServed(world, serving)
    }

    @Test func `serves on beside a thousand that say nothing, slow ones, and listeners`() throws {
      let world = try World()
      let serving = try Serving(world)
      defer { #expect(serving.stop() == .exited(0)) }
      let outcome = try attack(
        world, serving,
        """
        idle = [connect() for _ in range(1000)]
        slow = [connect() for _ in range(100)]
        for s in slow: s.sendall(b"GET /api/v3/pi")
        events = [connect() for _ in range(700)]
        for s in events: s.sendall(b"GET /events?coins=bitcoin HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n")
        answers = [s.recv(12) for s in events]
        print(answers.count(b"HTTP/1.1 200"), answers.count(b"HTTP/1.1 503"))
        began = time.time()
        got = ask(b"GET /api/v3/ping HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\n\\r\\n")
        print(got.split(b"\\r\\n")[0], time.time() - began < 2)
        """)
      // As many listeners as there may be, and the others are told so.
      #expect(outcome.output == "512 188\nb'HTTP/1.1 200 OK' True\n", "\(outcome)")
      try expectServed(world, serving)
    }

    @Test func `does not answer pages of other sites, or more than is requested`() throws {
      let world = try World()
      let serving = try Serving(world)
      defer { #expect(serving.stop() == .exited(0)) }
      let outcome = try attack(
        world, serving,
        """
        end = b"\\r\\n"
        inner = b"GET /v1/providers HTTP/1.1" + end + b"Host: localhost" + end + end
        for head in [b"Host: evil.example", b"Host: localhost" + end + b"Host: evil.example", b"Host: localhost@evil.example",
                     b"Host: 127.0.0.1.evil.example", b"Host:", b"Host: localhost" + end + b"Content-Length: 5",
                     b"Host: localhost" + end + b"Transfer-Encoding: chunked"]:
            got = ask(b"GET /v1/price?coins=bitcoin HTTP/1.1" + end + head + end + end + inner)
            print(got.split(end)[0], got.count(b"HTTP/1.1 "))
        got = ask(b"GET /" + b"a" * (1 << 20) + b" HTTP/1.1" + end + b"Host: localhost" + end + end)
        print(got is None or b" 200 " not in got)
        """)
      let statuses = outcome.output.split(separator: "\n")
      #expect(statuses.count == 8 && statuses.allSatisfy { !$0.contains(" 200") && !$0.hasSuffix(" 2") }, "\(outcome)")
      try expectServed(world, serving)
    }

    @Test func `keeps the connections of its clients, and answers each request with one head`() throws {
      let world = try World()
      let serving = try Serving(world)
      defer { #expect(serving.stop() == .exited(0)) }
      let outcome = try attack(
        world, serving,
        """
        end = b"\\r\\n"
        price = b"GET /v1/price?coins=bitcoin HTTP/1.1" + end + b"Host: localhost" + end
        def heads(data): return (ask(data) or b"").count(b"HTTP/1.1 ")
        # From the price cache, from the answers of the last moment, and pipelined.
        s = connect(); closed = 0
        for _ in range(300):
            s.sendall(price + end); got = b""
            while end + end not in got or not got.endswith(b"}\\n"): got += s.recv(65536)
            closed += b"Connection: close" in got
        print(closed, heads((price + end) * 49 + price + b"Connection: close" + end + end))
        line = b"GET /healthz?" + b"&".join(b"a%d=b" % n for n in range(1500)) + b" HTTP/1.1" + end
        for head in [b"", b"Content-Length: x", b"Content-Length: +0", b"Content-Length: 0, 0", b"Content-Length: -1",
                     b"Content-Length: " + b"9" * 40, b"Content-Length: 5" + end + end + b"GET ",
                     b"Cookie: " + b"; ".join(b"c%d=a" % n for n in range(2000)), b"Cookie: a=" + b"a" * 18000]:
            for host in [b"Host: localhost" + end, b""]:
                if heads(line + host + b"Connection: close" + end + (head + end if head else b"") + end) != 1: print(host, head[:40])
        """)
      #expect(outcome == World.Outcome(output: "0 50\n", errors: "", status: 0), "\(outcome)")
      try expectServed(world, serving)
    }

    @Test func `does not show the owner's pages after a guess, a look at processes, or to another user`() throws {
      let world = try World()
      try world.write("#!/bin/sh\ncat /proc/$$/cmdline >> \(world.absolute("seen"))\n", to: "browser")
      _ = try world.run("chmod 755 browser")
      let serving = try Serving(world, ["--open"], variables: ["BROWSER": world.absolute("browser")])
      defer { #expect(serving.stop() == .exited(0)) }
      let port = serving.url.split(separator: ":").last ?? ""
      let link = try world.run("bitpal serve link --port \(port) -q").output.dropLast()
      let code = link.split(separator: "=").last ?? "none"
      #expect(link.hasPrefix("\(serving.url)/?secret=") && code.count == 11)
      for _ in 0..<500 where !world.exists("seen") { usleep(10_000) }
      let seen = try world.run("cat seen").output
      #expect(seen.contains(serving.url) && !seen.contains("secret"), "\(seen)")
      // A code that is nearly right, many of them, and the right one through a proxy use nothing up.
      let outcome = try attack(
        world, serving,
        """
        code, end = "\(code)", "\\r\\n"
        def status(code, head=""):
            return ask(f"GET /?secret={code} HTTP/1.1{end}Host: 127.0.0.1:{port}{end}{head}Connection: close{end}{end}".encode())[9:12]
        letters = "abcdefghjkmnpqrstuvwxyz23456789"
        print({status(code[:n] + random.choice(letters.replace(code[n], "").replace("-", "")) + code[n + 1:]) for n in range(10) if n != 5})
        print({status("".join(random.choice(letters) for _ in range(10))) for _ in range(2000)})
        print(status(code, f"X-Forwarded-For: 10.0.0.1{end}"), status(code), status(code))
        """)
      #expect(outcome.output == "{b'403'}\n{b'403'}\nb'403' b'303' b'403'\n", "\(outcome)")
      let modes = try world.run("find $HOME/.local/state/bitpal/serve -printf '%m '").output
      #expect(Set(modes.split(separator: " ")) == ["700", "600"], "\(modes)")
      // Only root can be another user.
      guard geteuid() == 0 else { return }
      let other = try world.run("chmod -R a+rX $HOME; setpriv --reuid 65534 --clear-groups bitpal serve link")
      #expect(other.status == 7 && other.output.isEmpty, "\(other)")
    }

    @Test func `outlives a plugin that says what ends SQLite`() throws {
      let world = try World()
      try world.write(
        "id: moon\nname: Moon\nkind: plugin\ncommand: [sh, moon.sh]\nhosts: [127.0.0.1]\n", to: "providers/moon.yaml")
      let hello = #"{"bitpal":1,"name":"M","answers":["quotes"],"batch":5}"#
      let hostile = #"{"requests":["{{\\"a\\":[\\"b\\",\\"b\\",\\"b\\"]}:1}\\u0000"]}"#
      try world.write(
        "read l; printf '%s\\n' '\(hello)'\nread l; printf '%s\\n' '\(hostile)'\n", to: "providers/moon.sh")
      let serving = try Serving(world, ["-p", "moon"])
      defer { #expect(serving.stop() == .exited(0)) }
      for _ in 0..<3 {
        let answer = try world.run("curl -s -o /dev/null -w '%{http_code}' '\(serving.url)/v1/price?coins=bitcoin'")
        #expect(["502", "503"].contains(answer.output), "\(answer)")
      }
      #expect(try world.run("curl -sf \(serving.url)/healthz").output == "ok\n")
    }

    @Test func `that records keeps what it has when it is killed`() throws {
      let server = try MarketServer()
      let live = try LiveWorld(server.url)
      let serving = try Serving(live, ["--record", "./tape"])
      _ = try live.run("curl -sf '\(serving.url)/v1/price?coins=bitcoin'")
      for _ in 0..<1200 where !live.world.exists("tape/recording.har") { usleep(100_000) }
      serving.send(SIGKILL)
      #expect(serving.wait() == .killed(signal: SIGKILL))
      let replayed = try live.run("bitpal price bitcoin -p recording:./tape --format csv")
      #expect(replayed.status == 0 && replayed.output.contains("bitcoin,"), "\(replayed)")
    }
  }
}
