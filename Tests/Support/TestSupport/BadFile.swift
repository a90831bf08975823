import Testing

/// A file with mistakes, and everything that is said about it.
struct BadFile: CustomTestStringConvertible {
  let testDescription: String
  let text: String
  let complaint: String

  init(_ testDescription: String, _ text: String, _ complaint: String) {
    self.testDescription = testDescription
    self.text = text
    self.complaint = complaint
  }
}
