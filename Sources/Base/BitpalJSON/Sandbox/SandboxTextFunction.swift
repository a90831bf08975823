import BitpalModel
import CSQLite
import Glibc

/// Replacements for SQLite's text search functions that take time proportional to the length of their texts.
///
/// SQLite's own compare the pattern at each position of the text, within a single step that cannot be interrupted: a
/// body of 8 MB kept `instr` busy for six minutes. The results are the same.
enum SandboxTextFunction: String, CaseIterable {
  case instr
  case replace
  case trim
  case ltrim
  case rtrim
  case like
  case glob

  /// The numbers of arguments of the replaced calls; `trim` of one argument only removes spaces, and remains SQLite's
  /// own.
  var argumentCounts: [Int32] {
    switch self {
    case .instr, .trim, .ltrim, .rtrim, .glob: [2]
    case .replace: [3]
    case .like: [2, 3]
    }
  }

  /// The longest pattern in bytes: each `%` in it may cause a recursive call.
  private static let longestPattern = 10_000

  /// The most comparisons of one call, about half a second.
  private static let mostComparisons = 1 << 27

  func run(_ call: SandboxCall) {
    let isPattern = self == .like || self == .glob
    guard let first = isPattern ? call.terminatedText(0) : call.text(0),
      let second = isPattern ? call.terminatedText(1) : call.text(1)
    else { return }
    call.guardian.checkTime()
    if let exhaustion = call.guardian.exhaustion { return call.stop(exhaustion) }
    switch self {
    case .instr: call.result(Self.place(of: second, in: first))
    case .replace: if let third = call.text(2) { Self.replace(second, with: third, in: first, call) }
    case .trim: Self.trim(first, of: second, atStart: true, atEnd: true, call)
    case .ltrim: Self.trim(first, of: second, atStart: true, atEnd: false, call)
    case .rtrim: Self.trim(first, of: second, atStart: false, atEnd: true, call)
    case .like, .glob: match(first, second, call)
    }
  }

  // MARK: Finding

  /// Returns the position of the wanted text in characters, from 1; 0 when it does not occur.
  private static func place(of wanted: UnsafeBufferPointer<UInt8>, in text: UnsafeBufferPointer<UInt8>) -> Int {
    guard let found = find(wanted, in: text, from: 0) else { return 0 }
    // Continuation bytes do not begin a character.
    return text[..<found].reduce(1) { $1 & 0xC0 == 0x80 ? $0 : $0 + 1 }
  }

  private static func replace(
    _ wanted: UnsafeBufferPointer<UInt8>, with new: UnsafeBufferPointer<UInt8>, in text: UnsafeBufferPointer<UInt8>,
    _ call: SandboxCall
  ) {
    guard !wanted.isEmpty else { return call.result(argument: 0) }
    let limit = Int(sqlite3_limit(sqlite3_context_db_handle(call.context), SQLITE_LIMIT_LENGTH, -1))
    var result: [UInt8] = []
    var start = 0
    while let found = find(wanted, in: text, from: start) {
      result += text[start..<found]
      result += new
      start = found + wanted.count
      guard result.count <= limit else { return sqlite3_result_error_toobig(call.context) }
    }
    guard start > 0 else { return call.result(argument: 0) }
    result += text[start...]
    result.withUnsafeBufferPointer { call.result($0) }
  }

  /// Returns the offset of a text by glibc's `memmem`, whose time grows with the length of both texts (two-way
  /// algorithm).
  private static func find(
    _ wanted: UnsafeBufferPointer<UInt8>, in text: UnsafeBufferPointer<UInt8>, from start: Int
  ) -> Int? {
    if wanted.isEmpty { return start }
    guard let base = text.baseAddress, start < text.count,
      let found = memmem(base + start, text.count - start, wanted.baseAddress, wanted.count)
    else { return nil }
    return UnsafeRawPointer(found) - UnsafeRawPointer(base)
  }

  // MARK: Trimming

  private static func trim(
    _ text: UnsafeBufferPointer<UInt8>, of characters: UnsafeBufferPointer<UInt8>, atStart: Bool, atEnd: Bool,
    _ call: SandboxCall
  ) {
    if let rest = trimmedASCII(text, of: characters, atStart, atEnd) { return call.result(rest) }
    let unwanted = Set(String(decoding: characters, as: UTF8.self).unicodeScalars)
    let whole = String(decoding: text, as: UTF8.self)
    var rest = whole.unicodeScalars[...]
    if atStart { rest = rest.drop { unwanted.contains($0) } }
    if atEnd { while let last = rest.last, unwanted.contains(last) { rest.removeLast() } }
    call.result(String(rest))
  }

  /// Returns the trimmed text without decoding it; nil where a character beyond ASCII decides.
  private static func trimmedASCII(
    _ text: UnsafeBufferPointer<UInt8>, of characters: UnsafeBufferPointer<UInt8>, _ atStart: Bool, _ atEnd: Bool
  ) -> UnsafeBufferPointer<UInt8>? {
    var unwanted: UInt128 = 0
    for byte in characters where byte < 0x80 { unwanted |= 1 << UInt128(byte) }
    func isUnwanted(_ byte: UInt8) -> Bool { unwanted >> UInt128(byte) & 1 == 1 }
    var range = text.indices
    if atStart {
      while let first = range.first, text[first] < 0x80, isUnwanted(text[first]) { range.removeFirst() }
      if let first = range.first, text[first] >= 0x80 { return nil }
    }
    if atEnd {
      while let last = range.last, text[last] < 0x80, isUnwanted(text[last]) { range.removeLast() }
      if let last = range.last, text[last] >= 0x80 { return nil }
    }
    return UnsafeBufferPointer(rebasing: text[range])
  }

  // MARK: Matching

  /// Sets the result of LIKE or GLOB; `text LIKE pattern` is `like(pattern, text)`.
  private func match(_ pattern: UnsafeBufferPointer<UInt8>, _ text: UnsafeBufferPointer<UInt8>, _ call: SandboxCall) {
    let (comparisons, overflow) = pattern.count.multipliedReportingOverflow(by: text.count)
    guard pattern.count <= Self.longestPattern, !overflow, comparisons <= Self.mostComparisons else {
      return call.stop("\(rawValue) was given \(pattern.count) by \(text.count) characters, which would take too long")
    }
    var escape: UInt32 = 0
    if call.values.count > 2 {
      guard let third = call.text(2) else { return }
      let scalars = String(decoding: third, as: UTF8.self).unicodeScalars
      guard let only = scalars.first, scalars.count == 1 else {
        return sqlite3_result_error(call.context, "ESCAPE expression must be a single character", -1)
      }
      escape = only.value
    }
    // SQLite's texts end with a NUL, as these functions require.
    let difference = pattern.withMemoryRebound(to: CChar.self) { pattern in
      text.withMemoryRebound(to: CChar.self) { text in
        self == .glob
          ? sqlite3_strglob(pattern.baseAddress, text.baseAddress)
          : sqlite3_strlike(pattern.baseAddress, text.baseAddress, escape)
      }
    }
    call.result(difference == 0 ? 1 : 0)
  }
}
