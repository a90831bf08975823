import BitpalFiles
import BitpalModel
import Foundation
import Glibc
import TestSupport
import Testing

@Suite struct `A file is replaced whole` {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func path(_ name: String) -> String { folder.path + "/" + name }

  private func replace(_ name: String, _ text: String, _ access: FileReplacement.Access = .shared) throws {
    try FileReplacement.replace(path(name), with: Array(text.utf8), access: access)
  }

  private func text(_ name: String) -> String? { try? String(contentsOfFile: path(name), encoding: .utf8) }

  private func permissions(_ name: String) throws -> mode_t { try FileStatus(path(name)).permissions }

  private func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }

  @Test func `The new content takes the place of the old, and nothing else is left`() throws {
    try replace("a", "one")
    try replace("a", "two, longer")
    try replace("a", "3")
    #expect(text("a") == "3")
    #expect(try names() == ["a"])
  }

  @Test func `A private file loses the access of others, a shared one keeps its permissions`() throws {
    try replace("own", "1", .user)
    #expect(try permissions("own") == 0o600)
    chmod(path("own"), 0o644)
    try replace("own", "2", .user)
    #expect(try permissions("own") == 0o600)
    try folder.write("1", to: "shared")
    chmod(path("shared"), 0o664)
    try replace("shared", "2")
    #expect(try permissions("shared") == 0o664)
    chmod(path("shared"), 0o400)
    try replace("shared", "3")
    #expect(try permissions("shared") == 0o400)
    #expect(text("shared") == "3")
  }

  @Test func `A link stays a link, and what it leads to is replaced`() throws {
    try folder.write("old", to: "deep/real")
    symlink("deep/link", path("first"))
    symlink("real", path("deep/link"))
    try replace("first", "new")
    #expect(text("deep/real") == "new")
    #expect(try FileStatus(withoutFollowing: path("first")).kind == .link)
    #expect(try FileStatus(withoutFollowing: path("deep/link")).kind == .link)
    symlink("fresh", path("nowhere"))
    try replace("nowhere", "made")
    #expect(text("fresh") == "made")
    symlink("loop", path("loop"))
    #expect(throws: BitpalError.dataFile(path: path("loop"), reason: "Too many levels of symbolic links")) {
      try replace("loop", "x")
    }
    #expect(try names() == ["deep", "first", "fresh", "loop", "nowhere"])
  }

  @Test func `A pipe is written into and stays a pipe`() throws {
    #expect(mkfifo(path("pipe"), 0o600) == 0)
    let reader = open(path("pipe"), O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    defer { close(reader) }
    try replace("pipe", "picture")
    var buffer = [UInt8](repeating: 0, count: 20)
    let count = read(reader, &buffer, buffer.count)
    #expect(String(decoding: buffer.prefix(max(count, 0)), as: UTF8.self) == "picture")
    #expect(try FileStatus(path("pipe")).kind == .pipe)
    #expect(try names() == ["pipe"])
  }

  @Test func `A device is written into, and a folder is refused`() throws {
    try FileReplacement.replace("/dev/null", with: [1, 2, 3], access: .shared)
    #expect(try FileStatus("/dev/null").kind == .device)
    symlink("/dev/null", path("null"))
    try replace("null", "gone")
    #expect(try FileStatus(withoutFollowing: path("null")).kind == .link)
    #expect(throws: BitpalError.dataFile(path: folder.path, reason: "this is a folder, not a file")) {
      try FileReplacement.replace(folder.path, with: [], access: .shared)
    }
  }

  @Test func `The file of a descriptor is appended to`() throws {
    // `--svg /dev/stdout >> log`: the shell goes on writing to the file that it opened.
    try folder.write("before\n", to: "log")
    let log = open(path("log"), O_WRONLY | O_CLOEXEC)
    defer { close(log) }
    let number = try FileStatus(path("log")).number
    try FileReplacement.replace("/proc/self/fd/\(log)", with: Array("picture\n".utf8), access: .shared)
    #expect(text("log") == "before\npicture\n")
    #expect(try FileStatus(path("log")).number == number)
  }

  @Test func `A failed write leaves the old file, and no part of a new one`() throws {
    try folder.write("old", to: "a")
    #expect(throws: BitpalError.dataFile(path: path("none/a"), reason: "No such file or directory")) {
      try replace("none/a", "x")
    }
    // A name that is free itself, but too long for a neighbour.
    let long = String(repeating: "n", count: 250)
    #expect(throws: BitpalError.dataFile(path: path(long), reason: "File name too long")) { try replace(long, "x") }
    #expect(try names() == ["a"])
  }

  @Test func `The leftovers of a killed writer are removed by the next one, the file of a running one is not`() throws {
    // The first is what version 0.1 left, with a process's number in its name.
    for name in ["a.4194999.unfinished", "a.1x9z.unfinished"] { try folder.write("part", to: name) }
    let others = ["a.b.c.unfinished", "a.unfinished", "b.1.unfinished"]
    for name in others { try folder.write("not ours", to: name) }
    let living = open(path("a.7.unfinished"), O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    defer { close(living) }
    #expect(flock(living, LOCK_EX) == 0)
    try replace("a", "whole")
    #expect(try names() == (["a", "a.7.unfinished"] + others).sorted())
  }

  @Test func `A new file is made with its folders, and never over another`() throws {
    try FileReplacement.create(path("x/y/new"), with: Array("1".utf8), access: .user)
    #expect(text("x/y/new") == "1")
    #expect(try permissions("x/y/new") == 0o600)
    #expect(try permissions("x/y") == 0o700)
    let taken = BitpalError.dataFile(path: path("x/y/new"), reason: "it is there already and is left as it is")
    #expect(throws: taken) { try FileReplacement.create(path("x/y/new"), with: [], access: .user) }
    symlink("nowhere", path("link"))
    #expect(throws: BitpalError.self) { try FileReplacement.create(path("link"), with: [], access: .shared) }
    #expect(try names() == ["link", "x"])
    #expect(try FileManager.default.contentsOfDirectory(atPath: path("x/y")) == ["new"])
  }

  @Test func `A file gets another name only when nothing has it`() throws {
    try folder.write("1", to: "a")
    try folder.write("2", to: "b")
    #expect(throws: FileFault.taken) { try FileReplacement.move(path("a"), to: path("b")) }
    try FileReplacement.move(path("a"), to: path("c"))
    #expect(text("b") == "2" && text("c") == "1")
    #expect(try names() == ["b", "c"])
  }
}
