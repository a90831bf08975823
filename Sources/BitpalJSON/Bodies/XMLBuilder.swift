/// A builder that writes elements as JSON while they are read.
///
/// At an element's first child it is unknown whether another of that name follows. So a space is written where the
/// array would begin, and replaced with a bracket when one follows. Children of one name that are not adjacent are
/// grouped when their element ends.
struct XMLBuilder {
  private(set) var output: JSONOutput
  private let bytes: UnsafeBufferPointer<UInt8>
  private var frames: [Frame]

  /// The runs of children of one name, of all open elements.
  private var runs: [Run] = []

  /// The text of the open elements that have it in several pieces, one after the other.
  private var texts: [UInt8] = []

  /// The path, from the root, of an element that is an array even when it occurs once.
  private let list: [[UInt8]]

  /// An element that is open.
  private struct Frame {
    /// Its text while that is one piece of the document; empty otherwise.
    var piece: Range<Int> = 0..<0

    /// The offset of its text in ``texts``.
    let text: Int

    /// The index of its first run.
    let firstRun: Int

    /// Whether it has members, and is therefore an object.
    var isObject = false

    /// Whether the element is on the path of ``list``.
    var isOnPath = false
  }

  /// Adjacent children of one name.
  private struct Run {
    /// The range of their name in the document.
    let name: Range<Int>

    /// The offset of the member.
    let member: Int

    /// The offset of the first value; the place for the bracket is before it.
    let start: Int
    var isList: Bool

    /// The offset after the last value; unknown until the next run begins.
    var end = 0
  }

  /// Creates a builder.
  ///
  /// - Parameters:
  ///   - bytes: The document.
  ///   - output: The output that it writes.
  ///   - list: The path of an element that is an array even when it occurs once.
  init(_ bytes: UnsafeBufferPointer<UInt8>, _ output: JSONOutput, list: [[UInt8]]) {
    self.bytes = bytes
    self.output = output
    self.list = list
    frames = [Frame(text: 0, firstRun: 0, isOnPath: true)]
  }

  // MARK: Elements

  /// Begins a child of the innermost element.
  @inline(__always)
  mutating func start(_ name: Range<Int>) {
    let parent = frames.count - 1
    let last = runs.count - 1
    if last >= frames[parent].firstRun, bytes.hasSame(runs[last].name, name) {
      if !runs[last].isList {
        runs[last].isList = true
        output.replace(at: runs[last].start - 1, with: UInt8(ascii: "["))
      }
      output.append(UInt8(ascii: ","))
    } else {
      beginRun(name, in: parent)
    }
    let isOnPath = frames[parent].isOnPath && isStep(name)
    frames.append(Frame(text: texts.count, firstRun: runs.count, isOnPath: isOnPath))
  }

  @inline(never)
  private mutating func beginRun(_ name: Range<Int>, in parent: Int) {
    endRun(of: frames[parent])
    output.append(frames[parent].isObject ? "," : "{")
    let member = output.count
    output.append("\"")
    output.append(UnsafeBufferPointer(rebasing: bytes[name]))
    output.append("\":")
    let isList = frames[parent].isOnPath && frames.count == list.count && isStep(name)
    output.append(isList ? UInt8(ascii: "[") : UInt8(ascii: " "))
    frames[parent].isObject = true
    runs.append(Run(name: name, member: member, start: output.count, isList: isList))
  }

  /// Whether the path continues with a child of the innermost element, which is on it.
  private func isStep(_ name: Range<Int>) -> Bool {
    frames.count <= list.count && bytes[name].elementsEqual(list[frames.count - 1])
  }

  /// Ends the last run of an element, if it has one.
  @inline(__always)
  private mutating func endRun(of frame: Frame) {
    let last = runs.count - 1
    guard last >= frame.firstRun else { return }
    runs[last].end = output.count
    if runs[last].isList { output.append(UInt8(ascii: "]")) }
  }

  /// Ends the innermost element.
  @inline(__always)
  mutating func end() {
    guard let frame = frames.popLast() else { return }
    if frame.isObject, runs.count == frame.firstRun, frame.piece.isEmpty, texts.count == frame.text {
      // The element has nothing but attributes.
      output.append(UInt8(ascii: "}"))
    } else {
      end(frame)
    }
    if frames.count == 1 { end(frames[0]) }
  }

  private mutating func end(_ frame: Frame) {
    endRun(of: frame)
    if runs.count > frame.firstRun + 1 { bringTogether(frame) }
    while runs.count > frame.firstRun { runs.removeLast() }
    if frame.piece.isEmpty, texts.count > frame.text {
      texts.withUnsafeBufferPointer { Self.append(trimmed($0[frame.text...]), of: frame, to: &output) }
      texts.removeLast(texts.count - frame.text)
    } else {
      Self.append(trimmed(bytes[frame.piece]), of: frame, to: &output)
    }
    if frame.isObject { output.append(UInt8(ascii: "}")) }
  }

  /// Writes an element's text: as its whole value, or as `#text` when it has members.
  private static func append(_ text: UnsafeBufferPointer<UInt8>, of frame: Frame, to output: inout JSONOutput) {
    if frame.isObject {
      if text.isEmpty { return }
      output.append(",\"#text\":")
    }
    output.append(UInt8(ascii: "\""))
    output.appendEscaped(text)
    output.append(UInt8(ascii: "\""))
  }

  /// Writes the children again, grouped by name, where a name occurs in several runs.
  private mutating func bringTogether(_ frame: Frame) {
    let runs = runs[frame.firstRun...]
    var groups: [[UInt8]: Int] = [:]
    var members: [[Run]] = []
    for run in runs {
      let name = Array(bytes[run.name])
      if let group = groups[name] {
        members[group].append(run)
      } else {
        groups[name] = members.count
        members.append([run])
      }
    }
    guard members.count < runs.count, let first = runs.first else { return }
    let written = Array(output.written[first.member...])
    output.truncate(to: first.member)
    written.withUnsafeBufferPointer { written in
      for group in members {
        guard let head = group.first else { continue }
        if output.count > first.member { output.append(",") }
        output.append("\"")
        output.append(UnsafeBufferPointer(rebasing: bytes[head.name]))
        let isList = group.count > 1 || head.isList
        output.append(isList ? "\":[" : "\":")
        for (position, run) in group.enumerated() {
          if position > 0 { output.append(",") }
          let values = (run.start - first.member)..<(run.end - first.member)
          output.append(UnsafeBufferPointer(rebasing: written[values]))
        }
        if isList { output.append("]") }
      }
    }
  }

  // MARK: Attributes

  /// Begins an attribute of the innermost element.
  @inline(__always)
  mutating func beginAttribute(_ name: Range<Int>) {
    let last = frames.count - 1
    output.append(frames[last].isObject ? ",\"@" : "{\"@")
    frames[last].isObject = true
    output.append(UnsafeBufferPointer(rebasing: bytes[name]))
    output.append("\":\"")
  }

  /// Appends to the attribute's value.
  ///
  /// - Parameter isPlain: Whether a JSON string can hold it without escapes.
  @inline(__always)
  mutating func addValue(_ range: Range<Int>, isPlain: Bool = false) {
    let value = UnsafeBufferPointer(rebasing: bytes[range])
    if isPlain { output.append(value) } else { output.appendEscaped(value) }
  }

  /// Appends a character to the attribute's value.
  mutating func addValue(_ scalar: Unicode.Scalar) {
    Array(String(Character(scalar)).utf8).withUnsafeBufferPointer { output.appendEscaped($0) }
  }

  @inline(__always)
  mutating func endAttribute() {
    output.append(UInt8(ascii: "\""))
  }

  // MARK: Text

  /// Whether the innermost element has had no text so far.
  var hasNoText: Bool { frames.last.map { $0.piece.isEmpty && texts.count == $0.text } ?? true }

  /// Appends to the text of the innermost element.
  @inline(__always)
  mutating func addText(_ range: Range<Int>) {
    if range.isEmpty { return }
    if hasNoText {
      frames[frames.count - 1].piece = range
    } else {
      keepPiece()
      texts += bytes[range]
    }
  }

  /// Appends a character to the text of the innermost element.
  mutating func addText(_ scalar: Unicode.Scalar) {
    keepPiece()
    texts += String(Character(scalar)).utf8
  }

  /// Moves the present piece of text to ``texts``, so that the next can follow it.
  private mutating func keepPiece() {
    let last = frames.count - 1
    texts += bytes[frames[last].piece]
    frames[last].piece = 0..<0
  }

  /// Returns a text without the surrounding white space.
  private func trimmed(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> UnsafeBufferPointer<UInt8> {
    var text = text
    while let first = text.first, first.isXMLSpace { text.removeFirst() }
    while let last = text.last, last.isXMLSpace { text.removeLast() }
    return UnsafeBufferPointer(rebasing: text)
  }
}
