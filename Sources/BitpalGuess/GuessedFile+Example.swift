import BitpalJSON
import BitpalModel
import FoundationEssentials

/// The example of a guessed file: the sample, shortened to what is needed, and the time of the question.
extension GuessedFile {
  /// The lines for the window of the example, which has to contain all rows that are kept of the sample; empty for
  /// quotes.
  var windowLines: [String] {
    guard operation.capability != .quotes else { return [] }
    let dates = operation.expected.compactMap { $0["time"].flatMap { Date(utcText: $0) } }
    guard let first = dates.min(), let last = dates.max() else { return [] }
    let width = self.width ?? .seconds(86_400)
    let window = max(last.since(first) + width, width)
    let lines = ["    now: \(last.iso8601)", "    window: \(window.milliseconds / 1000)s"]
    return operation.capability == .candles ? lines + ["    width: \(width.unitText)"] : lines
  }

  /// Returns the sample as JSON on one line, or in its own form; of a series only its first rows.
  ///
  /// - Throws: ``/BitpalJSON/JSONRows/Failure`` when SQLite cannot read the sample.
  func exampleBody() throws -> String {
    if let (form, sent) = sample.other {
      let isSeries = operation.capability != .quotes
      let path = (operation.container?.steps ?? []).compactMap { step -> String? in
        if case .key(let key) = step { key } else { nil }
      }
      let body = isSeries ? form.beginning(of: sent, rows: ProviderGuess.exampleRows, at: path) : sent
      return String(decoding: body, as: UTF8.self).replacing("\r\n", with: "\n")
    }
    var result = ""
    let reader = try JSONRows()
    var none = SampleNames(SampleAnswer(body: [], coin: "", symbol: "\u{0}", currency: "\u{0}"))
    guard operation.capability != .quotes, let container = operation.container else {
      try reader.forEach("SELECT json(?1)", in: sample.body) { result = $0.text(0) ?? "" }
      return result
    }
    let path = container.text(&none)
    let rows =
      "(SELECT key, iif(type = 'text', json_quote(value), value) AS value FROM json_each(?1, ?2) LIMIT \(ProviderGuess.exampleRows))"
    let group = """
      (SELECT CASE json_type(?1, ?2) WHEN 'array' THEN (SELECT json_group_array(json(value)) FROM \(rows))
        ELSE (SELECT json_group_object(key, json(value)) FROM \(rows)) END)
      """
    let sql = path == "$" ? "SELECT json(\(group))" : "SELECT json_replace(?1, ?2, json(\(group)))"
    try reader.forEach(sql, in: sample.body, parameters: [path]) { result = $0.text(0) ?? "" }
    return result
  }
}
