import BitpalTesting
import Testing

@Suite struct `Golden files` {
  @Test func `The content of the file passes`() throws {
    try Golden.expect("two\nlines\n", is: "sample.txt")
  }

  @Test func `Another text fails with the line in which it differs`() throws {
    try withKnownIssue {
      try Golden.expect("two\nrows\n", is: "sample.txt")
    } matching: { issue in
      issue.comments.first?.rawValue == """
        sample.txt differs: line 2 is
          rows
        instead of
          lines
        BITPAL_RECORD_GOLDEN=1 writes it again
        """
    }
  }

  @Test func `A file that is not there fails with how to write it`() throws {
    try withKnownIssue {
      try Golden.expect("x", is: "none.txt")
    } matching: { issue in
      issue.comments.first?.rawValue.hasSuffix("/Golden/none.txt is missing; BITPAL_RECORD_GOLDEN=1 writes it") == true
    }
  }
}
