import Foundation
import Glibc
import Testing

@testable import BitpalServe

@Suite struct `A socket that listens` {
  @Test func `takes over a port that becomes free while it waits`() async throws {
    let former = try Listener(NetworkAddress("127.0.0.1:0"))
    // Both wait on threads of their own, so that other tests do not delay them.
    Thread.detachNewThread {
      usleep(100_000)
      close(former.descriptor)
    }
    let successor = try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread { continuation.resume(with: Result { try Listener(former.address) }) }
    }
    defer { close(successor.descriptor) }
    #expect(successor.address == former.address)
  }
}
