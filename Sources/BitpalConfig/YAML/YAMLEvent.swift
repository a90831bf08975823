/// One step of reading a YAML file, free of C types.
struct YAMLEvent {
  /// What was met.
  enum Kind {
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

  let kind: Kind
  let mark: YAMLMark
  let hasAnchor: Bool
  let hasTag: Bool
}
