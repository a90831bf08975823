import BitpalJSON
package import BitpalModel
import BitpalNetwork
import BitpalProviders
import FoundationEssentials

/// A provider file guessed from one answer of a source: the likely path of each column, with a confidence.
///
/// It is pure: it reads and writes no files.
package struct ProviderGuess: Sendable {
  /// The operation that the sample answers.
  package let capability: Capability

  /// The columns, in the order of the file.
  package let columns: [GuessedColumn]

  /// The alternatives for an uncertain price, the most likely first.
  package let candidates: [GuessedColumn]

  /// The notes about other parts that the user should check, one sentence each.
  package let notes: [String]

  /// The text of the provider file.
  package let text: String

  /// The name and bytes of a file for a sample that is too large for the provider file; nil otherwise.
  package let bodyFile: (name: String, bytes: [UInt8])?

  /// The number of rows of a series in an example.
  static let exampleRows = 5

  /// Guesses a provider file.
  ///
  /// - Parameters:
  ///   - sample: An answer of the source, and the URL of its request.
  ///   - id: The provider's id, which the caller has validated.
  ///   - wanted: The operation that the sample answers; nil to guess it.
  /// - Throws: `BitpalError.usage` when the body is neither JSON nor CSV nor XML, nothing in it looks like a price, or its
  ///   URL cannot be used in a provider file.
  package init(_ sample: SampleAnswer, id: String, asking wanted: Capability? = nil) throws(BitpalError) {
    var sample = sample
    sample.body = sample.redaction.bytes((try? BodyText.utf8(sample.body)) ?? sample.body)
    if let form = SampleForm(sample.body) {
      sample.other = (form, sample.body)
      sample.body = form.json
    }
    let tree = try Self.tree(of: &sample)
    let (operation, names, url) = try Self.operation(in: tree, of: sample, asking: wanted)
    capability = operation.capability
    columns = operation.columns
    candidates = operation.candidates
    let file = GuessedFile(id: id, sample: sample, operation: operation, names: names, url: url)
    notes = file.notes
    do {
      (text, bodyFile) = try file.text()
    } catch {
      throw .usage("the sample cannot be made an example of: \(error)")
    }
  }

  private static func tree(of sample: inout SampleAnswer) throws(BitpalError) -> SampleNode {
    do {
      return try SampleNode(sample.body, isCut: &sample.isCut)
    } catch {
      var reason = "cannot be read: \(error)"
      if let failure = error as? JSONRows.Failure, case .notJSON(let start) = failure {
        reason = "is not JSON; it starts with \(start)"
      }
      throw .usage(
        "the sample \(reason)", hint: "save one answer of the source as it comes, and name it with --from-file")
    }
  }

  /// Returns the operation that the sample answers, with the source's own names of coin and currency and the parts of
  /// the URL.
  private static func operation(
    in tree: SampleNode, of sample: SampleAnswer, asking wanted: Capability?
  ) throws(BitpalError) -> (GuessedOperation, SampleNames, SampleURL?) {
    // The URL is read first: it gives the source's own names.
    var names = SampleNames(sample)
    var url = try url(of: sample, &names, isSeries: true)
    if wanted != .quotes, let series = SeriesGuess.find(in: tree, asking: wanted, &names) {
      return (series, names, url)
    }
    if let wanted, wanted != .quotes {
      throw .usage(
        "nothing in the sample looks like \(wanted == .line ? "a line" : "candles")",
        hint: "a series has a time and a price in each row")
    }
    names = SampleNames(sample)
    url = try self.url(of: sample, &names, isSeries: false)
    guard let quotes = QuoteGuess.find(in: tree, &names, isBatch: url?.isBatch == true) else {
      let part = sample.isCut ? "the first \(SampleNode.most) values of " : ""
      throw .usage(
        "nothing in \(part)the sample looks like a price",
        hint: "see docs/providers.md for how to write the file by hand")
    }
    return (quotes, names, url)
  }

  private static func url(
    of sample: SampleAnswer, _ names: inout SampleNames, isSeries: Bool
  ) throws(BitpalError) -> SampleURL? {
    guard let text = sample.url else { return nil }
    guard let url = SampleURL(text, &names, isSeries: isSeries) else {
      throw .usage(
        "the URL of the sample is none that a provider file can have",
        hint: "it begins with https:// and has no user, spaces, # or braces")
    }
    return url
  }
}
