import Foundation
import Testing

/// The language of comments, texts and pages: plain technical English, as CONTRIBUTING.md asks for.
@Suite struct `The language of code and pages` {
  @Test(arguments: Prose.Place.allCases)
  func `Plain words are used`(place: Prose.Place) {
    let faults = Prose.all[place, default: []].compactMap { line -> String? in
      Vocabulary.fault(in: line.text, isTitle: place == .testTitles).map { "\(line.place): \($0)" }
    }
    #expect(faults.isEmpty, "CONTRIBUTING.md has the words to use:\n\(faults.joined(separator: "\n"))")
    #expect(Prose.all[place, default: []].count > 20, "the scan finds \(place)")
  }

  @Test(arguments: Prose.modules)
  func `Comments of functions begin with a verb in the third person`(module: String) {
    var count = 0
    var faults: [String] = []
    for (place, comment, declaration) in Prose.comments(in: "Sources/" + module)
    where declaration.contains(/(^|\s)(func\s|init[?(<])/) {
      count += 1
      if comment.prefixMatch(of: /[A-Z][a-z-]*s\b/) == nil || comment.prefixMatch(of: /(This|Its)\b/) != nil {
        faults.append("\(place): \(comment)")
      }
    }
    #expect(faults.count * 20 <= count, "\(faults.count) of \(count):\n\(faults.joined(separator: "\n"))")
  }

  @Test func `Doc comments begin with a noun or a verb`() {
    let comments = Prose.modules.flatMap { Prose.comments(in: "Sources/" + $0) }
    let questions = comments.filter {
      $0.comment.prefixMatch(of: /(What|How|Where|Why|Which|When|By|Of|Who|Whose|Those)\s/) != nil
    }
    #expect(comments.count > 5000)
    #expect(questions.map(\.place) == [])
  }

  @Test func `The vocabulary finds what it is for`() {
    #expect(Vocabulary.fault(in: "the file is no database", isTitle: false) == "is no")
    #expect(Vocabulary.fault(in: "It is told Anew.", isTitle: false) == "told")
    #expect(Vocabulary.fault(in: "kept in vain", isTitle: false) == "in vain")
    #expect(Vocabulary.fault(in: "What is read is kept", isTitle: true) == "What")
    #expect(Vocabulary.fault(in: "what it is. No more", isTitle: false) == nil)
    #expect(Vocabulary.fault(in: "The amendment is not a database", isTitle: true) == nil)
  }
}

/// The words that CONTRIBUTING.md replaces by others.
private enum Vocabulary {
  static let words: Set<String> = [
    "nobody", "whoever", "somebody", "reckon", "reckons", "reckoned", "reckoning", "anew", "mend", "mends", "mended",
    "vouch", "vouches", "dearest", "beforehand", "seldom", "whence", "besides", "trouble", "troubles", "said", "told",
    "tell", "tells", "telling",
  ]

  /// Pairs of words; "is no database" means "is not a database".
  static let pairs: Set<String> = [
    "is no", "are no", "those who", "in vain", "sake of", "leave away", "leaves away", "left away", "put aside",
    "puts aside",
  ]

  static let openings: Set<String> = ["What", "Who", "Whoever", "Whose", "Of", "By", "Where"]

  /// Returns the first word or pair of words of a text that is not plain; nil for a plain text.
  static func fault(in text: String, isTitle: Bool) -> String? {
    if isTitle, let first = text.split(separator: " ").first, openings.contains(String(first)) { return String(first) }
    var last = ""
    var word: [UInt8] = []
    for byte in Array(text.utf8) + [UInt8(ascii: ".")] {
      if byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z") || byte == UInt8(ascii: "_")
        || byte >= 0x80
      {
        word.append(byte < 0x80 && byte != UInt8(ascii: "_") ? byte | 0x20 : byte)
        continue
      }
      if !word.isEmpty {
        let found = String(decoding: word, as: UTF8.self)
        if words.contains(found) { return found }
        if pairs.contains(last + " " + found) { return last + " " + found }
        last = found
        word.removeAll(keepingCapacity: true)
      }
      // A pair does not span punctuation.
      if byte != UInt8(ascii: " ") { last = "" }
    }
    return nil
  }
}
