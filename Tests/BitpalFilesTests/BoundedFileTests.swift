import BitpalFiles
import BitpalModel
import Foundation
import Glibc
import TestSupport
import Testing

@Suite struct `A file is read whole, up to a limit` {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func bytes(
    _ name: String, limit: Int = 100, from source: BoundedFile.Source = .regularFile
  ) -> Result<String, FileFault> {
    Result { () throws(FileFault) in
      String(decoding: try BoundedFile(folder.path + "/" + name, limit: limit, from: source).bytes, as: UTF8.self)
    }
  }

  @Test func `All bytes up to the limit, and not one more`() throws {
    try folder.write("0123456789", to: "a")
    #expect(bytes("a", limit: 10) == .success("0123456789"))
    #expect(bytes("a", limit: 9) == .failure(.tooLarge(limit: 9)))
    #expect(try BoundedFile(prefixOf: folder.path + "/a", limit: 4).bytes == Array("0123".utf8))
    #expect(try BoundedFile(prefixOf: folder.path + "/a", limit: 40).bytes == Array("0123456789".utf8))
    try folder.write("", to: "empty")
    #expect(bytes("empty", limit: 0) == .success(""))
  }

  @Test func `A file that says it has no bytes is read all the same`() throws {
    let file = try BoundedFile("/proc/self/status", limit: 1 << 20)
    #expect(file.status.size == 0)
    #expect(file.bytes.starts(with: Array("Name:".utf8)))
    #expect(throws: FileFault.tooLarge(limit: 5)) { try BoundedFile("/proc/self/status", limit: 5) }
  }

  @Test func `A missing file and a file that may not be read are different faults`() {
    #expect(bytes("none") == .failure(.missing))
    #expect(bytes("none/further") == .failure(.missing))
    #expect(FileFault.missing.reason == "No such file or directory")
    #expect(FileFault.refused(code: EACCES).reason == "Permission denied")
    #expect(FileFault.tooLarge(limit: 64 << 20).reason == "it is larger than 64 MiB, the most that is read")
  }

  @Test(.timeLimit(.minutes(20)))
  func `A pipe, a device, a socket or a folder of that name is refused at once instead of waited for`() throws {
    #expect(mkfifo(folder.path + "/pipe", 0o600) == 0)
    #expect(bytes("pipe") == .failure(.notAFile(.pipe)))
    try FileManager.default.createSymbolicLink(atPath: folder.path + "/link", withDestinationPath: "pipe")
    #expect(bytes("link") == .failure(.notAFile(.pipe)))
    #expect(bytes("../../dev/zero") == .failure(.notAFile(.device)) || folder.path.split(separator: "/").count != 2)
    #expect(throws: FileFault.notAFile(.device)) { try BoundedFile("/dev/zero", limit: 10) }
    #expect(bytes(".") == .failure(.notAFile(.folder)))
    let socket = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(socket) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let path = Array((folder.path + "/s").utf8CString)
    try #require(path.count < MemoryLayout.size(ofValue: address.sun_path))
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.map { UInt8(bitPattern: $0) }) }
    let bound = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    #expect(bound == 0)
    #expect(bytes("s") == .failure(.notAFile(.socket)))
    #expect(bytes("s", from: .stream) == .failure(.notAFile(.socket)))
    #expect(FileFault.notAFile(.pipe).reason == "this is a named pipe, not a file")
  }

  @Test func `A path from the user may be a pipe or a device`() throws {
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    try FileReplacement.write(Array("through a pipe".utf8), to: ends[1])
    close(ends[1])
    defer { close(ends[0]) }
    #expect(try BoundedFile.input("/proc/self/fd/\(ends[0])", limit: 100) == Array("through a pipe".utf8))
    #expect(try BoundedFile.input("/dev/null", limit: 100).isEmpty)
    #expect(throws: BitpalError.dataFile(path: "/dev/zero", reason: FileFault.tooLarge(limit: 1024).reason)) {
      try BoundedFile.input("/dev/zero", limit: 1024)
    }
  }
}

@Suite struct `Paths and folders` {
  @Test func `A private folder is made with those above it, for the user alone`() throws {
    let folder = try TemporaryFolder()
    try PrivateFolder.make(above: folder.path + "/a/b/c/file")
    for name in ["a", "a/b", "a/b/c"] {
      #expect(try FileStatus(folder.path + "/" + name).permissions == 0o700)
    }
    chmod(folder.path + "/a", 0o755)
    try PrivateFolder.make(above: folder.path + "/a/b/d/file")
    #expect(try FileStatus(folder.path + "/a").permissions == 0o755, "what is there stays as it is")
    try folder.write("", to: "file")
    #expect(throws: FileFault.noFolder(folder.path + "/file/x", code: ENOTDIR)) {
      try PrivateFolder.make(above: folder.path + "/file/x/y")
    }
  }

  @Test(
    arguments: [("/a/b", "/a", "b"), ("/a", "/", "a"), ("a", ".", "a"), ("a/b/", "a/b", "")])
  func `A path has a folder and a name`(path: String, folder: String, name: String) {
    #expect(PathText.directory(of: path) == folder)
    #expect(PathText.name(of: path) == name)
  }
}
