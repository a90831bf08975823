import Foundation
import Glibc

/// The cost to a running `bitpal serve` of many coins, and of clients of `/events` that read nothing.
struct Readers {
  private static let coins = 240
  private static let readers = 512

  let process: pid_t
  let url: String

  /// The time of one answer with 240 cached coins, no two of which are the same text.
  func many() throws -> Row {
    let ids = Bodies.ids(Self.coins)
    func addresses(_ count: Int) -> [String] {
      (0..<20).map { turn in
        "\(url)/v1/price?coins=" + (0..<count).map { ids[($0 + turn) % ids.count] }.joined(separator: ",")
      }
    }
    func asking(_ count: Int) -> Command {
      Command("/usr/bin/curl", ["-sf"] + addresses(count).flatMap { ["-o", "/dev/null", $0] })
    }
    try asking(Self.coins).run()
    let times = try Command.inTurns([asking(Self.coins), asking(1)], rounds: 5)
    let each = times.map { Measurement($0.least / 20) }
    return .limit("`/v1/price` of 240 cached coins", each[0], .milliseconds(50), "of one", each[1])
  }

  /// The memory that as many readers take and leave.
  func memory() throws -> [Row] {
    try Command("/usr/bin/curl", ["-sf", "\(url)/v1/price?coins=coin-0"]).run()
    let before = try resident()
    let sockets = try (0..<Self.readers).map { _ in try connect() }
    let request = Array("GET /events?coins=coin-0 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".utf8)
    for socket in sockets { _ = send(socket, request, request.count, Int32(MSG_NOSIGNAL)) }
    let began = ContinuousClock.now
    try Command("/usr/bin/curl", ["-sf", "\(url)/v1/price?coins=coin-0"]).run()
    let beside = Measurement(ContinuousClock.now - began)
    sleep(3)
    let during = try resident()
    for socket in sockets { close(socket) }
    sleep(3)
    let after = try resident()
    let alone = Measurement(try Command("/usr/bin/curl", ["-sf", "\(url)/v1/price?coins=coin-0"]).run())
    return [
      Self.row("memory for \(Self.readers) readers of `/events` that read nothing", during - before, before, limit: 64),
      Self.row("the same, after they have gone", after - before, before, limit: 4),
      .limit("a cached price beside as many that have just come", beside, .seconds(2), "alone", alone),
    ]
  }

  private static func row(_ what: String, _ kiB: Int, _ before: Int, limit: Int) -> Row {
    Row(
      what: what, measured: Memory.text(kiB) + " more", against: "before: \(Memory.text(before))",
      wanted: "at most \(limit) MiB more", met: Row.verdict(kiB <= limit * 1024))
  }

  private func resident() throws -> Int {
    guard let kiB = Machine.residentKiB(of: "\(process)") else {
      throw Command.Failure(description: "serve ended early")
    }
    return kiB
  }

  private func connect() throws -> Int32 {
    let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(URLComponents(string: url)?.port ?? 0).bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let code = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { Glibc.connect(socket, $0, size) }
    }
    guard code == 0 else { throw Command.Failure(description: "no connection: \(String(cString: strerror(errno)))") }
    return socket
  }
}
