import Testing

@Suite(.ownThreads) struct `Descriptors` {
  @Test(arguments: [8, 9, 11, 13, 20]) func `that are too few are reported, with the next step`(count: Int) throws {
    let server = try MarketServer()
    let live = try LiveWorld(server.url)
    let outcome = try live.run("ulimit -n \(count); exec timeout 20 bitpal price bitcoin")
    #expect(outcome.status == 7)
    #expect(
      outcome.errors == """
        bitpal: open files: bitpal needs 64 at once, and the system allows \(count); \
        allow more with "ulimit -n 256" (or LimitNOFILE=256 of a systemd unit)\n
        """)
    #expect(server.requests.isEmpty)
  }

  @Test func `are taken when the system only wants to be asked`() throws {
    let server = try MarketServer()
    let live = try LiveWorld(server.url)
    #expect(try live.run("ulimit -S -n 9; exec bitpal price bitcoin").status == 0)
  }

  @Test func `that are just enough do for everything at once`() throws {
    let server = try MarketServer()
    let live = try LiveWorld(server.url, settings: LiveWorld.staleAtOnce)
    let coins = (0..<400).map { "coin-\($0)" }.joined(separator: " ")
    // How many are in use already depends on who runs the tests.
    let outcome = try live.run(
      """
      code=7; count=63
      while [ $code = 7 ] && [ $count -lt 256 ]; do
        count=$((count + 1)); (ulimit -n $count; exec bitpal price \(coins)) > prices 2> errors; code=$?
      done
      cat errors >&2; exit $code
      """)
    #expect(outcome.status == 0)
    #expect(outcome.errors == "")
  }

  @Test func `of the standard streams that are closed are not those of a file`() throws {
    let world = try World()
    #expect(try world.run("bitpal price bitcoin nothing <&- 2>&-").status == 1)
    let outcome = try world.run("grep -rl 'bitpal:' ../home")
    #expect(outcome.output == "")
  }

  /// A write beyond the limit ends a process that does not know the signal, without a word.
  @Test func `of files that may not grow are an error like any other`() throws {
    let server = try MarketServer()
    let live = try LiveWorld(server.url)
    let outcome = try live.run(
      "(ulimit -f 1; LLVM_PROFILE_FILE=/dev/null bitpal price bitcoin; echo $? > status) 2>&1 | cat; exit $(cat status)"
    )
    #expect(outcome.status == 0)
    #expect(outcome.output.contains("cache.db cannot be used (disk I/O error"))
    #expect(outcome.output.contains("67,187.34"))
  }
}
