import BitpalModel
import BitpalOutput
import BitpalQueries

/// The form of an answer under `/v1`: an object, rows for a spreadsheet, or text for a status bar.
///
/// `format=` decides, otherwise `Accept`; JSON is for clients that accept anything.
enum AnswerForm: String, CaseIterable, Sendable {
  case json
  case csv
  case txt

  static let parameter = ParameterSpec(
    "format", .choice(allCases.map(\.rawValue)), "the form of the answer, before what Accept asks for (json)")

  /// The header for caches between here and the client: the form depends on `Accept`.
  static let variance = WebHeader("Vary", "Accept")

  var kind: WebResponse.Kind {
    switch self {
    case .json: .json
    case .csv: .csv
    case .txt: .text
    }
  }

  /// Returns an answer in this form.
  func text(_ output: some OutputShape) -> String {
    switch self {
    case .json: output.jsonText
    case .csv: output.sheet
    case .txt: output.plainText
    }
  }

  /// The form that a client prefers: of those with the highest weight the first of `json`, `csv` and `txt`.
  ///
  /// A type with a wildcard means JSON, and so does a list without any of the three.
  init(accepting lists: [String]) {
    var best = (form: AnswerForm.json, weight: 0.0)
    for range in lists.flatMap({ $0.split(separator: ",") }) {
      let parts = range.split(separator: ";").map { $0.trimmedOfSpaces.lowercased() }
      let form: AnswerForm
      switch parts.first {
      case "text/csv"?: form = .csv
      case "text/plain"?: form = .txt
      case "application/json"?, "application/*"?, "*/*"?: form = .json
      default: continue
      }
      let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
      if weight > best.weight || weight == best.weight && form.rank < best.form.rank { best = (form, weight) }
    }
    self = best.form
  }

  private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

extension WebRequest {
  /// Returns the form that the answer is to have.
  ///
  /// - Throws: ``BitpalError/usage(_:hint:)`` for an unknown one.
  func form() throws(BitpalError) -> AnswerForm {
    if let name = try word(AnswerForm.parameter) { return AnswerForm(rawValue: name) ?? .json }
    return AnswerForm(accepting: head.values(of: "accept"))
  }
}

extension WebResponse {
  /// Creates a response with an answer in the form that the request asks for.
  ///
  /// - Throws: ``BitpalError/usage(_:hint:)`` for an unknown form.
  init(
    _ output: some OutputShape, for request: WebRequest, status: Int = 200, headers: [WebHeader] = []
  ) throws(BitpalError) {
    let form = try request.form()
    let isSheet = form == .csv
    self.init(
      form.text(output), as: form.kind, status: status, headers: headers + [AnswerForm.variance])
    // RFC 4180: whether the first line has the names of the columns.
    if isSheet {
      self.headers.removeAll { $0.key == "content-type" }
      self.headers.insert(WebHeader("Content-Type", form.kind.rawValue + "; header=present"), at: 0)
    }
  }
}
