import BitpalFiles
import Foundation
import Glibc
import TestSupport
import Testing

@Suite struct `A database that can be done without` {
  private let folder: TemporaryFolder
  private var path: String { folder.path + "/x.db" }

  init() throws {
    folder = try TemporaryFolder()
  }

  private func database(
    open: @escaping @Sendable (String) throws -> SQLiteConnection
  ) -> DisposableDatabase {
    DisposableDatabase(
      path: path,
      recovery: DisposableDatabase.RecoveryPolicy(
        open: { path, _ in try open(path) }, action: { _, path in .setAside(as: path + ".damaged") },
        tell: { _, _ in }))
  }

  @Test func `A bad file is set aside, and work goes on with a new one`() throws {
    try Data(repeating: 0x41, count: 8192).write(to: URL(filePath: path))
    let database = database {
      let connection = try SQLiteConnection(path: $0, busyTimeout: .zero)
      try connection.execute("CREATE TABLE IF NOT EXISTS t (x)")
      return connection
    }
    guard case .done(0) = database.perform({ try $0.integer("SELECT count(*) FROM t") ?? -1 }) else {
      Issue.record("nothing done")
      return
    }
    #expect(FileManager.default.fileExists(atPath: path + ".damaged"))
  }

  @Test func `A good file that another process has put in the place of a bad one stays`() throws {
    try Data(repeating: 0x41, count: 8192).write(to: URL(filePath: path))
    let good = folder.path + "/good.db"
    try SQLiteConnection(path: good, busyTimeout: .zero).execute("CREATE TABLE t (x); INSERT INTO t VALUES (7)")
    let isFirst = Notes<Bool>()
    let database = database { path in
      if isFirst.all.isEmpty {
        isFirst.add(true)
        // Between our look and our remedy another process has mended it.
        rename(good, path)
        throw DisposableDatabase.Failure.damaged("as it was")
      }
      return try SQLiteConnection(path: path, busyTimeout: .zero)
    }
    guard case .done(7) = database.perform({ try $0.integer("SELECT x FROM t") ?? -1 }) else {
      Issue.record("another process's file was not used")
      return
    }
    #expect(!FileManager.default.fileExists(atPath: path + ".damaged"))
  }
}
