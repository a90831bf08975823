import Foundation
import Testing

/// The arrows of Package.swift: a module may import what its target depends on, and nothing else of ours.
///
/// SwiftPM itself is not strict: a module can import whatever another has had built before it.
@Suite struct `Modules lean downward only` {
  /// A target of the package description.
  struct Module: CustomTestStringConvertible {
    let name: String
    let dependencies: [String]

    var testDescription: String { name }
  }

  /// The targets in `Sources/`, in the order in which Package.swift describes them: bottom to top.
  static let modules: [Module] = {
    let text = (try? String(contentsOf: Repository.root.appendingPathComponent("Package.swift"), encoding: .utf8)) ?? ""
    let target = /\.(systemLibrary|target|executableTarget)\(\s*name: "(\w+)"((?:[^()]|\([^()]*\))*)\)/
    return text.matches(of: target).compactMap { match in
      let arguments = String(match.output.3)
      guard !arguments.contains("path:") else { return nil }
      let list = arguments.firstMatch(of: /dependencies: \[([^\]]*)\]/).map { String($0.output.1) } ?? ""
      return Module(
        name: String(match.output.2), dependencies: list.matches(of: /"(\w+)"/).map { String($0.output.1) })
    }
  }()

  /// What the toolchain brings.
  ///
  /// Foundation as a whole is not in it: it triples the size of a static binary.
  static let fromTheToolchain: Set<String> = [
    "FoundationEssentials", "Glibc", "Synchronization", "Testing",
  ]

  /// The folders of Sources, bottom to top, each with its modules.
  static let folders: [(name: String, modules: [String])] = {
    let text = (try? String(contentsOf: Repository.root.appendingPathComponent("Package.swift"), encoding: .utf8)) ?? ""
    let row = /\(\s*"(\w+)",\s*\[([^\]]*)\]\s*\),/
    let table = text.split(separator: "let folders").last.map(String.init) ?? ""
    return table.matches(of: row).map { match in
      (String(match.output.1), match.output.2.matches(of: /"(\w+)"/).map { String($0.output.1) })
    }
  }()

  static func folder(of module: String) -> String? { folders.first { $0.modules.contains(module) }?.name }

  @Test func `Every module of Sources is described, and nothing else`() throws {
    #expect(Self.folders.map(\.name) == ["Base", "Sources", "Prices", "Books", "Serve", "Tool"])
    #expect(Set(Self.folders.flatMap(\.modules)) == Set(Self.modules.map(\.name)))
    for (name, modules) in Self.folders {
      let found = try FileManager.default.contentsOfDirectory(atPath: Self.sources.appendingPathComponent(name).path)
      #expect(Set(found.filter { !$0.hasPrefix(".") }) == Set(modules), "Sources/\(name)")
    }
    #expect(Self.modules.count { !$0.name.hasPrefix("C") } <= 20)
  }

  @Test func `A folder depends on itself and on the folders below it`() {
    var below: Set<String> = []
    for (name, modules) in Self.folders {
      below.formUnion(modules)
      for module in Self.modules where modules.contains(module.name) {
        for dependency in module.dependencies where !below.contains(dependency) {
          Issue.record("\(module.name) in Sources/\(name) depends on \(dependency), which is in a folder above it")
        }
      }
    }
  }

  @Test func `A module depends on what is described above it`() {
    var above: Set<String> = []
    for module in Self.modules {
      for dependency in module.dependencies where !above.contains(dependency) {
        Issue.record("\(module.name) depends on \(dependency), which Package.swift describes below it")
      }
      above.insert(module.name)
    }
  }

  @Test(arguments: modules)
  func `A module imports what it depends on, all of it, and nothing else`(module: Module) throws {
    let allowed = Set(module.dependencies).union(Self.fromTheToolchain)
    let imports = try Self.imports(of: module.name)
    for (file, imported, _) in imports where !allowed.contains(imported) {
      Issue.record(
        "\(module.name) imports \(imported) in \(file); it may import \(allowed.sorted().joined(separator: ", "))")
    }
    // What is written in C includes instead.
    guard !imports.isEmpty else { return }
    let unused = Set(module.dependencies).subtracting(imports.map(\.module))
    #expect(unused.sorted() == [], "\(module.name) depends on modules that it does not import")
  }

  @Test func `C types stay in the modules that wrap them`() throws {
    for module in Self.modules {
      for (file, imported, line) in try Self.imports(of: module.name)
      where imported.hasPrefix("C") && (line.hasPrefix("public ") || line.hasPrefix("package ")) {
        Issue.record("\(module.name) shows \(imported) to others in \(file)")
      }
    }
  }

  @Test func `The scan sees an import whatever stands before it`() {
    #expect(Self.imported("@testable public import struct BitpalModel.Coin") == "BitpalModel")
    #expect(Self.imported("  import CCurl // why") == "CCurl")
    #expect(Self.imported("// import CCurl") == nil)
    #expect(Self.imported("let important = 1") == nil)
  }

  private static let sources = Repository.root.appendingPathComponent("Sources")

  static func imports(of module: String) throws -> [(file: String, module: String, line: String)] {
    let folder = sources.appendingPathComponent(folder(of: module) ?? "").appendingPathComponent(module)
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
