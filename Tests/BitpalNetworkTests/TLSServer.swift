import Foundation
import LoopbackServer
import TestSupport

/// A TLS server whose certificate it has signed itself, by the openssl command.
final class TLSServer {
  static let isPossible = FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl")

  let port: Int
  private let process = Process()
  private let folder: TemporaryFolder

  init() async throws {
    folder = try TemporaryFolder()
    let key = folder.path + "/key.pem"
    let certificate = folder.path + "/certificate.pem"
    let request = Process()
    request.executableURL = URL(filePath: "/usr/bin/openssl")
    request.arguments =
      ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj", "/CN=localhost"]
      + ["-addext", "subjectAltName=DNS:localhost", "-days", "2", "-keyout", key, "-out", certificate]
    request.standardError = FileHandle.nullDevice
    // Waiting in place would hold a thread of the pool, and Foundation's wait needs one to end.
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      request.terminationHandler = { _ in continuation.resume() }
      do {
        try request.run()
      } catch {
        continuation.resume(throwing: error)
      }
    }

    // The command cannot choose a port and tell it, so one is taken that was free a moment ago.
    let free = try LoopbackServer { _ in .close }
    port = free.port
    free.stop()
    process.executableURL = URL(filePath: "/usr/bin/openssl")
    process.arguments = [
      "s_server", "-accept", "127.0.0.1:\(port)", "-key", key, "-cert", certificate, "-www", "-quiet",
    ]
    process.standardInput = Pipe()
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    for _ in 0..<200 {
      if isListening { break }
      usleep(10_000)
    }
  }

  private var isListening: Bool {
    let connection = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(connection) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    address.sin_port = in_port_t(port).bigEndian
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        connect(connection, address, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
  }

  func stop() {
    // SIGTERM is blocked in the threads that tests run on, and a process inherits that.
    kill(process.processIdentifier, SIGKILL)
  }
}
