import BitpalJSON
package import BitpalModel
import FoundationEssentials

/// The kind of a CSV file, recognized by its header.
package enum ImportRecognition {
  /// A file in bitpal's own format, or one whose header is close to it.
  case own

  /// A file whose header matches an import.
  case known(ImportSpecification, RecognizedFile)

  /// The largest file that is read, in bytes: 64 MiB.
  ///
  /// It is more than a hundred times the size of decades of trades.
  package static let largestFile = 64 << 20

  /// The id of the import of bitpal's own format.
  package static let ownID = "bitpal"

  /// The columns that a file in bitpal's own format must have.
  package static let ownHeader = TransactionCSV.Column.required.map(\.rawValue)

  /// The optional columns of bitpal's own format.
  package static let ownOptional = TransactionCSV.Column.allCases.filter {
    !TransactionCSV.Column.required.contains($0)
  }
  .map(\.rawValue)

  /// Recognizes a file by its first lines.
  ///
  /// - Parameters:
  ///   - bytes: The file.
  ///   - name: The file's name in messages.
  ///   - imports: The candidates; of several that match, the one with the most columns of the header is chosen.
  ///   - isOwnKnown: Whether bitpal's own format is a candidate too.
  /// - Throws: ``/BitpalModel/BitpalError/dataFile(path:reason:)`` for a file that is not text, for an unknown header, and
  ///   for one that several imports know equally well.
  package init(
    _ bytes: [UInt8], name: String, among imports: [ImportSpecification], isOwnKnown: Bool = true
  ) throws(BitpalError) {
    self = try Self(text: Self.text(of: bytes, name: name).text, name: name, among: imports, isOwnKnown: isOwnKnown)
  }

  /// Recognizes a text of ``text(of:name:encoding:)``, as ``init(_:name:among:isOwnKnown:)`` does a file.
  package init(
    text bytes: [UInt8], name: String, among imports: [ImportSpecification], isOwnKnown: Bool = true
  ) throws(BitpalError) {
    let headers: [CSVSheet.Header]
    do throws(BodyFault) {
      let lines = (imports.map(\.skip).max() ?? 0) + 1
      let delimiters = Set(imports.compactMap(\.delimiter)).subtracting(ImportSpecification.usualDelimiters)
      headers = try CSVSheet.headers(
        in: bytes, within: lines, delimiters: ImportSpecification.usualDelimiters + delimiters.sorted())
    } catch {
      // The fault becomes an error of the data file, with its place.
      let isUTF8 = (try? UTF8Span(validating: bytes.span)) != nil
      throw Self.refusal(of: name, error, hint: isUTF8 ? "" : "; --encoding says what it is, such as windows-1250")
    }
    var best: [(specification: ImportSpecification, header: CSVSheet.Header)] = []
    var most = 1
    for header in headers {
      for specification in imports {
        guard let columns = specification.columns(in: header), columns >= most else { continue }
        if columns > most { best = [] }
        most = columns
        if !best.contains(where: { $0.specification.id == specification.id }) { best.append((specification, header)) }
      }
    }
    guard best.count < 2 else {
      let ids = best.map(\.specification.id).sorted()
      throw .dataFile(
        path: name,
        reason: "\(ids.joined(separator: " and ")) read files with its header; say which one reads this file: "
          + "\(ids.map { "--as \($0)" }.joined(separator: " or ")); nothing was imported")
    }
    if let best = best.first {
      self = try Self.known(best.specification, CSVSheet(bytes, header: best.header), name)
      return
    }
    if isOwnKnown, headers.contains(where: Self.isOwn) {
      self = .own
      return
    }
    throw Self.refusal(of: name, headers, imports, isOwnKnown: isOwnKnown)
  }

  /// Returns the text of a file in UTF-8.
  ///
  /// - Parameter encoding: The character set of a file without a byte order mark; nil for UTF-8, and for the one that the
  ///   bytes show.
  /// - Returns: The text, and the character set that the bytes showed; nil for UTF-8 and for one that is stated.
  /// - Throws: ``/BitpalModel/BitpalError/dataFile(path:reason:)`` for bytes that are not of the character set.
  package static func text(
    of bytes: consuming [UInt8], name: String, encoding: String? = nil
  ) throws(BitpalError) -> (text: [UInt8], apparent: String?) {
    if bytes.starts(with: [0x50, 0x4B, 3, 4]) || bytes.starts(with: [0xD0, 0xCF, 0x11, 0xE0]) {
      let isWorkbook = bytes[0] == 0xD0 || bytes.firstRange(of: Array("xl/workbook".utf8)) != nil
      throw .dataFile(
        path: name,
        reason: (isWorkbook
          ? "it is a workbook; save its sheet as CSV and import that"
          : "it is a ZIP file; unpack it and import the CSV file in it") + "; nothing was imported")
    }
    if let other = markup(bytes) {
      throw .dataFile(
        path: name,
        reason: "it is \(other), and imports read CSV; export it as CSV, or convert it; nothing was imported")
    }
    let apparent = encoding == nil ? BodyText.apparent(bytes) : nil
    do throws(BodyFault) {
      return (withoutMarks(try BodyText.utf8(bytes, assumed: encoding ?? apparent)), apparent)
    } catch {
      throw refusal(of: name, error)
    }
  }

  /// Returns the kind of a text that begins as no CSV does; nil for any other.
  private static func markup(_ bytes: [UInt8]) -> String? {
    let start = String(decoding: bytes.prefix(256), as: UTF8.self).filter { !$0.isWhitespace && $0 != "\u{FEFF}" }
    if ["{\"", "[{", "[["].contains(where: start.hasPrefix) { return "JSON" }
    let words = ["<?xml": "XML", "<!doctype": "HTML", "<html": "HTML", "<table": "HTML"]
    return words.first { start.lowercased().hasPrefix($0.key) }?.value
  }

  /// Returns whether a character set is read, by its name in lower case.
  package static func canRead(_ encoding: String) -> Bool { BodyText.canRead(encoding) }

  /// Returns a text without the byte order marks within it, which some exports write before each field.
  private static func withoutMarks(_ bytes: [UInt8]) -> [UInt8] {
    let mark = BodyFault.byteOrderMark
    guard bytes.contains(mark[0]), bytes.firstRange(of: mark) != nil else { return bytes }
    return Array(bytes.split(separator: mark, omittingEmptySubsequences: false).joined())
  }

  /// Returns whether a header is that of bitpal's own format or close to it; reading the file then reports its faults.
  private static func isOwn(_ header: CSVSheet.Header) -> Bool {
    let names = Set(header.names.map { $0.lowercased() })
    let known = names.intersection(ownHeader).count
    let foreign = names.subtracting(ownHeader + ownOptional).count
    // Files of Bitvavo and Revolut also have a date, a type and an amount, but more columns of their own.
    return ImportSpecification.usualDelimiters.contains(header.delimiter) && known >= 3 && foreign <= known - 3
  }

  /// Returns a file whose header matches an import; rows of another table above it are refused.
  private static func known(
    _ specification: ImportSpecification, _ sheet: CSVSheet, _ name: String
  ) throws(BitpalError) -> Self {
    guard let line = sheet.rowAboveHeader else { return .known(specification, RecognizedFile(sheet: sheet)) }
    throw .dataFile(
      path: "\(name):\(line)",
      reason:
        "it looks like a row of another table, above the header of \(specification.id) on line \(sheet.header.line); part the file "
        + "and import each part, or take the lines above that header out; nothing was imported")
  }

  private static func refusal(of name: String, _ fault: BodyFault, hint: String = "") -> BitpalError {
    let place = fault.line == 1 && fault.column == 1 ? name : "\(name):\(fault.line):\(fault.column)"
    return .dataFile(path: place, reason: "\(fault.message)\(hint); nothing was imported")
  }

  private static func refusal(
    of name: String, _ headers: [CSVSheet.Header], _ imports: [ImportSpecification], isOwnKnown: Bool
  ) -> BitpalError {
    guard !headers.isEmpty else {
      return .dataFile(
        path: name,
        reason: "no line of it is a header: names of columns with , ; or a tab between them; nothing was imported")
    }
    if let translated = imports.first(where: { $0.isTranslated(in: headers) }) {
      return .dataFile(
        path: name,
        reason:
          "its header is that of \(translated.name) in another language, and it is read in English: export it again "
          + "\(translated.english ?? "in English"); nothing was imported")
    }
    if imports.count == 1, let only = imports.first, !isOwnKnown {
      let lacking = headers.map { only.lacking(in: $0) }.min { $0.count < $1.count } ?? []
      return .dataFile(
        path: name,
        reason: "it is not a file of \(only.id): its header lacks \(quoted(lacking)); nothing was imported")
    }
    var nearest: (id: String, lacking: [String])?
    for specification in imports {
      for header in headers {
        let lacking = specification.lacking(in: header)
        let isNear = lacking.count * 2 < specification.headers.first?.count ?? 0
        if isNear, lacking.count < nearest?.lacking.count ?? .max { nearest = (specification.id, lacking) }
      }
    }
    let hint =
      JournalNeeds.isOfBeancount(file: name) != nil
      ? "; \"bitpal history --for\" prints the prices that a journal needs"
      : nearest.map { "; nearest is \($0.id), which has \(quoted($0.lacking)) in addition" }
    let known = (imports.map(\.id) + (isOwnKnown ? [ownID] : [])).sorted().joined(separator: ", ")
    let header = headers.max { $0.names.count < $1.names.count }?.names.joined(separator: ",") ?? ""
    return .dataFile(
      path: name,
      reason: "no import knows its header \(header.printable(limit: 120))\(hint ?? ""); nothing was imported; "
        + "\"bitpal imports new NAME \(name.printable(limit: 100))\" begins another; there are \(known)")
  }
}

private func quoted(_ names: [String]) -> String {
  names.map { "\"\($0.printable(limit: 40))\"" }.joined(separator: ", ")
}

extension CSVSheet {
  /// The line of a row of another table above the header, as where the files of two exchanges or of two years were joined: five fields
  /// or more with a day and a number among them, as many as in the line above it or in the header; nil for titles alone.
  fileprivate var rowAboveHeader: Int? {
    var last = 0
    for line in 1..<header.line {
      let texts = fields(ofLine: line).map(\.text)
      let filled = texts.filter { !$0.isEmpty }
      defer { last = texts.count }
      guard filled.count >= 5, filled.count * 3 >= texts.count * 2, [last, header.names.count].contains(texts.count)
      else {
        continue
      }
      let others = filled.filter { ImportDate($0) == nil }
      if others.count < filled.count, others.contains(where: { (try? Decimal(strict: $0)) != nil }) { return line }
    }
    return nil
  }
}

extension ImportSpecification {
  /// Returns the number of columns of a header that this import knows; nil when the header does not match.
  fileprivate func columns(in header: CSVSheet.Header) -> Int? {
    guard delimiter ?? header.delimiter == header.delimiter, header.above <= skip, lacking(in: header).isEmpty else {
      return nil
    }
    return columns.count { header.index(of: $0) != nil }
  }

  /// Returns whether one of the headers has all columns of a translation.
  fileprivate func isTranslated(in headers: [CSVSheet.Header]) -> Bool {
    headers.contains { header in
      let names = Set(header.names.map { $0.lowercased() })
      return translations.contains { names.isSuperset(of: $0.map { $0.lowercased() }) }
    }
  }

  /// Returns the required columns that a header lacks, for the import's alternative that lacks the fewest.
  fileprivate func lacking(in header: CSVSheet.Header) -> [String] {
    let lacking = headers.map { $0.filter { header.index(of: $0) == nil } }
    return lacking.min { $0.count < $1.count } ?? []
  }
}
