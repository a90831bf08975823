import Foundation
import Glibc
import TestSupport
import Testing

extension Attacks {
  /// Words that come from coin lists, settings and file names of others, offered to a person who presses TAB.
  @Suite struct `Completion offers words and evaluates none` {
    /// Each would leave a file named `pwned…` in the working folder if a shell evaluated it.
    private static let hostileWords = [
      "bit$(touch${IFS}pwned1)", "bit`touch${IFS}pwned2`", "bit';touch pwned3;'", #"bit";touch pwned4;""#,
      "bit;touch pwned5", "bit|touch pwned6", "bit&touch pwned7", "bit>pwned8", "bit*", "bit?[a-z]", "bit{a,b}", "bit~",
      "bit!!", #"bit\$(touch pwned9)"#, "bit$HOME", "bit:$(touch pwned10)", "bit <(touch pwned11)",
      "bit=(touch pwned12)", "bit\\\n$(touch pwned13)", "bit%n", "bit-$((pwned=1))", "bit#", "bit(e:touch pwned14:)",
    ]

    @Test(arguments: CompletingShell.allCases)
    func `whatever the tool would print`(shell: CompletingShell) throws {
      let world = try World()
      try plantTool(offering: Self.hostileWords, in: world)
      try shell.type(["bitpal price bit\t\t\t"], in: world)
      #expect(try pwned(world) == [])
    }

    @Test(
      arguments: CompletingShell.allCases,
      ["only$(touch pwned1)", "only`touch pwned2`", "only'q", "only;touch pwned3", "only*", #"only"q"#])
    func `and the one that is taken is an argument as it stands`(shell: CompletingShell, word: String) throws {
      let world = try World()
      try plantTool(offering: [word], in: world)
      try shell.type(["bitpal price onl\t\n"], in: world)
      #expect(try pwned(world) == [])
      let called = try? String(contentsOfFile: world.work + "/called", encoding: .utf8)
      #expect(called == "<price><\(word)>")
    }

    @Test(arguments: CompletingShell.allCases)
    func `in a hostile folder`(shell: CompletingShell) throws {
      let world = try World()
      try world.write(
        """
        bitpal: 1
        provider: fixture
        aliases: { "$(touch pwned1)": bitcoin, "bit`touch pwned2`": bitcoin }
        chart: { ranges: { "$(touch pwned3)": { window: 1d } } }

        """, to: "config.yaml")
      try world.write("id: x\n", to: "providers/$(touch pwned4).yaml")
      let keys = ["price \t\t", "price bit\t\t", "chart bitcoin --range \t\t", "-p \t\t"]
      try shell.type(keys.map { "bitpal " + $0 }, in: world)
      #expect(try pwned(world) == [])
    }

    /// A tool that offers every hostile word and notes what it was called with.
    private func plantTool(offering words: [String], in world: World) throws {
      try world.write(words.map { $0 + "\tmeaning of \($0)\n" }.joined(), to: "offers")
      try world.write(
        """
        #!/bin/sh
        [ "$1" = generate ] && exec cat "\(world.work)/offers"
        for word; do printf '<%s>' "$word"; done > "\(world.work)/called"
        """, to: "bin/bitpal")
      _ = try world.run("chmod +x bin/bitpal")
    }

    private func pwned(_ world: World) throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: world.work).filter { $0.hasPrefix("pwned") }
    }
  }
}

/// A shell that completes `bitpal`, on a terminal of its own.
enum CompletingShell: String, CaseIterable, Sendable {
  case bash, zsh, fish

  /// Prepares the shell with the script that the tool itself prints, and starts it; its prompt is `ready> `.
  private var start: String {
    switch self {
    case .bash:
      """
      { bitpal completion bash; echo "bind 'set page-completions off'"; echo "PS1='ready> '"; } > bash.rc
      \(terminal("bash --noprofile --rcfile bash.rc -i"))
      """
    case .zsh:
      """
      mkdir zsh; bitpal completion zsh > zsh/_bitpal
      printf '%s\\n' 'fpath=($PWD/zsh $fpath)' 'autoload -Uz compinit' 'compinit -u -D' 'PS1="ready> "' > zsh/.zshrc
      ZDOTDIR=$PWD/zsh \(terminal("zsh -i"))
      """
    case .fish:
      """
      # fish would read every manual page of the machine for a home without this folder.
      mkdir -p ~/.config/fish/completions ~/.local/share/fish/generated_completions; bitpal completion fish > ~/.config/fish/completions/bitpal.fish
      echo 'function fish_prompt; echo -n "ready> "; end' > ~/.config/fish/config.fish
      \(terminal("fish -i"))
      """
    }
  }

  /// A planted tool goes before the real one.
  private func terminal(_ shell: String) -> String {
    "PATH=$PWD/bin:$PATH TERM=xterm exec timeout 40 script -qefc '\(shell)' screen < keys > /dev/null"
  }

  /// Types lines, each taken back when it does not end itself, and waits until the shell has read them all.
  func type(_ lines: [String], in world: World) throws {
    let keys = world.work + "/keys"
    mkfifo(keys, 0o600)
    // Open at both ends, so that neither side waits for the other.
    let descriptor = open(keys, O_RDWR | O_CLOEXEC)
    defer { close(descriptor) }
    let child = try world.start("/bin/sh", ["-c", start])
    defer { _ = child.wait() }
    func send(_ text: String) { _ = text.withCString { Glibc.write(descriptor, $0, strlen($0)) } }
    // Keys that come before the shell has set up its terminal would be dropped.
    try wait(for: "the prompt of \(rawValue)") {
      (try? String(contentsOfFile: world.work + "/screen", encoding: .utf8))?.contains("ready> ") == true
    }
    for (number, line) in lines.enumerated() {
      // Ctrl-U; Ctrl-C would make the terminal drop what is typed after it.
      send(line.hasSuffix("\n") ? line : line + "\u{15}")
      send("touch \(world.work)/read\(number)\n")
      try wait(for: "\(rawValue) to have read line \(number + 1)") { world.exists("read\(number)") }
    }
    send("exit\n")
  }

  private func wait(for event: Comment, until isDone: () -> Bool) throws {
    for _ in 0..<3000 where !isDone() { usleep(10_000) }
    try #require(isDone(), "waited too long for \(event)")
  }
}
