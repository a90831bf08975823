import BitpalModel
import Foundation
import TestSupport
import Testing

@testable import BitpalNetwork

/// A server of one connection, on a port of 127.0.0.1 or on a socket.
private final class Listener {
  private(set) var port = 0
  private let descriptor: Int32

  init() throws {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let code = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(descriptor, address, size) | listen(descriptor, 4) | getsockname(descriptor, address, &size)
      }
    }
    try #require(code == 0)
    port = Int(UInt16(bigEndian: address.sin_port))
  }

  init(path: String) throws {
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    let code = SocketAddress(path: path).withPointer { bind(descriptor, $0, $1) | listen(descriptor, 4) }
    try #require(code == 0)
  }

  deinit { close(descriptor) }

  /// Answers what the next connection sends with the same bytes, and ends it.
  func echo() {
    let connection = accept(descriptor, nil, nil)
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = recv(connection, &bytes, bytes.count, 0)
    send(connection, bytes, max(0, count), Int32(MSG_NOSIGNAL))
    close(connection)
  }
}

@Suite struct `A connection on a socket` {
  private func exchange(_ place: SocketStream.Place, _ listener: Listener) throws {
    let stream = try SocketStream(to: place, within: .seconds(30))
    try stream.send(Array("PING".utf8), until: .now + .seconds(30))
    listener.echo()
    #expect(try Array(stream.receive(until: .now + .seconds(30))) == Array("PING".utf8))
    #expect(throws: StreamFault.broken("the server has closed the connection")) {
      _ = try stream.receive(until: .now + .seconds(30))
    }
  }

  @Test(arguments: ["127.0.0.1", "localhost"])
  func `Bytes go to a host and come back until it ends the connection`(host: String) throws {
    let listener = try Listener()
    try exchange(.host(host, port: listener.port), listener)
  }

  @Test func `A socket of this machine is a place too`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/s"
    try exchange(.socket(path), try Listener(path: path))
    #expect(throws: StreamFault.broken("No such file or directory")) {
      _ = try SocketStream(to: .socket(folder.path + "/other"), within: .seconds(30))
    }
  }

  @Test func `A closed port refuses, a full one and a server without words are silent`() throws {
    var listener: Listener? = try Listener()
    let port = try #require(listener?.port)
    let stream = try SocketStream(to: .host("127.0.0.1", port: port), within: .seconds(30))
    #expect(throws: StreamFault.silent) { _ = try stream.receive(until: .now) }
    listener = nil
    #expect(throws: StreamFault.broken("Connection refused")) {
      _ = try SocketStream(to: .host("127.0.0.1", port: port), within: .seconds(30))
    }
    let full = try FullPort()
    defer { full.stop() }
    #expect(throws: StreamFault.silent) {
      _ = try SocketStream(to: .host("127.0.0.1", port: full.port), within: .milliseconds(20))
    }
  }
}
