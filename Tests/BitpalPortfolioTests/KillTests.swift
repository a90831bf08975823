import BitpalModel
import BitpalPortfolio
import BitpalSQLite
import Foundation
import Glibc
import TestSupport
import Testing

@Suite struct `A process that is killed loses nothing it acknowledged` {
  private static let rounds = ProcessInfo.processInfo.environment["BITPAL_KILL_ROUNDS"].flatMap(Int.init) ?? 30

  @Test func `Every acknowledged transaction is there after kill -9, and the file is sound`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/bitpal.db"
    let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let writer = URL(fileURLWithPath: own).deletingLastPathComponent().appendingPathComponent("transaction-writer")
    var generator = SeededGenerator(seed: 9)
    var acknowledged: Set<String> = []
    var next = 0
    for _ in 0..<Self.rounds {
      let output = Pipe()
      let ends = [output.fileHandleForReading, output.fileHandleForWriting]
      for end in ends { _ = fcntl(end.fileDescriptor, F_SETFD, FD_CLOEXEC) }
      let child = try Child(
        writer.path, [path, String(next)], environment: [:], in: folder.path,
        output: output.fileHandleForWriting.fileDescriptor)
      try output.fileHandleForWriting.close()
      // Killed after a few acknowledgements and a little more: somewhere in the middle of a write.
      var heard = Data()
      let wanted = Int.random(in: 1...6, using: &generator)
      while heard.split(separator: UInt8(ascii: "\n")).count < wanted {
        guard let more = try output.fileHandleForReading.read(upToCount: 1), !more.isEmpty else { break }
        heard += more
      }
      usleep(UInt32.random(in: 0...3000, using: &generator))
      child.send(SIGKILL)
      heard += try output.fileHandleForReading.readToEnd() ?? Data()
      _ = child.wait()
      for line in String(decoding: heard, as: UTF8.self).split(separator: "\n") {
        let words = line.split(separator: " ")
        guard words.count == 2, let number = Int(words[0]) else { continue }
        next = number + 1
        if words[1] != "-" { acknowledged.insert(String(words[1])) }
      }
      // What was written but not acknowledged keeps its number for the next round.
      let stored = try TransactionStore(file: UserDataFile(path: path)).transactions()
      #expect(acknowledged.isSubset(of: stored.map(\.id.uuidString)))
      next = max(next, stored.map { Int($0.date.milliseconds) + 1 }.max() ?? 0)
    }
    let check = try SQLiteConnection(path: path, busyTimeout: .zero).prepare("PRAGMA integrity_check")
    #expect(try check.step() && check.text(0) == "ok")
    #expect(acknowledged.count >= Self.rounds / 2)
  }
}
