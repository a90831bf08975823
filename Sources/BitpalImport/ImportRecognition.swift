import BitpalJSON
public import BitpalModel
import BitpalPortfolio

/// The kind of a CSV file, by its header.
public enum ImportRecognition {
  /// One of ours, or one like it.
  case own

  /// One that an import knows.
  case known(ImportSpecification, RecognizedFile)

  /// No larger file is read, to import it or to begin an import with: it has more than a hundred times what a long life of
  /// trading fills.
  public static let largestFile = 64 << 20

  /// The id by which our own files are chosen.
  public static let ownID = "bitpal"

  /// Our own header, as a file must have it.
  public static let ownHeader = TransactionCSV.Column.required.map(\.rawValue)

  /// The optional columns of our own files.
  public static let ownOptional = TransactionCSV.Column.allCases.filter { !TransactionCSV.Column.required.contains($0) }
    .map(\.rawValue)

  /// Looks at the first lines of a file.
  ///
  /// - Parameters:
  ///   - bytes: The file.
  ///   - name: The file's name in messages.
  ///   - imports: The imports that may know it; of several that do, the one with the most columns.
  ///   - isOwnKnown: Whether it may be one of ours.
  /// - Throws: ``/BitpalModel/BitpalError/dataFile(path:reason:)`` for a file that is not text, and for an unknown
  ///   header.
  public init(
    _ bytes: [UInt8], name: String, among imports: [ImportSpecification], isOwnKnown: Bool = true
  ) throws(BitpalError) {
    let headers: [CSVSheet.Header]
    do throws(BodyFault) {
      let lines = (imports.map(\.skip).max() ?? 0) + 1
      let delimiters = Set(imports.compactMap(\.delimiter)).subtracting(ImportSpecification.usualDelimiters)
      headers = try CSVSheet.headers(
        in: bytes, within: lines, delimiters: ImportSpecification.usualDelimiters + delimiters.sorted())
    } catch {
      // A reader of one file alone says it with the place; see there.
      throw Self.refusal(of: name, error)
    }
    var best: (specification: ImportSpecification, header: CSVSheet.Header, columns: Int)?
    for header in headers {
      for specification in imports {
        guard let columns = specification.columns(in: header), columns > best?.columns ?? 0 else { continue }
        best = (specification, header, columns)
      }
    }
    if let best {
      self = .known(best.specification, RecognizedFile(sheet: CSVSheet(bytes, header: best.header)))
      return
    }
    if isOwnKnown, headers.contains(where: Self.isOwn) {
      self = .own
      return
    }
    throw Self.refusal(of: name, headers, imports, isOwnKnown: isOwnKnown)
  }

  /// A header that lacks a column of ours, or has one too many, is ours all the same: what is wrong with it is told then.
  private static func isOwn(_ header: CSVSheet.Header) -> Bool {
    let names = Set(header.names.map { $0.lowercased() })
    let known = names.intersection(ownHeader).count
    let foreign = names.subtracting(ownHeader + ownOptional).count
    // Bitvavo and Revolut have a date, a type and an amount too, among columns of their own.
    return header.delimiter == UInt8(ascii: ",") && known >= 3 && foreign <= known - 3
  }

  private static func refusal(of name: String, _ fault: BodyFault) -> BitpalError {
    let place = fault.line == 1 && fault.column == 1 ? name : "\(name):\(fault.line):\(fault.column)"
    return .dataFile(path: place, reason: "\(fault.message); nothing was imported")
  }

  private static func refusal(
    of name: String, _ headers: [CSVSheet.Header], _ imports: [ImportSpecification], isOwnKnown: Bool
  ) -> BitpalError {
    guard !headers.isEmpty else {
      return .dataFile(
        path: name,
        reason: "no line of it is a header: names of columns with , ; or a tab between them; nothing was imported")
    }
    if imports.count == 1, let only = imports.first, !isOwnKnown {
      let lacking = headers.map { only.lacking(in: $0) }.min { $0.count < $1.count } ?? []
      return .dataFile(
        path: name,
        reason: "it is no file of \(only.id): its header lacks \(quoted(lacking)); nothing was imported")
    }
    var nearest: (id: String, lacking: [String])?
    for specification in imports {
      for header in headers {
        let lacking = specification.lacking(in: header)
        let isNear = lacking.count * 2 < specification.headers.first?.count ?? 0
        if isNear, lacking.count < nearest?.lacking.count ?? .max { nearest = (specification.id, lacking) }
      }
    }
    let hint = nearest.map { "; nearest is \($0.id), which has \(quoted($0.lacking)) in addition" }
    let known = (imports.map(\.id) + (isOwnKnown ? [ownID] : [])).sorted().joined(separator: ", ")
    let header = headers.max { $0.names.count < $1.names.count }?.names.joined(separator: ",") ?? ""
    return .dataFile(
      path: name,
      reason: "no import knows its header \(header.printable(limit: 120))\(hint ?? ""); there are \(known); "
        + "\"bitpal imports new NAME \(name.printable(limit: 200))\" begins another; nothing was imported")
  }
}

private func quoted(_ names: [String]) -> String {
  names.map { "\"\($0.printable(limit: 40))\"" }.joined(separator: ", ")
}

extension ImportSpecification {
  /// Returns the number of columns of a header that this import knows; nil when it lacks a required one.
  fileprivate func columns(in header: CSVSheet.Header) -> Int? {
    guard delimiter ?? header.delimiter == header.delimiter, header.line <= skip + 1, lacking(in: header).isEmpty else {
      return nil
    }
    let names = Set(header.names.map { $0.lowercased() })
    return columns.count { names.contains($0.lowercased()) }
  }

  /// Returns the columns that a header lacks to be one of this import's.
  fileprivate func lacking(in header: CSVSheet.Header) -> [String] {
    let names = Set(header.names.map { $0.lowercased() })
    let lacking = headers.map { $0.filter { !names.contains($0.lowercased()) } }
    return lacking.min { $0.count < $1.count } ?? []
  }
}
