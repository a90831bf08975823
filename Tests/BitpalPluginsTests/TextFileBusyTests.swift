import BitpalModel
import BitpalProviders
import CSpawn
import Foundation
import Glibc
import TestSupport
import Testing

@testable import BitpalPlugins

@Suite struct `A program that has just been written` {
  /// A process that is being started inherits the descriptors of all threads; here it stays in that state until a named
  /// pipe is opened.
  @Test func `is not started while a process that is being started has its writer`() async throws {
    let folder = try TemporaryFolder()
    let (program, pipe) = (folder.path + "/program", folder.path + "/pipe")
    try #require(mkfifo(pipe, 0o600) == 0)
    let writer = open(program, O_WRONLY | O_CREAT | O_CLOEXEC, 0o700)
    try #require(writer >= 0)
    // On a thread of its own, because it blocks.
    let (codes, started) = AsyncStream<Int32>.makeStream()
    Thread.detachNewThread {
      var actions = posix_spawn_file_actions_t()
      posix_spawn_file_actions_init(&actions)
      posix_spawn_file_actions_addopen(&actions, 0, pipe, O_RDONLY, 0)
      started.yield(Self.run(&actions))
      started.finish()
    }
    // The pipe can be opened for writing as soon as the process waits for that.
    var end: Int32 = -1
    while end < 0 {
      #expect(bitpal_await_writers(program, 1) == ETXTBSY)
      end = open(pipe, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
    }
    close(writer)
    close(end)
    #expect(bitpal_await_writers(program, 60_000) == 0)
    for await code in codes { #expect(code == 0) }
    #expect(bitpal_await_writers(folder.path + "/none", 1) == 0)
  }

  @Test func `starts every time, also beside a thread that starts processes`() throws {
    let folder = try TemporaryFolder()
    let text = "#!/bin/sh\nexit 0\n"
    let path = try folder.write(text, to: "moon")
    chmod(path, 0o700)
    var program = PluginProgram(command: ["./moon"], folder: folder.path)
    program.trustedFiles = TrustedFiles(
      settings: "config.yaml", digests: [path: SHA256.hexDigest(of: Array(text.utf8))], folders: [])
    let isOver = Locked(false)
    Thread.detachNewThread { while !isOver.withLock({ $0 }) { _ = Self.run(nil) } }
    for _ in 0..<10 {
      let launch = try PluginLaunch(program, variables: ["PATH": "/usr/bin:/bin"], isConfined: false)
      #expect(try PluginProcess(launch, limits: .standard).exitStatus(within: .seconds(20)) == 0)
    }
    isOver.withLock { $0 = true }
  }

  /// Starts `true`, waits for its end, and returns the error number of the start.
  private static func run(_ actions: UnsafePointer<posix_spawn_file_actions_t>?) -> Int32 {
    var words: [UnsafeMutablePointer<CChar>?] = [strdup("true"), nil]
    defer { free(words[0]) }
    var child: pid_t = 0
    let code = posix_spawn(&child, "/bin/true", actions, nil, &words, environ)
    if code == 0 { waitpid(child, nil, 0) }
    return code
  }
}
