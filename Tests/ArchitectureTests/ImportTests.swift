import Foundation
import Testing

/// The arrows of ARCHITECTURE.md: a module may import what stands in its row, and nothing else of ours.
@Suite struct `Modules lean downward only` {
  static let mayImport: [String: Set<String>] = [
    "CSQLite": [], "CSQLiteHeap": ["CSQLite"], "CYAML": [], "CCurl": [],
    "BitpalModel": [],
    "BitpalFiles": ["BitpalModel"],
    "BitpalSQLite": ["CSQLite", "CSQLiteHeap", "BitpalFiles", "BitpalModel"],
    "BitpalConfig": ["CYAML", "BitpalFiles", "BitpalModel"],
    "BitpalRateLimit": ["BitpalSQLite", "BitpalFiles", "BitpalModel"],
    "BitpalNetwork": ["CCurl", "BitpalRateLimit", "BitpalModel"],
    "BitpalReplay": ["BitpalNetwork", "BitpalSQLite", "BitpalFiles", "BitpalModel"],
    "BitpalCache": ["BitpalSQLite", "BitpalFiles", "BitpalModel"],
    "BitpalProviders": ["BitpalNetwork", "BitpalReplay", "BitpalSQLite", "BitpalFiles", "BitpalModel"],
    "BitpalService": [
      "BitpalConfig", "BitpalProviders", "BitpalCache", "BitpalNetwork", "BitpalReplay", "BitpalRateLimit",
      "BitpalSQLite",
      "BitpalModel",
    ],
    "BitpalCharts": ["BitpalModel"],
    "BitpalPortfolio": ["BitpalSQLite", "BitpalFiles", "BitpalModel"],
    "BitpalTesting": [
      "BitpalCharts", "BitpalPortfolio",
      "BitpalService", "BitpalConfig", "BitpalProviders", "BitpalCache", "BitpalNetwork", "BitpalReplay",
      "BitpalRateLimit",
      "BitpalSQLite", "BitpalFiles", "BitpalModel",
    ],
    "bitpal": [
      "BitpalTesting", "BitpalCharts", "BitpalPortfolio",
      "BitpalService", "BitpalConfig", "BitpalProviders", "BitpalCache", "BitpalNetwork", "BitpalReplay",
      "BitpalRateLimit",
      "BitpalSQLite", "BitpalFiles", "BitpalModel",
    ],
  ]

  /// What the toolchain brings.
  ///
  /// Foundation as a whole is not in it: it triples the size of a static binary.
  static let fromTheToolchain: Set<String> = [
    "FoundationEssentials", "Glibc", "Synchronization", "Testing",
  ]

  @Test func `Every module of Sources has a row`() throws {
    let folders = try FileManager.default.contentsOfDirectory(atPath: Self.sources.path).filter { !$0.hasPrefix(".") }
    #expect(Set(folders).subtracting(Self.mayImport.keys).sorted() == [], "modules without a row in this test")
  }

  @Test(arguments: mayImport.keys.sorted())
  func `A module imports only what its row names`(module: String) throws {
    let allowed = (Self.mayImport[module] ?? []).union(Self.fromTheToolchain)
    for (file, imported) in try Self.imports(of: module) where !allowed.contains(imported) {
      Issue.record(
        "\(module) imports \(imported) in \(file); it may import \(allowed.sorted().joined(separator: ", "))")
    }
  }

  @Test func `C types stay in the module that wraps them`() throws {
    for module in Self.mayImport.keys.sorted() {
      for (file, imported, line) in try Self.importLines(of: module)
      where imported.hasPrefix("C") && (line.hasPrefix("public ") || line.hasPrefix("package ")) {
        Issue.record("\(module) shows \(imported) to others in \(file)")
      }
    }
  }

  @Test func `The scan sees an import whatever stands before it`() {
    #expect(Self.imported("@testable public import struct BitpalModel.Coin") == "BitpalModel")
    #expect(Self.imported("  import CCurl // why") == "CCurl")
    #expect(Self.imported("// import CCurl") == nil)
    #expect(Self.imported("let important = 1") == nil)
  }

  static let sources = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent(
      "Sources")

  static func imports(of module: String) throws -> [(file: String, module: String)] {
    try importLines(of: module).map { ($0.file, $0.module) }
  }

  static func importLines(of module: String) throws -> [(file: String, module: String, line: String)] {
    let folder = sources.appendingPathComponent(module)
    let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
    return try names.filter { $0.hasSuffix(".swift") }.sorted().flatMap { name in
      let text = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
      return text.split(separator: "\n").compactMap { line in
        imported(String(line)).map { (name, $0, String(line)) }
      }
    }
  }

  /// The top-level module that the line imports; nil when it imports none.
  static func imported(_ line: String) -> String? {
    var words = line.split(whereSeparator: \.isWhitespace).map(String.init)
    let before: Set<String> = [
      "public", "package", "internal", "fileprivate", "private", "@testable", "@_exported", "@preconcurrency",
    ]
    while let word = words.first, before.contains(word) { words.removeFirst() }
    guard words.first == "import", words.count > 1 else { return nil }
    let kinds: Set<String> = ["struct", "class", "enum", "protocol", "func", "var", "let", "typealias"]
    let name = kinds.contains(words[1]) && words.count > 2 ? words[2] : words[1]
    return name.split(separator: ".").first.map(String.init)
  }
}
