import BitpalFiles
import BitpalModel
import BitpalPortfolio
import Foundation
import Glibc
import TestSupport
import Testing

@Suite struct `A process that is killed loses nothing it acknowledged` {
  private static let rounds = ProcessInfo.processInfo.environment["BITPAL_KILL_ROUNDS"].flatMap(Int.init) ?? 30

  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private var path: String { folder.path + "/bitpal.db" }

  /// Starts the writer and kills it after a few acknowledgements and a little more: somewhere in the middle of a write.
  ///
  /// - Returns: The lines that it acknowledged.
  private func kill(_ arguments: [String], _ generator: inout SeededGenerator) throws -> [String] {
    let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let writer = URL(fileURLWithPath: own).deletingLastPathComponent().appendingPathComponent("transaction-writer")
    let output = Pipe()
    let ends = [output.fileHandleForReading, output.fileHandleForWriting]
    for end in ends { _ = fcntl(end.fileDescriptor, F_SETFD, FD_CLOEXEC) }
    let child = try Child(
      writer.path, arguments, environment: [:], in: folder.path, output: output.fileHandleForWriting.fileDescriptor)
    try output.fileHandleForWriting.close()
    var heard = Data()
    let wanted = Int.random(in: 1...6, using: &generator)
    while heard.split(separator: UInt8(ascii: "\n")).count < wanted {
      guard let more = try output.fileHandleForReading.read(upToCount: 1), !more.isEmpty else { break }
      heard += more
    }
    // A little later, by turns of the scheduler.
    for _ in 0..<Int.random(in: 0...3000, using: &generator) { sched_yield() }
    child.send(SIGKILL)
    heard += try output.fileHandleForReading.readToEnd() ?? Data()
    _ = child.wait()
    return String(decoding: heard, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  private func isSound(_ path: String) throws -> Bool {
    let check = try SQLiteConnection(path: path, busyTimeout: .zero).prepare("PRAGMA integrity_check")
    return try check.step() && check.text(0) == "ok"
  }

  @Test func `Every acknowledged transaction is there after kill -9, and the file is sound`() throws {
    var generator = SeededGenerator(seed: 9)
    var acknowledged: Set<String> = []
    var next = 0
    for _ in 0..<Self.rounds {
      for line in try kill([path, String(next)], &generator) {
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
    #expect(try isSound(path))
    #expect(acknowledged.count >= Self.rounds / 2)
  }

  @Test func `A restore that is killed leaves what was there or what was restored, and every copy is whole`() throws {
    func fill(_ name: String, _ count: Int64) throws -> String {
      let file = folder.path + "/" + name
      for number in 0..<count {
        _ = try TransactionStore(file: UserDataFile(path: file)).add(
          TransactionDraft(
            coinId: name, type: .buy, amount: 1, pricePerCoin: 1, date: Date(milliseconds: number)),
          currency: "usd", now: Date(milliseconds: count))
      }
      return file
    }
    func content(_ file: String) throws -> [String] {
      try TransactionStore(file: UserDataFile(path: file)).transactions().map(\.coinId)
    }
    let backups = [try fill("one", 3), try fill("two", 8)]
    let known = try backups.map(content)
    var generator = SeededGenerator(seed: 10)
    for _ in 0..<Self.rounds {
      // What the user had is in the file, and must be in one of two files whenever this ends.
      unlink(path)
      let mine = try fill("bitpal.db", 5)
      let own = try content(mine)
      for copy in try kill([path, "restore"] + backups, &generator) where copy != "-" {
        #expect((known + [own]).contains(try content(copy)))
      }
      #expect((known + [own]).contains(try content(path)))
      let copies = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        .filter { $0.contains(".before-restore.") && !$0.hasSuffix(".unfinished") }
        .map { folder.path + "/" + $0 }
      #expect(try ([path] + copies).contains { try content($0) == own })
      for file in backups + [path] + copies { #expect(try isSound(file)) }
      for copy in copies { unlink(copy) }
    }
  }
}
