import Testing

/// A file with mistakes, and the message about them.
package struct BadFile: CustomTestStringConvertible {
  package let testDescription: String
  package let text: String
  package let complaint: String

  package init(_ testDescription: String, _ text: String, _ complaint: String) {
    self.testDescription = testDescription
    self.text = text
    self.complaint = complaint
  }
}
