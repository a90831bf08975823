import Foundation
import LoopbackServer
import Testing

extension Attacks {
  /// A folder that somebody else filled and that one merely stands in.
  @Suite struct `A hostile folder gets no keys, changes nothing and is not believed elsewhere` {
    /// Variables with what nobody may learn; the names are those of keys that people have set.
    private static let secrets = Dictionary(
      uniqueKeysWithValues: [
        "COINGECKO_API_KEY", "AWS_SECRET_ACCESS_KEY", "GITHUB_TOKEN", "EVIL_KEY", "KRAKEN_API_KEY", "SSH_AUTH_SOCK",
      ].map { ($0, "canary-\($0.lowercased())-4711") })

    /// Settings and provider files, with `URL` for a server that notes everything it is asked.
    private static let folders: [(name: String, files: [String: String])] = {
      func provider(_ id: String, _ key: String, url: String = "URL", rate: String = "60/1m") -> String {
        """
        id: \(id)
        name: \(id)
        kind: http
        base_url: \(url)
        key_env: \(key)
        key_hosts: [127.0.0.1, localhost]
        headers: { X-Key: "{key}" }
        rate_limit: \(rate)
        quotes:
          get: /q?ids={ids}&key={key}
          select: SELECT 'bitcoin' AS id, '31337' AS price
        """
      }
      return [
        (
          "a provider named after a secret",
          [
            "config.yaml": "bitpal: 1\nprovider: aws\n", "providers/aws.yaml": provider("aws", "AWS_SECRET_ACCESS_KEY"),
          ]
        ),
        (
          "another one",
          [
            "config.yaml": "bitpal: 1\nprovider: github\n", "providers/github.yaml": provider("github", "GITHUB_TOKEN"),
          ]
        ),
        (
          "CoinGecko at another address",
          [
            "config.yaml":
              "bitpal: 1\nprovider: coingecko\nproviders: { coingecko: { base_url: \"URL\", tier: demo } }\n"
          ]
        ),
        (
          "CoinGecko with hosts for its key",
          [
            "config.yaml": """
            bitpal: 1
            provider: coingecko
            providers: { coingecko: { base_url: "URL", key_hosts: [127.0.0.1], key_env: GITHUB_TOKEN } }

            """
          ]
        ),
        (
          "a file in the place of CoinGecko's",
          [
            "config.yaml": "bitpal: 1\nprovider: coingecko\n",
            "providers/coingecko.yaml": provider("coingecko", "COINGECKO_API_KEY"),
          ]
        ),
        (
          "a folder of providers elsewhere",
          [
            "config.yaml": "bitpal: 1\nprovider: evil\nproviders_dir: deep/er\n",
            "deep/er/evil.yaml": provider("evil", "EVIL_KEY"),
          ]
        ),
        (
          "a budget without end",
          [
            "config.yaml": "bitpal: 1\nprovider: kraken\n",
            "providers/kraken.yaml": provider("kraken", "KRAKEN_API_KEY", rate: "100000/1s"),
          ]
        ),
        (
          "a cache over a key file",
          [
            "config.yaml": "bitpal: 1\nprovider: fixture\ncache: { path: link/id_ed25519 }\n", "link": "-> HOME/.ssh",
          ]
        ),
        (
          "a cache over the user's data",
          [
            "config.yaml": "bitpal: 1\nprovider: fixture\ncache: { path: link/bitpal.db }\n",
            "link": "-> HOME/.local/share/bitpal",
          ]
        ),
        (
          "a cache over a file of the home",
          [
            "config.yaml": "bitpal: 1\nprovider: fixture\ncache: { path: \"~/.profile\" }\n"
          ]
        ),
        (
          "names for other coins",
          [
            "config.yaml": "bitpal: 1\nprovider: fixture\naliases: { bitcoin: dogecoin, ethereum: dogecoin }\n"
          ]
        ),
        (
          "a recording of the home",
          [
            "config.yaml": "bitpal: 1\nprovider: recording:link/x.har\n", "link": "-> HOME/.ssh",
          ]
        ),
      ]
    }()

    private static let commands = [
      "price bitcoin", "price bitcoin --refresh", "coin bitcoin", "chart bitcoin", "search bit", "status bitcoin",
      "history bitcoin --on 2025-01-14", "portfolio", "buy 1 bitcoin --price 5", "sell 1 bitcoin --price 5",
      "watchlist add solana", "watchlist list", "widget write", "widget", "portfolio import link/id_ed25519",
      "providers list", "providers show coingecko", "providers check", "config show", "config check", "doctor",
      "cache stats", "generate complete -- price bit", "record x -- price bitcoin",
    ]

    @Test(arguments: folders.map(\.name)) func `whatever it holds`(name: String) throws {
      let files = try #require(Self.folders.first { $0.name == name }?.files)
      let server = try LoopbackServer { _ in .ok(json: "[]") }
      defer { server.stop() }
      let world = try World(isTrusted: false)
      // The home has data, a key and settings of its own, made where the user trusts himself.
      try world.write(
        "bitpal: 1\nprovider: fixture\nproviders_dir: \(Repository.root)/providers\n", to: "../home/own.yaml")
      try world.write("PRIVATE KEY canary-ssh-4711", to: "../home/.ssh/id_ed25519")
      try world.write("umask 077", to: "../home/.profile")
      let made = try world.run(
        """
        export BITPAL_CONFIG=$HOME/own.yaml
        bitpal buy 1 bitcoin --price 100 --date 2024-01-01 -q > /dev/null && bitpal watchlist add bitcoin -q > /dev/null
        """)
      try #require(made.status == 0, "\(made.errors)")
      _ = try world.run("rm -rf config.yaml providers")
      for (file, text) in files {
        if text.hasPrefix("-> ") {
          let target = text.dropFirst(3).replacingOccurrences(of: "HOME", with: world.home)
          try FileManager.default.createSymbolicLink(atPath: world.work + "/" + file, withDestinationPath: target)
        } else {
          try world.write(text.replacingOccurrences(of: "URL", with: server.url), to: file)
        }
      }
      let before = try world.possessions()
      for command in Self.commands {
        let outcome = try world.attack("bitpal \(command) --timeout 1s", Self.secrets)
        expectSafe(outcome, command)
        #expect(!(outcome.output + outcome.errors).contains("canary"), "\(command): \(outcome.output)\(outcome.errors)")
      }
      #expect(try world.possessions() == before)
      for request in server.requests {
        let text = request.target + request.headers.map { $0.name + $0.value }.joined()
        #expect(!text.contains("canary"), "\(request.target)")
      }
      // Nothing that was answered there is answered elsewhere.
      let own = try world.run("cd; export BITPAL_CONFIG=$HOME/own.yaml; bitpal price bitcoin --offline --format csv")
      #expect(!own.output.contains("31337"), "\(own.output)")
    }

    @Test(arguments: [
      "mkfifo config.yaml", "mkdir config.yaml", "ln -s /dev/zero config.yaml", "ln -s config.yaml config.yaml",
    ])
    func `nor does a pipe or a device hang a command`(made: String) throws {
      let world = try World(isTrusted: false)
      _ = try world.run("rm config.yaml; \(made)")
      for command in ["price bitcoin --timeout 1s", "config check", "config path", "doctor"] {
        expectSafe(try world.attack("bitpal \(command)"), "\(command), \(made)")
      }
      _ = try world.run(
        "rm -rf config.yaml; printf 'bitpal: 1\\nprovider: fixture\\n' > config.yaml; rm -rf providers/kraken.yaml")
      _ = try world.run(made.replacingOccurrences(of: "config.yaml", with: "providers/kraken.yaml"))
      for command in ["price bitcoin --timeout 1s", "providers list", "config check", "doctor"] {
        expectSafe(try world.attack("bitpal \(command)"), "\(command), \(made) for a provider")
      }
    }
  }
}
