import BitpalModel
import CYAML

/// Why libyaml stopped, and the words for it.
struct YAMLProblem {
  private let problem: String
  private let place: Place
  private let context: YAMLMark

  private enum Place {
    case mark(YAMLMark)
    case byte(Int)
  }

  /// Takes the problem from a parser that has just failed.
  init(_ parser: yaml_parser_t) {
    problem = parser.problem.map { String(cString: $0) } ?? "out of memory"
    place =
      parser.error == YAML_READER_ERROR ? .byte(parser.problem_offset) : .mark(YAMLMark(parser.problem_mark))
    context = YAMLMark(parser.context_mark)
  }

  /// The issue, at the place where the mistake is rather than where it was noticed.
  func issue(in source: YAMLSource) -> ConfigurationIssue {
    let mark: YAMLMark
    switch place {
    case .byte(let offset):
      return source.issue(
        problem.contains("control characters")
          ? "a control character is not allowed" : "this is not valid UTF-8; save the file as UTF-8",
        at: source.mark(ofByte: offset))
    case .mark(let place): mark = source.clamped(place)
    }
    let character = source.scalar(at: mark)
    if character == "\t" || problem.contains("tab character") {
      return source.issue("a tab cannot be used here; indent with spaces", at: mark)
    }
    if problem.hasPrefix("did not find expected ',' or"), character == "[" || character == "{" {
      let shown = character.map(String.init) ?? ""
      return source.issue("a text with \"\(shown)\" in it needs quotes here, like \"$.a[0]\" or \"$.{id}.a\"", at: mark)
    }
    switch problem {
    case "found character that cannot start any token":
      let shown = character.map { String($0).printable() } ?? ""
      return source.issue("a value cannot start with \"\(shown)\"; put it in quotes", at: mark)
    case "mapping values are not allowed in this context":
      return source.issue(
        "a \":\" is not expected here; check the indentation, and put a text that contains \": \" in quotes", at: mark)
    case "could not find expected ':'":
      return source.issue("no \":\" follows; write  key: value", at: context)
    case "did not find expected key":
      return source.issue("a key is expected here; check the indentation of this line", at: mark)
    case "did not find expected node content":
      return source.issue("a value is expected here", at: mark)
    case "did not find expected '-' indicator":
      return source.issue("an item that starts with \"-\" is expected here; check the indentation", at: mark)
    case "did not find expected ',' or ']'":
      return source.issue("a \",\" or \"]\" is expected here; the list opens on line \(context.line)", at: mark)
    case "did not find expected ',' or '}'":
      return source.issue("a \",\" or \"}\" is expected here; the mapping opens on line \(context.line)", at: mark)
    case "found unexpected end of stream", "found unexpected document indicator":
      return source.issue("the quoted text that starts here has no closing quote", at: context)
    case "did not find expected <document start>":
      return source.issue("the file's value ends before this; nothing may follow it", at: mark)
    default:
      return source.issue("this is not YAML: \(problem.printable(limit: 200))", at: mark)
    }
  }
}
