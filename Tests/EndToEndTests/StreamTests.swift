import Foundation
import Glibc
import TestSupport
import Testing

@Suite(.ownThreads) struct `Streams and signals` {
  /// Both ends of a pipe.
  private func pipe() -> (reading: FileHandle, writing: FileHandle) {
    var ends: [Int32] = [0, 0]
    Glibc.pipe(&ends)
    // Another child that happens to start now must not keep an end open.
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (
      FileHandle(fileDescriptor: ends[0], closeOnDealloc: true),
      FileHandle(fileDescriptor: ends[1], closeOnDealloc: true)
    )
  }

  @Test func `A reader that has gone away ends the output quietly`() throws {
    let world = try World()
    let output = pipe()
    let errors = pipe()
    try output.reading.close()
    let child = try world.start(
      Repository.tool, ["price", "bitcoin"], output: output.writing.fileDescriptor,
      errors: errors.writing.fileDescriptor)
    try errors.writing.close()
    let said = try errors.reading.readToEnd() ?? Data()
    #expect(String(decoding: said, as: UTF8.self) == "")
    #expect(child.wait() == .exited(0))
  }

  @Test func `An interrupt ends the tool with 130`() throws {
    let world = try World()
    // The pipe is smaller than the answer, so after the first byte the tool is still writing.
    let output = pipe()
    _ = fcntl(output.writing.fileDescriptor, 1031 /* F_SETPIPE_SZ */, 4096)
    let child = try world.start(
      Repository.tool, ["chart", "bitcoin", "--range", "1Y", "--format", "json"],
      output: output.writing.fileDescriptor)
    try output.writing.close()
    #expect(try output.reading.read(upToCount: 1)?.count == 1)
    child.send(SIGINT)
    #expect(child.wait() == .exited(130))
  }

  @Test(
    .enabled(if: Terminal.isAvailable, "there are no pseudo-terminals here"),
    arguments: [
      ([], [:], true), ([], ["NO_COLOR": "1"], false), ([], ["NO_COLOR": ""], true), ([], ["TERM": "dumb"], false),
      (["--color", "always"], ["NO_COLOR": "1"], true), (["--color=never"], [:], false),
    ] as [([String], [String: String], Bool)])
  func `A terminal gets colour by default`(
    options: [String], variables: [String: String], isColoured: Bool
  ) throws {
    let world = try World()
    let terminal = try Terminal()
    let child = try world.start(
      Repository.tool, ["price", "bitcoin"] + options, variables: variables, output: terminal.inner.fileDescriptor)
    let said = try terminal.readToEnd()
    #expect(child.wait() == .exited(0))
    #expect(said.contains("Bitcoin"))
    #expect(said.contains("\u{1B}[") == isColoured)
  }
}
