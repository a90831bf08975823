/// The marks of numbers in texts for people: between thousands, and before decimals.
///
/// Written after the number symbols of the Unicode CLDR, version 46.
package struct DigitMarks: Hashable, Sendable {
  package let grouping: String
  package let decimal: String

  /// Whether digits above the thousands are in pairs, as in `12,34,567` in India.
  package var hasPairs = false

  /// The marks of `1,234.56`.
  package static let standard = DigitMarks(grouping: ",", decimal: ".")

  /// Returns the marks of a locale such as `de_DE.UTF-8`, `fr` or `C`; nil for a locale that is not known.
  package static func of(locale: String) -> DigitMarks? {
    let name = locale.prefix { $0 != "." && $0 != "@" }.replacing("-", with: "_").lowercased()
    if name == "c" || name == "posix" { return .standard }
    let language = String(name.prefix { $0 != "_" })
    for (marks, names) in table where names.contains(name) { return marks }
    for (marks, names) in table where names.contains(language) { return marks }
    return nil
  }

  private static let table: [(DigitMarks, Set<String>)] = [
    (.standard, ["en", "ja", "zh", "ko", "he", "th", "ms", "es_mx", "es_us", "es_gt", "es_pe", "es_do", "ga", "cy"]),
    (
      DigitMarks(grouping: ",", decimal: ".", hasPairs: true),
      ["en_in", "hi", "as", "bn", "gu", "kn", "ml", "mr", "ne", "or", "pa", "ta", "te", "ur"]
    ),
    (
      DigitMarks(grouping: ".", decimal: ","),
      [
        "de", "nl", "da", "el", "es", "id", "it", "tr", "pt", "ro", "hr", "sl", "sr", "is", "vi", "gl", "ca", "eu",
        "bs", "mk",
      ]
    ),
    (DigitMarks(grouping: "\u{2019}", decimal: "."), ["de_ch", "de_li", "it_ch", "rm"]),
    (
      DigitMarks(grouping: "\u{A0}", decimal: ","),
      [
        "sv", "nb", "no", "nn", "fi", "pl", "cs", "sk", "ru", "uk", "hu", "bg", "lt", "lv", "et", "pt_pt", "de_at",
        "be", "kk",
        "sq", "hy", "ka", "en_za",
      ]
    ),
    (DigitMarks(grouping: "\u{202F}", decimal: ","), ["fr", "fr_ch"]),
  ]
}
