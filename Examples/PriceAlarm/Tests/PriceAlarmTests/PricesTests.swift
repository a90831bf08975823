import Foundation
import Testing

@Suite struct `The program of the readme` {
  @Test func `It prints prices, their source and their freshness`() throws {
    let tool = try #require(Bundle.main.executableURL?.deletingLastPathComponent().appendingPathComponent("prices"))
    let home = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: home) }

    // In the clone, whose config.yaml asks a recording.
    var clone = URL(fileURLWithPath: #filePath)
    for _ in 0..<5 { clone.deleteLastPathComponent() }
    let process = Process()
    let output = Pipe()
    process.executableURL = tool
    process.currentDirectoryURL = clone
    process.environment = ["HOME": home.path]
    process.standardOutput = output
    try process.run()
    let printed = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(printed == "Bitcoin 96841.328675354258 fixture fresh\nEthereum 3214.470539351398 fixture fresh\n")
  }
}
