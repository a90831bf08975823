import Foundation
import TestSupport

/// A TLS server whose certificate it has signed itself, by the openssl command.
final class TLSServer {
  static let isPossible = FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl")

  let port: Int
  private let process = Process()
  private let output = Pipe()
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

    process.executableURL = URL(filePath: "/usr/bin/openssl")
    process.arguments = [
      "s_server", "-accept", "127.0.0.1:0", "-key", key, "-cert", certificate, "-www",
    ]
    process.standardInput = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    // It has chosen a port and listens when it prints "ACCEPT 127.0.0.1:45321".
    var line = ""
    while !line.hasPrefix("ACCEPT ") || !line.hasSuffix("\n") {
      guard let byte = try output.fileHandleForReading.read(upToCount: 1), !byte.isEmpty else { break }
      line = (line.hasSuffix("\n") ? "" : line) + String(decoding: byte, as: UTF8.self)
    }
    port = line.split(separator: ":").last.flatMap { Int($0.trimmingCharacters(in: .whitespacesAndNewlines)) } ?? 0
  }

  func stop() {
    // SIGTERM is blocked in the threads that tests run on, and a process inherits that.
    kill(process.processIdentifier, SIGKILL)
  }
}
