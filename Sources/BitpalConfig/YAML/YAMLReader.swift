import BitpalModel
import CYAML

/// Hands out the events of one YAML text; it owns libyaml's parser and frees it.
final class YAMLReader {
  private let source: YAMLSource
  private let parser: UnsafeMutablePointer<yaml_parser_t>
  private let input: UnsafeMutableBufferPointer<UInt8>
  private let isReady: Bool
  private var cursor = (byte: 0, index: 0)

  /// Starts reading a source from its beginning.
  init(_ source: YAMLSource) {
    self.source = source
    // The parser keeps pointers to itself and to its input, so both live at fixed addresses.
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

  /// The next event.
  ///
  /// - Throws: The issue that keeps the rest from being read.
  func next() throws(ConfigurationIssue) -> YAMLEvent {
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
      // libyaml forgets the tag "!" of a scalar; no scalar without a tag starts with that character.
      let hasLostTag = scalar.plain_implicit == 1 && byte(at: event.start_mark) == UInt8(ascii: "!")
      return make(
        .scalar(text, isPlain: scalar.style == YAML_PLAIN_SCALAR_STYLE), anchor: scalar.anchor != nil,
        tag: scalar.tag != nil || hasLostTag)
    default: return make(.streamStart)
    }
  }

  /// The first byte of the character at a mark; nil at the end and for a mark before an earlier one.
  ///
  /// Marks come in order, so that all calls together walk over the input once.
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
  /// The place libyaml means, which counts from 0.
  init(_ mark: yaml_mark_t) {
    self.init(line: mark.line + 1, column: mark.column + 1)
  }
}
