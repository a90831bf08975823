import Foundation
import TestSupport
import Testing

@testable import BitpalFiles

@Suite struct `The health of a database file` {
  private let folder: TemporaryFolder
  private let schema = SQLiteSchema(applicationID: 7, version: 1, statements: "CREATE TABLE thing (name TEXT)")

  init() throws {
    folder = try TemporaryFolder()
  }

  private func path(_ name: String) -> String { folder.path + "/" + name }

  private func make(_ name: String, _ sql: String) throws -> String {
    try SQLiteConnection(path: path(name), busyTimeout: .zero).execute(sql)
    return path(name)
  }

  @Test func `A file that is not there is absent, and stays so`() {
    #expect(DatabaseHealth(path: path("none.db"), schema: schema) == .absent)
    #expect(!FileManager.default.fileExists(atPath: path("none.db")))
  }

  @Test func `A file of ours is sound`() throws {
    try schema.make(in: SQLiteConnection(path: path("ours.db"), busyTimeout: .zero))
    #expect(DatabaseHealth(path: path("ours.db"), schema: schema) == .sound)
  }

  @Test func `A newer database and that of another program are distinguished`() throws {
    let newer = try make("newer.db", "PRAGMA application_id = 7; PRAGMA user_version = 2; CREATE TABLE t (a)")
    #expect(DatabaseHealth(path: newer, schema: schema) == .newer)
    let foreign = try make("foreign.db", "PRAGMA application_id = 8; CREATE TABLE t (a)")
    #expect(DatabaseHealth(path: foreign, schema: schema) == .foreign)
  }

  @Test func `A file that is not a database counts as damaged, and is not changed`() throws {
    try Data("nonsense".utf8).write(to: URL(fileURLWithPath: path("text.db")))
    #expect(DatabaseHealth(path: path("text.db"), schema: schema) == .damaged("file is not a database"))
    #expect(try String(contentsOfFile: path("text.db"), encoding: .utf8) == "nonsense")
  }
}
