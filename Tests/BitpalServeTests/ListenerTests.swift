import Foundation
import Glibc
import Testing

@testable import BitpalServe

@Suite struct `A socket that listens` {
  @Test func `takes over a port that becomes free while it waits`() throws {
    let former = try Listener(NetworkAddress("127.0.0.1:0"))
    let successor = try Listener(former.address) { close(former.descriptor) }
    defer { close(successor.descriptor) }
    #expect(successor.address == former.address)
  }
}
