import BitpalModel
import Testing

@Suite struct `Hosts of this machine and of private networks` {
  @Test(arguments: [
    "localhost", "a.localhost", "127.0.0.1", "127.8.9.1", "127.1", "0x7f.1", "2130706433", "017700000001", "0.0.0.0",
    "10.1.2.3", "100.64.0.1", "169.254.169.254", "172.16.0.1", "172.31.9.9", "192.168.1.1", "192.0.0.8", "198.18.0.1",
    "224.0.0.1", "255.255.255.255", "1.2.3.04", "1.2.3.256", "[::1]", "nas", "NAS.local", "router.lan", "db.internal",
    "x.home.arpa",
  ])
  func `are private`(host: String) { #expect(BaseURL.isPrivate(host)) }

  @Test(arguments: ["api.example.com", "1.1.1.1", "100.63.0.1", "172.32.0.1", "11.0.0.1", "local.example", "a.b-1.c3"])
  func `are not the others`(host: String) { #expect(!BaseURL.isPrivate(host)) }
}
