package import BitpalModel
import CYAML

/// A reader of the events of a YAML text, which owns libyaml's parser.
package final class YAMLReader {
  private let source: YAMLSource
  private let parser: UnsafeMutablePointer<yaml_parser_t>
  private let input: UnsafeMutableBufferPointer<UInt8>
  private let isReady: Bool
  private var cursor = (byte: 0, index: 0)

  /// Creates a reader at the beginning of a source.
  package init(_ source: YAMLSource) {
    self.source = source
    // The parser keeps pointers to itself and to its input, so both have fixed addresses.
    parser = .allocate(capacity: 1)
    parser.initialize(to: yaml_parser_t())
    input = .allocate(capacity: source.bytes.count)
    _ = input.initialize(from: source.bytes)
    isReady = yaml_parser_initialize(parser) == 1
    if isReady {
      yaml_parser_set_input_string(parser, input.baseAddress, input.count)
      yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
    }
  }

  deinit {
    if isReady { yaml_parser_delete(parser) }
    parser.deinitialize(count: 1)
    parser.deallocate()
    input.deallocate()
  }

  /// Returns the next event.
  ///
  /// - Throws: The issue that stops reading.
  package func next() throws(ConfigurationIssue) -> YAMLEvent {
    guard isReady else { throw source.issue("out of memory") }
    var event = yaml_event_t()
    guard yaml_parser_parse(parser, &event) == 1 else { throw YAMLProblem(parser.pointee).issue(in: source) }
    defer { yaml_event_delete(&event) }
    return translated(event)
  }

  private func translated(_ event: yaml_event_t) -> YAMLEvent {
    let mark = YAMLMark(event.start_mark)
    func make(_ kind: YAMLEvent.Kind, anchor: Bool = false, tag: Bool = false) -> YAMLEvent {
      YAMLEvent(kind: kind, mark: mark, hasAnchor: anchor, hasTag: tag)
    }
    switch event.type {
    case YAML_DOCUMENT_START_EVENT: return make(.documentStart)
    case YAML_DOCUMENT_END_EVENT: return make(.documentEnd)
    case YAML_STREAM_END_EVENT: return make(.streamEnd)
    case YAML_ALIAS_EVENT: return make(.alias)
    case YAML_SEQUENCE_END_EVENT: return make(.sequenceEnd)
    case YAML_MAPPING_END_EVENT: return make(.mappingEnd)
    case YAML_SEQUENCE_START_EVENT:
      let start = event.data.sequence_start
      return make(.sequenceStart, anchor: start.anchor != nil, tag: start.tag != nil)
    case YAML_MAPPING_START_EVENT:
      let start = event.data.mapping_start
      return make(.mappingStart, anchor: start.anchor != nil, tag: start.tag != nil)
    case YAML_SCALAR_EVENT:
      let scalar = event.data.scalar
      let text = String(decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length), as: UTF8.self)
      // libyaml drops the tag "!" of a scalar; no scalar without a tag begins with that character.
      let hasLostTag = scalar.plain_implicit == 1 && byte(at: event.start_mark) == UInt8(ascii: "!")
      return make(
        .scalar(text, isPlain: scalar.style == YAML_PLAIN_SCALAR_STYLE), anchor: scalar.anchor != nil,
        tag: scalar.tag != nil || hasLostTag)
    default: return make(.streamStart)
    }
  }

  /// Returns the first byte of the character at a mark; nil at the end and for a mark before an earlier one.
  ///
  /// Marks come in order, so all calls together read the input once.
  private func byte(at mark: yaml_mark_t) -> UInt8? {
    while cursor.index < mark.index, cursor.byte < input.count {
      cursor.byte += 1
      while cursor.byte < input.count, input[cursor.byte] & 0xC0 == 0x80 { cursor.byte += 1 }
      cursor.index += 1
    }
    return cursor.index == mark.index && cursor.byte < input.count ? input[cursor.byte] : nil
  }
}

extension YAMLMark {
  /// Converts a place of libyaml, which counts from 0.
  fileprivate init(_ mark: yaml_mark_t) {
    self.init(line: mark.line + 1, column: mark.column + 1)
  }
}

/// An event of the YAML parser, without C types.
package struct YAMLEvent {
  /// The kind of the event.
  package enum Kind {
    case streamStart
    case streamEnd
    case documentStart
    case documentEnd
    case alias
    case scalar(String, isPlain: Bool)
    case sequenceStart
    case sequenceEnd
    case mappingStart
    case mappingEnd
  }

  package let kind: Kind
  package let mark: YAMLMark
  package let hasAnchor: Bool
  package let hasTag: Bool
}

/// The reason why libyaml stopped, with its place.
package struct YAMLProblem {
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

  /// Returns the issue, at the place of the mistake rather than where libyaml noticed it.
  package func issue(in source: YAMLSource) -> ConfigurationIssue {
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
    let (message, isAtContext) = advice(character)
    return source.issue(message, at: isAtContext ? context : mark)
  }

  /// Returns the message for libyaml's sentence, and whether it is about the place where the construct begins.
  private func advice(_ character: Unicode.Scalar?) -> (String, isAtContext: Bool) {
    switch problem {
    case "found character that cannot start any token":
      let shown = character.map { String($0).printable() } ?? ""
      return ("a value cannot start with \"\(shown)\"; put it in quotes", false)
    case "mapping values are not allowed in this context":
      return (
        "a \":\" is not expected here; check the indentation, and put a text that contains \": \" in quotes", false
      )
    case "could not find expected ':'": return ("no \":\" follows; write  key: value", true)
    case "did not find expected key": return ("a key is expected here; check the indentation of this line", false)
    case "did not find expected node content": return ("a value is expected here", false)
    case "did not find expected '-' indicator":
      return ("an item that starts with \"-\" is expected here; check the indentation", false)
    case "did not find expected ',' or ']'":
      return ("a \",\" or \"]\" is expected here; the list opens on line \(context.line)", false)
    case "did not find expected ',' or '}'":
      return ("a \",\" or \"}\" is expected here; the mapping opens on line \(context.line)", false)
    case "found unexpected end of stream", "found unexpected document indicator":
      return ("the quoted text that starts here has no closing quote", true)
    case "did not find expected <document start>":
      return ("the file's value ends before this; nothing may follow it", false)
    default: return ("this is not YAML: \(problem.printable(limit: 200))", false)
    }
  }
}

/// The libyaml that this process uses.
package enum YAMLLibrary {
  /// The version, such as `0.2.5`.
  package static var version: String { String(cString: yaml_get_version_string()) }
}
