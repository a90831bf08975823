import BitpalModel

/// A line of text in pieces, each with a role.
struct StyledText {
  private(set) var pieces: [(text: String, role: Role?)] = []

  /// The width in columns: one per character, because no wider characters are drawn.
  var width: Int { pieces.reduce(0) { $0 + $1.text.count } }

  init(_ text: String = "", _ role: Role? = nil) {
    append(text, role)
  }

  mutating func append(_ text: String, _ role: Role? = nil) {
    guard !text.isEmpty else { return }
    if let last = pieces.last, last.role == role {
      pieces[pieces.count - 1].text += text
    } else {
      pieces.append((text, role))
    }
  }

  mutating func append(_ other: StyledText) {
    for piece in other.pieces { append(piece.text, piece.role) }
  }

  /// Returns the text without trailing spaces, with or without colours.
  func rendered(color: Bool) -> String {
    var pieces = pieces
    while let last = pieces.last {
      let text = last.text.trimmingTrailingSpaces
      if text.isEmpty {
        pieces.removeLast()
      } else {
        pieces[pieces.count - 1].text = text
        break
      }
    }
    return pieces.map { piece in
      guard color, let role = piece.role else { return piece.text }
      return role.rendition(piece.text)
    }.joined()
  }
}

extension String {
  fileprivate var trimmingTrailingSpaces: String {
    var text = self[...]
    while text.last == " " { text.removeLast() }
    return String(text)
  }

  /// Returns the text cut to `width` characters, of which the last is then `…`.
  func cut(to width: Int) -> String {
    count <= width ? self : String(prefix(max(0, width - 1))) + "…"
  }
}

/// The role of a piece of a chart, which determines its colour.
enum Role: Hashable {
  case heading
  case quiet
  case warning
  case rise
  case fall

  /// The area under a line, fainter than the line.
  case riseArea
  case fallArea

  /// One of several lines, counted from 0 in the order of the chart.
  case series(Int)

  /// The rendition in a terminal.
  ///
  /// Green and red come last among the colours of compared lines, because elsewhere they mean a rise and a fall.
  var rendition: GraphicRendition {
    switch self {
    case .heading: .bold
    case .quiet: .faint
    case .warning: .yellow
    case .rise: .green
    case .fall: .red
    case .riseArea: .green.faded
    case .fallArea: .red.faded
    case .series(let index): Self.series[index % Self.series.count]
    }
  }

  /// Returns the role of a change by the sign with which it is shown; nil without one.
  static func change(_ text: String) -> Role? { NumberFormat.isRise(text).map { $0 ? .rise : .fall } }

  private static let series: [GraphicRendition] = [.cyan, .yellow, .magenta, .blue, .green, .red]
}
