import BitpalModel
import Testing

@Suite struct `Address of a fleet's Redis` {
  @Test(
    arguments: [
      ("redis://cache", .host("cache", port: 6379, isEncrypted: false), nil, 0, "redis://cache"),
      (
        "REDISS://Cache.Example:6380/15", .host("cache.example", port: 6380, isEncrypted: true), nil, 15,
        "rediss://cache.example:6380/15"
      ),
      ("redis://127.0.0.1:6379/0", .host("127.0.0.1", port: 6379, isEncrypted: false), nil, 0, "redis://127.0.0.1"),
      ("redis://[::1]", .host("[::1]", port: 6379, isEncrypted: false), nil, 0, "redis://[::1]"),
      ("redis://[FD00::2]:7/", .host("[fd00::2]", port: 7, isEncrypted: false), nil, 0, "redis://[fd00::2]:7"),
      (
        "redis://me@home_redis_1", .host("home_redis_1", port: 6379, isEncrypted: false), "me", 0,
        "redis://me@home_redis_1"
      ),
      ("redis://@cache", .host("cache", port: 6379, isEncrypted: false), nil, 0, "redis://cache"),
      ("unix:///run/r.sock", .socket("/run/r.sock"), nil, 0, "/run/r.sock"),
      ("/run/a b.sock", .socket("/run/a b.sock"), nil, 0, "/run/a b.sock"),
    ] as [(String, FleetAddress.Place, String?, Int, String)])
  func `Is a URL or the path of a socket, and shown without what is usual`(
    text: String, place: FleetAddress.Place, user: String?, database: Int, shown: String
  ) throws {
    let address = try FleetAddress(text)
    #expect(address.place == place && address.user == user && address.database == database)
    #expect(address.description == shown)
    #expect(try FleetAddress(shown) == address)
    #expect(address.isEncrypted == shown.hasPrefix("rediss:"))
  }

  @Test(arguments: [
    ("", "is not an address: write redis://HOST, rediss://HOST for TLS, or the path of a socket"),
    ("cache:6379", "is not an address: write redis://HOST, rediss://HOST for TLS, or the path of a socket"),
    ("http://cache", "begins with none of redis://, rediss:// (TLS) and unix:// (a socket)"),
    (" redis://cache", "begins with none of redis://, rediss:// (TLS) and unix:// (a socket)"),
    ("redis://", "names no host, as in redis://cache.example:6379/0"),
    ("redis:///0", "names no host, as in redis://cache.example:6379/0"),
    ("redis://a..b", "names no host, as in redis://cache.example:6379/0"),
    ("redis://::1", "names no host, as in redis://cache.example:6379/0"),
    ("redis://[]", "names no host, as in redis://cache.example:6379/0"),
    ("redis://[::1", "names no host, as in redis://cache.example:6379/0"),
    ("redis://[::1]x", "names no host, as in redis://cache.example:6379/0"),
    ("redis://[fe80::1%25lo]", "names no host, as in redis://cache.example:6379/0"),
    ("redis://ca che", "names no host, as in redis://cache.example:6379/0"),
    ("redis://cache:", "names no port from 1 to 65535"), ("redis://cache:0", "names no port from 1 to 65535"),
    ("redis://cache:65536", "names no port from 1 to 65535"), ("redis://cache:+1", "names no port from 1 to 65535"),
    ("redis://cache:9999999999999999999", "names no port from 1 to 65535"),
    ("redis://cache/x", "ends with no number of a database, as in redis://cache.example:6379/0"),
    ("redis://cache/-1", "ends with no number of a database, as in redis://cache.example:6379/0"),
    ("redis://cache/0/1", "ends with no number of a database, as in redis://cache.example:6379/0"),
    ("redis://cache/2147483648", "ends with no number of a database, as in redis://cache.example:6379/0"),
    ("redis://cache?db=1", "ends with the number of the database: no options are read after it"),
    ("redis://m%65@cache", "has a user whose name is not of plain letters, digits and signs"),
    ("unix://run/r.sock", "names no socket: write its whole path, as in unix:///run/redis/redis-server.sock"),
    ("unix:///", "names no socket: write its whole path, as in unix:///run/redis/redis-server.sock"),
    ("/run/r.sock?db=2", "has something in the path of its socket that does not belong there"),
    ("/run/r\n", "has something in the path of its socket that does not belong there"),
    ("/" + String(repeating: "x", count: 107), "is too long for a socket, whose path has at most 107 bytes"),
  ])
  func `Is refused with what would be right`(text: String, message: String) throws {
    #expect(try #require(throws: FleetAddress.Fault.self) { try FleetAddress(text) }.message == message)
  }

  @Test(arguments: ["redis://:sesame@cache", "rediss://me:sesame@cache:1/2", "redis://a:b:sesame@c@cache"])
  func `Is refused with a password in it, which is not repeated`(text: String) throws {
    let fault = try #require(throws: FleetAddress.Fault.self) { try FleetAddress(text) }
    #expect(fault.message.hasPrefix("has a password in it: put it into the variable BITPAL_REDIS_PASSWORD"))
    #expect(!fault.message.contains("sesame"))
  }

  @Test(
    arguments: [
      ("bitpal", true), ("bitpal-home_2.x", true), ("{bitpal}", true), ("{bitpal-home}", true), ("bitpal2", true),
      ("", false), ("{}", false), ("home", false), ("Bitpal", false), ("bitpal:x", false), ("bitpal*", false),
      ("{bitpal", false), ("bitpal}", false), ("{bitpal}x", false), ("bitpalé", false),
      ("bitpal" + String(repeating: "x", count: 55), false),
    ])
  func `Keeps keys that begin with our name`(text: String, isPrefix: Bool) {
    #expect(FleetSettings.isPrefix(text) == isPrefix)
  }
}
