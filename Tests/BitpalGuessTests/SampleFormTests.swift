import BitpalConfig
import BitpalModel
import BitpalProviders
import FoundationEssentials
import TestSupport
import Testing

@testable import BitpalGuess

@Suite struct `A provider file guessed from CSV or XML` {
  /// What the file says of its only operation; its example is checked.
  private func operation(_ body: String) throws -> DeclaredOperation {
    let url = "https://gold.example/all?s=BTC"
    let guess = try ProviderGuess(SampleAnswer(body: Array(body.utf8), url: url), id: "mine")
    let folder = try TemporaryFolder()
    try folder.write(guess.text, to: "mine.yaml")
    if let (name, bytes) = guess.bodyFile { try folder.write(String(decoding: bytes, as: UTF8.self), to: name) }
    let specification = try ProviderCatalog(settings: Settings(providersDirs: [folder.path])).specification(for: "mine")
    for outcome in try ExampleCheck(specification).run() { #expect(outcome.problem == nil, "\(guess.text)") }
    return try #require(specification.declared?.operations[guess.capability])
  }

  private func paths(_ operation: DeclaredOperation) -> [String] {
    guard case .each(let each, let fields) = operation.rows else { return [] }
    return [each?.text ?? "-"] + fields.map { "\($0.name) \($0.source.text)" }
  }

  @Test(arguments: [",", ";", "|", "\t"])
  func `has the candles of a sheet, whatever parts its columns and ends its lines`(delimiter: Character) throws {
    let sheet = """
      Date,Open,High,Low,Close,Volume
      2025-01-13,5.1,6,5,5.5,100
      2025-01-14,5.5,7,5.4,6.5,120
      2025-01-15,6.5,7.5,6.4,7.25,90

      """
    for lineEnd in ["\n", "\r\n"] {
      let body = String(sheet.map { $0 == "," ? delimiter : $0 }).replacing("\n", with: lineEnd)
      let operation = try operation(body)
      let separator = try #require(delimiter.asciiValue)
      #expect(operation.body == .csv(CSVLayout(delimiter: separator, header: .first)))
      #expect(paths(operation) == ["-", "time $.Date", "open $.Open", "high $.High", "low $.Low", "close $.Close"])
    }
  }

  @Test func `calls the columns of a sheet without a header by their places`() throws {
    let operation = try operation("2025-01-13,5.5\n2025-01-14,6.5\n2025-01-15,7.25\n")
    #expect(operation.body == .csv(CSVLayout(delimiter: UInt8(ascii: ","), header: .none)))
    #expect(paths(operation) == ["-", "time $.c0", "price $.c1"])
  }

  @Test func `has the one price of a sheet with one row`() throws {
    let operation = try operation("symbol;last\nBTC;96841.32\n")
    #expect(paths(operation).contains("price $.last"))
  }

  @Test func `has the line of a tree, with the first of its elements for an example`() throws {
    let days = (10...29).map { "<day date=\"2025-01-\($0)\"><close>\($0).5</close></day>" }.joined(separator: "\n")
    let operation = try operation("<?xml version=\"1.0\"?>\n<history><by>x</by>\(days)</history>\n")
    #expect(operation.body == .xml)
    #expect(paths(operation) == ["$.history.day", "time $.\"@date\"", "price $.close"])
  }

  @Test(arguments: ["hello, world\n", "<a><b></a>", "<!DOCTYPE html><html/>", "a,b\n"])
  func `is not made of what is neither`(body: String) {
    #expect(throws: BitpalError.self) {
      _ = try ProviderGuess(SampleAnswer(body: Array(body.utf8)), id: "mine")
    }
  }
}
